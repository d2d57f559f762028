/** Scores as reports show them. */

import { percent } from "../figures";

/** Points of a player or of White as a share of all games with a result, or null without any. */
export function shareOf([won, drawn, lost]: readonly [number, number, number]): number | null {
  const all = won + drawn + lost;
  return all > 0 ? (won + drawn / 2) / all : null;
}

/** ` · 54.3%`, or nothing without results. */
export function scoreText(parts: readonly [number, number, number]): string {
  const share = shareOf(parts);
  return share === null ? "" : ` · ${percent(share, 1)}`;
}

/** Points as players write them: `12½`. */
export function pointsOf(points: number): string {
  const whole = Math.floor(points);
  return `${whole || points === 0 ? whole : ""}${points % 1 ? "½" : ""}`;
}
