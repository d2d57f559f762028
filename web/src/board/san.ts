/** Moves as the reader wants to see them: with figurines, or with the letters of a language. */

import { moveLetters } from "../state/settings";
import { language, LANGUAGES, type Language } from "../translation";
import { inEnglish, spelled } from "../translation/pieces";

/** A move of the server, `Nf3`, in the chosen letters. Reading it subscribes to the setting. */
export const sanText = (san: string | null | undefined): string => (san ? spelled(san, moveLetters.value, language()) : "");

/** Moves as they are typed, with the letters of the server. */
export function typedSan(text: string): string {
  const letters = moveLetters.peek();
  return inEnglish(text, letters in LANGUAGES ? (letters as Language) : language());
}
