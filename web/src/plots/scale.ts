/** Arithmetic of plots: round numbers for axes, and places on the screen. */

/** Steps that people count in: 1, 2 and 5 times a power of ten. */
export function roundStep(span: number, most: number): number {
  const least = span / Math.max(1, most);
  if (!(least > 0)) {
    return 1;
  }
  const power = 10 ** Math.floor(Math.log10(least));
  return [1, 2, 5, 10].map((factor) => factor * power).find((step) => step >= least * (1 - 1e-9))!;
}

/** Round numbers from the first at or above `low` to the last at or below `high`; at most about `most`. */
export function ticks(low: number, high: number, most: number, whole = true): number[] {
  const step = Math.max(roundStep(high - low, most), whole ? 1 : 0);
  const found = [];
  for (let tick = Math.ceil(low / step) * step; tick <= high + step * 1e-9; tick += step) {
    found.push(Number(tick.toPrecision(12)));
  }
  return found;
}

/** A date `2013-11`, `2013` or `2013-11-09` as a year with a fraction; months that are not known are the middle of the year. */
export function yearOf(date: string): number {
  const [year = 0, month, day = 15] = date.split("-").map(Number);
  return month ? year + (month - 1 + (day - 1) / 31) / 12 : year + 0.5;
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** The lines of a path through points; it is interrupted where two of them are more than `gap` apart. */
export function pathThrough(points: readonly Point[], gap: number, place: (point: Point) => readonly [number, number]): string {
  return points
    .map((point, index) => {
      const before = points[index - 1];
      const [x, y] = place(point);
      return `${before && point.x - before.x <= gap ? "L" : "M"}${x.toFixed(1)} ${y.toFixed(1)}`;
    })
    .join("");
}

/** The point whose x is nearest. */
export function nearest(points: readonly Point[], x: number): number {
  let found = -1;
  points.forEach((point, index) => {
    if (found < 0 || Math.abs(point.x - x) < Math.abs(points[found]!.x - x)) {
      found = index;
    }
  });
  return found;
}
