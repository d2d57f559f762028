/** How an evaluation looks: as a text, and as White's share of a bar. */

import type { Evaluation } from "../api/types";

/** “+0.35”, “−1.20”, “#3”, “#−3”. */
export function evaluationText({ pawns, mate }: Evaluation): string {
  if (mate != null) {
    return `#${mate < 0 ? "−" : ""}${Math.abs(mate)}`;
  }
  const value = pawns ?? 0;
  return `${value < 0 ? "−" : value > 0 ? "+" : ""}${Math.abs(value).toFixed(2)}`;
}

/** White's share of the bar, 0 to 1: a pawn counts for much near equality and for little in a won position. */
export function shareOf({ pawns, mate }: Evaluation): number {
  if (mate != null) {
    return mate < 0 ? 0 : 1;
  }
  return 0.5 + 0.5 * (2 / (1 + Math.exp(-0.37 * (pawns ?? 0))) - 1);
}
