/** What is pasted onto the page: files, games as PGN, or a position as FEN. */

import { copied } from "../shell/clipboard";
import { notify, openFen, openGame, report } from "../state";
import { t } from "../translation";
import { openFiles } from "./upload";

const FEN = /^(?:[1-8pnbrqk]{1,8}\/){7}[1-8pnbrqk]{1,8}(?:[ _]\S+){0,5}$/i;
/** A tag, a move with the number 1, or a move, at the beginning of any line. */
const GAMES = /^\s*(?:\[\s*\w+\s+"|1\s*\.|[KQRBN]?[a-h]?[1-8]?x?[a-h][1-8](?![\w-])|O-O|0-0)/m;

export type Pasted = { kind: "position"; fen: string } | { kind: "games" };

/** What a text seems to be; whether that is so, the server finds out. */
export function kindOf(text: string): Pasted | null {
  const trimmed = text.trim();
  if (FEN.test(trimmed)) {
    return { kind: "position", fen: trimmed.replaceAll("_", " ") };
  }
  return GAMES.test(text) ? { kind: "games" } : null;
}

const LONGEST_NAME = 30;

/** The name of a player as a part of the name of a file: `Meyer` of `Meyer, Anna`. */
function fileName(text: string, tag: "White" | "Black"): string {
  const name = new RegExp(String.raw`^\s*\[\s*${tag}\s+"([^",]*)`, "m").exec(text)?.[1] ?? "";
  return name.replace(/[^\p{L}\p{N} '-]/gu, "").trim().slice(0, LONGEST_NAME);
}

/** What to call the games: a single one after its players. */
export function nameOfPasted(text: string): string {
  const isSingle = text.match(/^\s*\[\s*White\s+"/gm)?.length === 1;
  const [white, black] = [fileName(text, "White"), fileName(text, "Black")];
  return isSingle && white && black ? `${white} – ${black}` : "pasted";
}

/** How often each name was given. */
const pasted = new Map<string, number>();

function freeName(text: string): string {
  const name = nameOfPasted(text);
  const number = (pasted.get(name) ?? 0) + 1;
  pasted.set(name, number);
  return number > 1 ? `${name}-${number}.pgn` : `${name}.pgn`;
}

export async function openText(text: string): Promise<void> {
  const found = kindOf(text);
  if (found === null) {
    notify(t("What was copied is neither a game (PGN) nor a position (FEN)."), "error");
  } else if (found.kind === "position") {
    await openFen(found.fen);
  } else {
    const database = await openFiles([new File([text], freeName(text))]);
    if (database) {
      openGame(database.id, 1);
    }
  }
}

/** Open what is in the clipboard, for those who have no key to paste with. */
export const openCopied = (): Promise<void> => copied().then(openText, report);

/** Open what is pasted anywhere but into a field. */
export function listenToPaste(): () => void {
  const listen = (event: ClipboardEvent): void => {
    const target = event.target as HTMLElement;
    const data = event.clipboardData;
    if (!data || event.defaultPrevented || target.isContentEditable || target.closest?.("input, textarea, select")) {
      return;
    }
    const files = Array.from(data.files);
    const text = data.getData("text/plain");
    if (files.length > 0 || text.trim()) {
      event.preventDefault();
      void (files.length > 0 ? openFiles(files) : openText(text));
    }
  };
  addEventListener("paste", listen);
  return () => removeEventListener("paste", listen);
}
