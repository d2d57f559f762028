/** The letters of pieces in moves: figurines, or those of a language. Moves are kept and sent with English ones. */

import { computed } from "@preact/signals";
import { moveLetters, vocabulary } from "../state";

export const FIGURINES = "figurines";
/** The letters of the language of the page. */
export const OWN_LETTERS = "own";

const ENGLISH = "KQRBNP";

/** Languages whose letters are known, and their letters of king, queen, rook, bishop, knight and pawn. */
export const letterTables = computed<ReadonlyMap<string, readonly string[]>>(
  () => new Map((vocabulary.value?.piece_letters ?? []).map(({ language, letters }) => [language, letters])),
);

/** What is chosen, as a language or figurines. */
export const shownLetters = computed(() =>
  moveLetters.value === OWN_LETTERS ? (globalThis.document?.documentElement.lang ?? "en") : moveLetters.value,
);

const letters = computed<readonly string[]>(() => letterTables.value.get(shownLetters.value) ?? Array.from(ENGLISH));

export const isFigurine = computed(() => shownLetters.value === FIGURINES);

/** A part of a move: text, or a piece as a figurine. */
export type Part = string | { piece: string };

/** A move in standard notation with other letters: castling and squares have none. */
export function withLetters(san: string, names: readonly string[]): string {
  return san.replace(/^[KQRBN](?=[a-h1-8x])|(?<==)[QRBNK]/g, (letter) => names[ENGLISH.indexOf(letter)] ?? letter);
}

/** A move in parts, with its pieces as figurines. */
export function withFigurines(san: string): Part[] {
  return san
    .split(/(^[KQRBN](?=[a-h1-8x])|(?<==)[QRBNK])/)
    .filter(Boolean)
    .map((part) => (/^[KQRBN]$/.test(part) ? { piece: part } : part));
}

/** A move as plain text, with the letters that are chosen; figurines have English letters where only text is possible. */
export const sanText = (san: string): string => withLetters(san, letters.value);

/** A move as it is typed with the letters that are chosen, with English letters. */
export function inEnglish(text: string, names: readonly string[] = letters.peek()): string {
  const longest = names
    .map((name, index) => ({ name, letter: ENGLISH[index]! }))
    .sort((one, other) => other.name.length - one.name.length);
  const swap = (word: string): string => {
    const found = longest.find(({ name }) => word.startsWith(name));
    return found ? found.letter + word.slice(found.name.length) : word;
  };
  const [move = "", promotion] = text.split("=", 2);
  return promotion === undefined ? swap(move) : `${swap(move)}=${swap(promotion)}`;
}
