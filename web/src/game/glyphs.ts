/** Symbols of moves: glyphs come from the server; which of them are praise and blame is a matter of colour. */

import { computed } from "@preact/signals";
import type { Glyph } from "../api/types";
import { vocabulary } from "../state";

export type { Glyph } from "../api/types";

const known = computed(() => new Map((vocabulary.value?.nags ?? []).map((entry) => [entry.nag, entry])));

/** Signs that few fonts have, in the way that one types them. */
const TYPED: Record<string, string> = { "⩲": "+=", "⩱": "=+", "⨀": "⊙" };

export function glyphOf(nag: number): Glyph {
  const entry = known.value.get(nag) ?? { nag, glyph: `$${nag}`, slot: "other" };
  return { ...entry, glyph: TYPED[entry.glyph] ?? entry.glyph };
}

/** The mood of a symbol, as a class. */
export const moodOf = (nag: number): string =>
  nag === 1 || nag === 3 ? "good" : nag === 2 || nag === 4 ? "bad" : nag === 5 || nag === 6 ? "interesting" : "";

/** What the annotator offers, in rows; names are for tool tips and screen readers. */
export const PALETTE: readonly (readonly [nag: number, name: string])[][] = [
  [
    [1, "Good move"],
    [2, "Mistake"],
    [3, "Brilliant move"],
    [4, "Blunder"],
    [5, "Interesting move"],
    [6, "Dubious move"],
    [8, "Only move"],
    [22, "Zugzwang"],
  ],
  [
    [10, "Equal"],
    [13, "Unclear"],
    [14, "White is slightly better"],
    [15, "Black is slightly better"],
    [16, "White is better"],
    [17, "Black is better"],
    [18, "White is winning"],
    [19, "Black is winning"],
  ],
  [
    [146, "Novelty"],
    [32, "Development"],
    [36, "Initiative"],
    [40, "Attack"],
    [132, "Counterplay"],
    [138, "Time trouble"],
    [44, "With compensation"],
    [140, "With the idea"],
  ],
];

/** Symbols of which a move has one at most: choosing another replaces it. */
const EXCLUSIVE: readonly (readonly [number, number])[] = [
  [1, 9],
  [10, 21],
];

/** The symbols of a move after one of them was chosen: gone if it was there, else instead of those it excludes. */
export function toggled(nags: readonly number[], nag: number): number[] {
  if (nags.includes(nag)) {
    return nags.filter((other) => other !== nag);
  }
  const range = EXCLUSIVE.find(([first, last]) => nag >= first && nag <= last);
  return [...nags.filter((other) => !range || other < range[0] || other > range[1]), nag];
}
