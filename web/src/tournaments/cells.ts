/** Which results are in which column of a table. */

import type { Crosstable, TableGame } from "../api/types";

/** The games of a cell, or the one of an entry against itself. */
export type Cell = readonly TableGame[] | "self";

/** By rounds; otherwise there is a column for each opponent. A team table that would be mostly empty has rounds as well. */
export function hasRounds({ kind, entries }: Crosstable): boolean {
  const met = entries.reduce((sum, { encounters }) => sum + new Set(encounters.map(({ opponent }) => opponent)).size, 0);
  return kind === "swiss" || (kind === "team" && met < (entries.length * (entries.length - 1)) / 2);
}

const roundsOf = ({ rounds, entries }: Crosstable): number => rounds || Math.max(0, ...entries.map(({ encounters }) => encounters.length));

export function columnsOf(table: Crosstable): string[] {
  const count = hasRounds(table) ? roundsOf(table) : table.entries.length;
  return Array.from({ length: count }, (_, index) => String(index + 1));
}

/** The cells of an entry, one for each column. */
export function cellsOf(table: Crosstable, place: number): Cell[] {
  const { encounters } = table.entries[place]!;
  if (!hasRounds(table)) {
    return table.entries.map((_, other) => (other === place ? "self" : encounters.filter(({ opponent }) => opponent === other)));
  }
  const cells: TableGame[][] = Array.from({ length: roundsOf(table) }, () => []);
  encounters.forEach((game, index) => cells[table.rounds ? (game.round ?? 0) - 1 : index]?.push(game));
  return cells;
}
