/** Widths of the bars that show how games went, and numbers as they are shown. */

import { t } from "../translation";

export interface Results {
  readonly white: number;
  readonly draws: number;
  readonly black: number;
}

/** Whole percentages that add up to 100 (the largest remainders are rounded up); all 0 if there are no results. */
export const percentages = ({ white, draws, black }: Results): readonly [number, number, number] => {
  const all = white + draws + black;
  if (all <= 0) return [0, 0, 0];
  const exact = [white, draws, black].map((count) => (count / all) * 100);
  const whole = exact.map(Math.floor);
  const missing = 100 - whole.reduce((sum, part) => sum + part, 0);
  const byRemainder = [0, 1, 2].sort((a, b) => exact[b]! - whole[b]! - (exact[a]! - whole[a]!) || a - b);
  for (const part of byRemainder.slice(0, missing)) whole[part]!++;
  return [whole[0]!, whole[1]!, whole[2]!];
};

/** Parts below it have no figure however wide the bar is; the style sheets hide those that do not fit. */
export const LEAST_LABELLED = 4;

/** What a screen reader says of a bar. */
export const spokenBar = (results: Results): string => {
  const [white, draws, black] = percentages(results);
  return t("White {white}%, drawn {draws}%, Black {black}%", { white, draws, black });
};

/** Share of White or of the side to move, from 0 to 1, or null without results. */
export const scoreOf = ({ white, draws, black }: Results): number | null => {
  const all = white + draws + black;
  return all > 0 ? (white + draws / 2) / all : null;
};
