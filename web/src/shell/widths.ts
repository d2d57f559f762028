/** How wide the columns beside the board may be. The style sheet keeps the same limits when the window changes. */

/** The least width of each, in pixels, what lies between and beside them included in that of the board. */
export const LEAST = { list: 260, notation: 300, board: 436 } as const;

export type Column = "list" | "notation";

/** From the least to the greatest width of a column, while the other one keeps its own. */
export function limits(column: Column, window: number, other: number): readonly [least: number, most: number] {
  const least = LEAST[column];
  return [least, Math.max(least, Math.round(window - LEAST.board - other))];
}

export const within = (width: number, [least, most]: readonly [number, number]): number =>
  Math.round(Math.min(Math.max(width, least), most));
