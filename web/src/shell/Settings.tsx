/** How the page looks and sounds; every choice works at once and is remembered by this browser. */

import type { Signal } from "@preact/signals";
import type { ComponentChildren, JSX } from "preact";
import { play } from "../board/sounds";
import { NotationSettings } from "../game/NotationSettings";
import {
  animate,
  BOARD_THEMES,
  boardTheme,
  listWidth,
  notationWidth,
  PIECE_SETS,
  pieceSet,
  showCaptured,
  showCoordinates,
  showEvaluation,
  sounds,
  theme,
  THEMES,
} from "../state";
import { chooseLanguage, chosenLanguage, LANGUAGES, languageOf, t, type Language } from "../translation";
import { Choice, Dialog } from "./Dialog";
import "./settings.css";

const THEME_NAMES = { auto: t("As the system"), light: t("Light"), dark: t("Dark") };
const BOARD_NAMES: Readonly<Record<(typeof BOARD_THEMES)[number], string>> = {
  wood: t("Wood"),
  walnut: t("Walnut"),
  green: t("Green"),
  blue: t("Blue"),
  violet: t("Violet"),
  grey: t("Grey"),
  paper: t("Paper"),
};
const PIECE_SET_NAMES = { classic: t("Classic"), modern: t("Modern"), book: t("Diagram") };

interface OneOfProps<T extends string> {
  legend: string;
  setting: Signal<T>;
  choices: readonly T[];
  names: Readonly<Record<T, string>>;
  look: "segments" | "tiles";
  picture?: (choice: T) => JSX.Element;
}

/** One of several, with or without a picture of each. */
function OneOf<T extends string>({ legend, setting, choices, names, look, picture }: OneOfProps<T>): JSX.Element {
  return (
    <fieldset class={`one-of ${look}`}>
      <legend>{legend}</legend>
      <div>
        {choices.map((choice) => (
          <label key={choice}>
            <input type="radio" name={legend} checked={setting.value === choice} onChange={() => (setting.value = choice)} />
            {picture?.(choice)}
            <span>{names[choice]}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

const Piece = ({ id, x }: { id: string; x: number }): JSX.Element => <use href={`#${id}`} transform={`translate(${x} 0)`} />;

const Squares = ({ children }: { children?: ComponentChildren }): JSX.Element => (
  <svg viewBox="0 0 80 40" aria-hidden="true">
    <rect class="light" width="40" height="40" />
    <rect class="dark" x="40" width="40" height="40" />
    {children}
  </svg>
);

function LanguageChoice(): JSX.Element {
  const ofBrowser = LANGUAGES[languageOf(null, navigator.languages)];
  return (
    <label class="setting">
      <span>{t("Language")}</span>
      <select
        value={chosenLanguage() ?? ""}
        onChange={(event) => chooseLanguage((event.currentTarget.value || null) as Language | null)}
      >
        <option value="">{t("As the browser ({language})", { language: ofBrowser })}</option>
        {Object.entries(LANGUAGES).map(([code, name]) => (
          <option key={code} value={code} lang={code}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}

const Flag = ({ name, setting }: { name: string; setting: Signal<boolean> }): JSX.Element => (
  <Choice name={name} chosen={setting.value} choose={(chosen) => (setting.value = chosen)} />
);

/** Turned on, they say what they sound like. */
const Sounds = (): JSX.Element => (
  <Choice
    name={t("Sounds of moves")}
    chosen={sounds.value}
    choose={(chosen) => {
      sounds.value = chosen;
      if (chosen) {
        play("move");
      }
    }}
  />
);

export function Settings(): JSX.Element {
  const isResized = listWidth.value !== null || notationWidth.value !== null;
  return (
    <Dialog
      title={t("Settings")}
      class="settings"
      button={(open) => (
        <button type="button" class="plain open-settings" aria-haspopup="dialog" onClick={open}>
          {t("Settings")}
        </button>
      )}
    >
      <LanguageChoice />
      <OneOf legend={t("Colours")} setting={theme} choices={THEMES} names={THEME_NAMES} look="segments" />
      <OneOf
        legend={t("Board")}
        setting={boardTheme}
        choices={BOARD_THEMES}
        names={BOARD_NAMES}
        look="tiles"
        picture={(name) => (
          <i data-swatch={name}>
            <Squares />
          </i>
        )}
      />
      <OneOf
        legend={t("Pieces")}
        setting={pieceSet}
        choices={PIECE_SETS}
        names={PIECE_SET_NAMES}
        look="tiles"
        picture={(set) => (
          <Squares>
            <Piece id={`${set}-bn`} x={0} />
            <Piece id={`${set}-wq`} x={40} />
          </Squares>
        )}
      />
      <NotationSettings />
      <fieldset class="ticks">
        <legend>{t("On the board")}</legend>
        <Flag name={t("Coordinates")} setting={showCoordinates} />
        <Flag name={t("Captured pieces")} setting={showCaptured} />
        <Flag name={t("Evaluation bar")} setting={showEvaluation} />
        <Flag name={t("Pieces glide")} setting={animate} />
        <Sounds />
      </fieldset>
      {isResized && (
        <p class="buttons">
          <button type="button" onClick={() => (listWidth.value = notationWidth.value = null)}>
            {t("Reset the widths of the columns")}
          </button>
        </p>
      )}
    </Dialog>
  );
}
