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

/** Whatever a reader may mean by a move: in the letters of the language, in figurines, in English; the likeliest first. */
export function meanings(text: string, language: Language): string[] {
  const inLetters = (names: readonly string[]): string => {
    const longest = names.map((name, index) => [name, ENGLISH[index]!] as const).sort(([a], [b]) => b.length - a.length);
    const pattern = new RegExp(longest.map(([name]) => name).join("|"), "g");
    return text.replace(pattern, (name) => longest.find(([known]) => known === name)![1]);
  };
  const black = Array.from("♚♛♜♝♞");
  return [...new Set([inLetters(LETTERS[language]), inLetters(FIGURINES), inLetters(black), text])];
}
