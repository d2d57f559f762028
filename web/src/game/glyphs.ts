/** Symbols of moves: glyphs come from the server; which of them are praise and blame is a matter of colour. */

import { computed } from "@preact/signals";
import type { Glyph } from "../api/types";
import { vocabulary } from "../state";
import { t } from "../translation";

export type { Glyph } from "../api/types";

const known = computed(() => new Map((vocabulary.value?.nags ?? []).map((entry) => [entry.nag, entry])));

/** Signs that few fonts have, in the way that one types them. */
const TYPED: Record<string, string> = { "⩲": "+=", "⩱": "=+", "⨀": "⊙" };

export function glyphOf(nag: number): Glyph {
  const entry = known.value.get(nag) ?? { nag, glyph: `$${nag}`, slot: "other" };
  return { ...entry, glyph: TYPED[entry.glyph] ?? entry.glyph };
}

/** Good, bad or in between: the colours are those of the report. */
const MOODS: Readonly<Record<number, string>> = { 1: "good", 2: "mistaken", 3: "good", 4: "bad", 5: "interesting", 6: "dubious" };

/** The mood of a symbol, as a class. */
export const moodOf = (nag: number): string => MOODS[nag] ?? "";

type Symbols = readonly (readonly [nag: number, name: string])[];

/** What the annotator offers first; names are for tool tips and screen readers. */
export const COMMON: Symbols = [
  [1, t("Good move")],
  [2, t("Mistake")],
  [3, t("Brilliant move")],
  [4, t("Blunder")],
  [5, t("Interesting move")],
  [6, t("Dubious move")],
];

/** What it offers behind “more”, in groups. */
export const MORE: readonly Symbols[] = [
  [
    [10, t("Equal")],
    [13, t("Unclear")],
    [14, t("White is slightly better")],
    [15, t("Black is slightly better")],
    [16, t("White is better")],
    [17, t("Black is better")],
    [18, t("White is winning")],
    [19, t("Black is winning")],
  ],
  [
    [8, t("Only move")],
    [146, t("Novelty")],
    [22, t("Zugzwang")],
    [32, t("Development")],
    [36, t("Initiative")],
    [40, t("Attack")],
    [132, t("Counterplay")],
    [138, t("Time trouble")],
    [44, t("With compensation")],
    [140, t("With the idea")],
    [142, t("Better is")],
    [145, t("Editorial comment")],
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
