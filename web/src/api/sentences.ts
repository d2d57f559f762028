/** Sentences of the server. They arrive in English; those that players meet are shown in the language of the page, and
 * the others are marked as English, so that a screen reader reads them well. */

import { plainText } from "../shell/text";
import { language, sentence } from "../translation";

/** `tests/web/test_page_sentences.py` checks that the server still says them so. */
const KNOWN = [
  // Opening.
  sentence("This is not a database or opening book that tabiya can read: {names}."),
  sentence("Files may have {most} MB together; name larger ones on the command line."),
  sentence("{name} is an opening book: it has no games."),
  sentence("{name} is not a database or opening book any more."),
  sentence("{name} is missing; without the {file} file there are no moves"),
  sentence("{names} are missing; without the {file} file there are no moves"),
  sentence("The text holds no game."),
  // Positions.
  sentence("Each side must have exactly one king (at character {n} of {text})."),
  sentence("A pawn stands on the first or the eighth rank (at character {n} of {text})."),
  sentence("A rank of the FEN does not have eight squares (at character {n} of {text})."),
  sentence("The FEN does not have eight ranks (at character {n} of {text})."),
  sentence("The side that is not to move is in check."),
  sentence("White has too many pieces."),
  sentence("Black has too many pieces."),
  sentence("No pawn has just jumped over the en passant square."),
  // Lists and engines.
  sentence("The list is still growing; try again when it is complete."),
  sentence("All {n} engine processes are in use; try again later."),
  sentence("The game has no evaluated moves."),
  // Saving and converting.
  sentence("Databases cannot be changed: start tabiya serve with --write."),
  sentence("{name} cannot have games added here ({format}); download the game as PGN."),
  sentence("{name} cannot have games replaced here ({format}); download the game as PGN."),
  sentence("{name} has been changed meanwhile, so nothing was saved: load the game again, or download yours as PGN."),
  sentence("{name} exists already; nothing was changed."),
  sentence("Two conversions are running already; wait for one of them, or cancel it."),
];

const MOST_REMEMBERED = 500;
/** What was left in English; the oldest goes first. */
const english = new Set<string>();

/** A sentence of the server as the page shows it. */
export function said(text: string): string {
  const plain = plainText(text);
  for (const translated of KNOWN) {
    const found = translated(plain);
    if (found !== null) {
      return found;
    }
  }
  if (english.size >= MOST_REMEMBERED) {
    english.delete(english.values().next().value!);
  }
  english.add(plain);
  return plain;
}

/** The language of a text that may come from the server, if it is not that of the page: for the attribute `lang`. */
export const languageOf = (text: string): "en" | undefined => (language() !== "en" && english.has(text) ? "en" : undefined);
