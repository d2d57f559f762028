/** The part of the settings that is about moves: how they are printed, and with which letters. */

import type { JSX } from "preact";
import { Choice } from "../shell/Dialog";
import { moveLetters, NOTATION_STYLES, notationStyle, showFigures } from "../state";
import { t } from "../translation";
import { FIGURINES, letterTables, OWN_LETTERS } from "./letters";

const STYLE_NAMES = { auto: t("As suits the game"), table: t("Table"), book: t("Book") };

/** How the moves are printed. */
export function NotationSettings(): JSX.Element {
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
      <Choice
        name={t("Evaluations and times in the table of moves")}
        chosen={showFigures.value}
        choose={(chosen) => (showFigures.value = chosen)}
      />
    </>
  );
}
