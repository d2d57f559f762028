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
export const BOARD_THEMES = ["wood", "walnut", "green", "blue", "violet", "grey", "paper"] as const;
export const PIECE_SETS = ["classic", "modern", "book"] as const;
export type PieceSet = (typeof PIECE_SETS)[number];

export const theme = remembered<(typeof THEMES)[number]>("theme", "auto", oneOf(THEMES));
export const boardTheme = remembered<(typeof BOARD_THEMES)[number]>("board", "wood", oneOf(BOARD_THEMES));
export const pieceSet = remembered<PieceSet>("pieces", "modern", oneOf(PIECE_SETS));
/** Letters of pieces in moves: `figurines`, a language such as `de`, or `own`, that of the page. */
export const moveLetters = remembered("move-letters", "own", (value) => typeof value === "string" && /^[a-z]{2,9}$/.test(value));
export const sounds = remembered("sounds", false, isFlag);
export const showCaptured = remembered("captured", true, isFlag);
export const showCoordinates = remembered("coordinates", true, isFlag);
export const animate = remembered("animate", true, isFlag);
export const showEvaluation = remembered("evaluation", true, isFlag);
/** Language of comments, ChessBase's three letters; "" shows all of them. */
export const language = remembered("language", "", (value) => typeof value === "string" && value.length <= 3);
/** Widths that were chosen for the columns beside the board, in pixels; null leaves it to the window. */
const isWidth = (value: unknown): boolean => value === null || (typeof value === "number" && value > 0 && value < 10_000);
export const listWidth = remembered<number | null>("list-width", null, isWidth);
export const notationWidth = remembered<number | null>("notation-width", null, isWidth);
/** Columns of the list of games that are left out, by name. */
export const hiddenColumns = remembered<readonly string[]>(
  "hidden-columns",
  [],
  (value) => Array.isArray(value) && value.every((name) => typeof name === "string"),
);
export const flipped = signal(false);
