/** The letters of the pieces, as each language writes them in moves. */

import { LANGUAGES, type Language } from ".";

/** `figurines`, a language, or `own`, that of the page. */
export type MoveLetters = string;

/** In the order of the English letters. */
const ENGLISH = "KQRBN";
const FIGURINES = Array.from("♔♕♖♗♘");
export const LETTERS: Readonly<Record<Language, readonly string[]>> = {
  en: Array.from(ENGLISH),
  de: Array.from("KDTLS"),
  es: Array.from("RDTAC"),
  fr: Array.from("RDTFC"),
  ru: ["Кр", "Ф", "Л", "С", "К"],
};

/** A move of the server, `Nf3` or `exd8=Q+`, in the letters of a language or in figurines. */
export function spelled(san: string, letters: MoveLetters, own: Language): string {
  const names = letters === "figurines" ? FIGURINES : LETTERS[letters in LANGUAGES ? (letters as Language) : own];
  return san.startsWith("O-O") ? san : san.replace(/[KQRBN]/g, (letter) => names[ENGLISH.indexOf(letter)]!);
}

/** Moves as they are typed, in the letters of a language or in figurines, with English letters; other letters stay. */
export function inEnglish(text: string, language: Language): string {
  const names = [LETTERS[language], FIGURINES, Array.from("♚♛♜♝♞")].flatMap((letters) =>
    letters.map((name, index): [string, string] => [name, ENGLISH[index]!]),
  );
  const known = new Map(names);
  const longestFirst = [...known.keys()].sort((one, other) => other.length - one.length);
  return text.replace(new RegExp(longestFirst.join("|"), "gu"), (name) => known.get(name)!);
}
