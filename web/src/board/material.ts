/** What was captured: the difference between two positions. */

import { START_FEN } from "../game/tree";
import { piecesOf } from "./MiniBoard";

const VALUES: Readonly<Record<string, number>> = { p: 1, n: 3, b: 3, r: 5, q: 9 };
const ORDER = "pnbrq";

function counted(fen: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { piece } of piecesOf(fen)) {
    counts.set(piece, (counts.get(piece) ?? 0) + 1);
  }
  return counts;
}

/** The pieces that a side has lost since the start, `bp` before `bq`; a promoted pawn is not lost. */
export function lostBy(side: "w" | "b", fen: string, start: string = START_FEN): string[] {
  const [now, then] = [counted(fen), counted(start)];
  const missing = (letter: string): number => (then.get(side + letter) ?? 0) - (now.get(side + letter) ?? 0);
  const promoted = Array.from("nbrq").reduce((sum, letter) => sum + Math.max(0, -missing(letter)), 0);
  return Array.from(ORDER).flatMap((letter) => {
    const lost = missing(letter) - (letter === "p" ? promoted : 0);
    return Array.from({ length: Math.max(0, lost) }, () => side + letter);
  });
}

/** By how many pawns a side has more material than the other. */
export function leadOf(side: "w" | "b", fen: string): number {
  const value = (piece: string): number => (VALUES[piece[1]!] ?? 0) * (piece[0] === side ? 1 : -1);
  return piecesOf(fen).reduce((sum, { piece }) => sum + value(piece), 0);
}
