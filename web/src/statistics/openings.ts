/** ECO codes in groups that fit a plot: by letter and digit, or each code where few groups are left. */

import type { CodeClass } from "../api/types";

export interface OpeningGroup {
  /** `B9` or `B97`. */
  readonly code: string;
  /** The name of its most frequent code. */
  readonly name: string;
  readonly games: number;
  readonly white: number;
  readonly draws: number;
  readonly black: number;
}

/** So many groups are shown as codes. */
const FEW = 2;

export function groupsOf(codes: readonly CodeClass[]): OpeningGroup[] {
  const tens = new Set(codes.map(({ opening }) => opening.eco.slice(0, 2)));
  const letters = tens.size > FEW ? 2 : 3;
  const groups = new Map<string, OpeningGroup & { most: number }>();
  for (const { opening, games, white, draws, black } of codes) {
    const code = opening.eco.slice(0, letters);
    const group = groups.get(code) ?? { code, name: "", games: 0, white: 0, draws: 0, black: 0, most: -1 };
    const isMost = games > group.most;
    groups.set(code, {
      code,
      name: isMost ? opening.name : group.name,
      most: isMost ? games : group.most,
      games: group.games + games,
      white: group.white + white,
      draws: group.draws + draws,
      black: group.black + black,
    });
  }
  return [...groups.values()].map(({ most: _, ...group }) => group);
}
