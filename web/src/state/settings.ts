/** What this browser remembers: how the page and the board look. */

import { effect, signal, type Signal } from "@preact/signals";

function remembered<T>(name: string, usual: T, isValid: (value: unknown) => boolean): Signal<T> {
  const key = `tabiya.${name}`;
  let value = usual;
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(key) ?? "null");
    if (isValid(stored)) {
      value = stored as T;
    }
  } catch {
    // No storage (private window), or somebody else's value.
  }
  const setting = signal(value);
  let first = true;
  effect(() => {
    const text = JSON.stringify(setting.value);
    if (first) {
      first = false;
      return;
    }
    try {
      localStorage.setItem(key, text);
    } catch {
      // It is forgotten with the page.
    }
  });
  return setting;
}

const oneOf =
  (choices: readonly unknown[]) =>
  (value: unknown): boolean =>
    choices.includes(value);
const isFlag = oneOf([true, false]);

export const THEMES = ["auto", "light", "dark"] as const;
export const BOARD_THEMES = ["wood", "green", "blue", "grey"] as const;

export const theme = remembered<(typeof THEMES)[number]>("theme", "auto", oneOf(THEMES));
export const boardTheme = remembered<(typeof BOARD_THEMES)[number]>("board", "wood", oneOf(BOARD_THEMES));
export const showCoordinates = remembered("coordinates", true, isFlag);
export const animate = remembered("animate", true, isFlag);
export const showEvaluation = remembered("evaluation", true, isFlag);
export const NOTATION_STYLES = ["auto", "table", "book"] as const;
/** How moves are printed; `auto` is the book for games with texts or variations, else the table. */
export const notationStyle = remembered<(typeof NOTATION_STYLES)[number]>("notation", "auto", oneOf(NOTATION_STYLES));
/** Whether the table has evaluations and times. */
export const showFigures = remembered("move-figures", true, isFlag);
/** Letters of pieces in moves: `figurines`, a language such as `de`, or `own`, that of the page. */
export const moveLetters = remembered("move-letters", "own", (value) => typeof value === "string" && /^[a-z]{2,9}$/.test(value));
/** Language of comments, ChessBase's three letters; "" shows all of them. */
export const language = remembered("language", "", (value) => typeof value === "string" && value.length <= 3);
/** Columns of the list of games that are left out, by name. */
export const hiddenColumns = remembered<readonly string[]>(
  "hidden-columns",
  [],
  (value) => Array.isArray(value) && value.every((name) => typeof name === "string"),
);
/** How many lines the engine shows, whether it draws arrows, which engine was chosen (its name), and how deep it analyses games. */
export const engineLines = remembered("engine-lines", 3, oneOf([1, 2, 3, 4, 5]));
export const engineArrows = remembered("engine-arrows", true, isFlag);
export const engineName = remembered("engine-name", "", (value) => typeof value === "string" && value.length <= 200);
export const ANALYSIS_DEPTHS = [12, 16, 20, 24] as const;
export const analysisDepth = remembered<(typeof ANALYSIS_DEPTHS)[number]>("analysis-depth", 16, oneOf(ANALYSIS_DEPTHS));
/** Whether the graph shows the time that moves took. */
export const showTimes = remembered("graph-times", true, isFlag);
export const flipped = signal(false);
