/** The buttons under the board. */

import type { JSX } from "preact";
import { copy } from "../shell/clipboard";
import { Choice, Dialog } from "../shell/Dialog";
import {
  animate,
  at,
  backward,
  BOARD_THEMES,
  boardTheme,
  chess960,
  fen,
  flipped,
  forward,
  moveLetters,
  node,
  NOTATION_STYLES,
  notationStyle,
  openPosition,
  showCoordinates,
  showEvaluation,
  showFigures,
  toEnd,
  toStart,
} from "../state";
import { t } from "../translation";
import { autoplay, playing } from "./autoplay";
import { editing } from "./editing";
import { KEYS } from "./keyboard";
import { FIGURINES, letterTables, OWN_LETTERS } from "./letters";
import { linkHere, setUpAddress } from "./links";
import { Tool } from "./Tool";

/** A choice that is remembered. */
function Setting({ name, setting }: { name: string; setting: { value: boolean } }): JSX.Element {
  return <Choice name={name} chosen={setting.value} choose={(chosen) => (setting.value = chosen)} />;
}

/** The browser's own key, which it tells the page about in its own way. */
const PASTE = { shown: "Ctrl v", does: t("Open games, or a position, that were copied elsewhere") };

const STYLE_NAMES = { auto: t("As suits the game"), table: t("Table"), book: t("Book") };

/** How the moves are printed. */
function NotationSettings(): JSX.Element {
  const languages = new Intl.DisplayNames([document.documentElement.lang || "en"], { type: "language" });
  return (
    <>
      <label class="setting">
        <span>{t("Notation")}</span>
        <select
          value={notationStyle.value}
          onChange={(event) => (notationStyle.value = NOTATION_STYLES.find((name) => name === event.currentTarget.value) ?? "auto")}
        >
          {NOTATION_STYLES.map((name) => (
            <option key={name} value={name}>
              {STYLE_NAMES[name]}
            </option>
          ))}
        </select>
      </label>
      <label class="setting">
        <span>{t("Pieces in moves")}</span>
        <select value={moveLetters.value} onChange={(event) => (moveLetters.value = event.currentTarget.value)}>
          <option value={OWN_LETTERS}>{t("Letters of this page's language")}</option>
          <option value={FIGURINES}>{t("Figurines")}</option>
          {[...letterTables.value].map(([language, letters]) => (
            <option key={language} value={language}>
              {languages.of(language)}: {letters.slice(0, 5).join(" ")}
            </option>
          ))}
        </select>
      </label>
      <Setting name={t("Evaluations and times in the table of moves")} setting={showFigures} />
    </>
  );
}

function Settings(): JSX.Element {
  return (
    <Dialog title={t("Board and notation")} button={(open) => <Tool icon="settings" name={t("Settings and keys")} act={open} />}>
      <div class="swatches" role="radiogroup" aria-label={t("Colours of the board")}>
        {BOARD_THEMES.map((name) => (
          <button
            key={name}
            type="button"
            role="radio"
            aria-checked={boardTheme.value === name}
            class="swatch"
            data-swatch={name}
            title={name}
            aria-label={name}
            onClick={() => (boardTheme.value = name)}
          />
        ))}
      </div>
      <Setting name={t("Coordinates")} setting={showCoordinates} />
      <Setting name={t("Pieces glide")} setting={animate} />
      <Setting name={t("Evaluation bar")} setting={showEvaluation} />
      <NotationSettings />
      <p class="buttons">
        <button type="button" onClick={() => void copy(fen.peek(), t("The position is in the clipboard as FEN."))}>
          {t("Copy FEN")}
        </button>
        <button onClick={() => openPosition()}>{t("Empty game")}</button>
        <button onClick={() => openPosition(fen.peek(), chess960.peek())}>{t("New game from here")}</button>
        <button onClick={() => (location.hash = setUpAddress(fen.peek()))}>{t("Set up a position")}</button>
      </p>
      <h3>{t("Keys")}</h3>
      <dl class="keys">
        {[...KEYS, PASTE].map(({ shown, does }) => (
          <div key={shown}>
            <dt>{shown}</dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <p class="soft">
        {t(
          "Draw arrows and squares with the right mouse button; Shift makes them red, Alt blue, both yellow. Drawing them again removes them.",
        )}
      </p>
    </Dialog>
  );
}

export function Toolbar(): JSX.Element {
  const atStart = at.value === 0;
  const atEnd = node.value.children.length === 0;
  return (
    <div class="toolbar" role="toolbar" aria-label={t("Board")}>
      <Tool icon="first" name={t("Start")} act={toStart} disabled={atStart} />
      <Tool icon="back" name={t("Previous move")} act={backward} disabled={atStart} />
      <Tool icon="forward" name={t("Next move")} act={() => void forward()} disabled={atEnd} />
      <Tool icon="last" name={t("End of the line")} act={toEnd} disabled={atEnd} />
      <Tool
        icon={playing.value ? "pause" : "play"}
        name={playing.value ? t("Stop") : t("Play the moves by themselves")}
        act={() => autoplay.toggle()}
        pressed={playing.value}
        disabled={atEnd && !playing.value}
      />
      <Tool icon="flip" name={t("Turn the board")} act={() => (flipped.value = !flipped.value)} />
      <Tool icon="annotate" name={t("Annotate")} act={() => (editing.value = !editing.value)} pressed={editing.value} worded />
      <Tool
        icon="link"
        name={t("Copy the link to this position")}
        act={() => void copy(linkHere(), t("The link to this position is in the clipboard."))}
      />
      <Settings />
    </div>
  );
}
