/** Shapes of the graph: arithmetic without signals. */

/** A place on the graph. */
interface Place {
  readonly ply: number;
  readonly share: number | null;
}

export interface Drawing {
  readonly width: number;
  readonly height: number;
  /** Width of a half-move. */
  readonly step: number;
  readonly x: (ply: number) => number;
  readonly y: (share: number) => number;
}

const round = (value: number): string => value.toFixed(1);

export interface Surfaces {
  white: string;
  black: string;
  curve: string;
}

/** White's surface below the curve and Black's above it. Moves without evaluation are bridged, but not those at the ends. */
export function surfacesOf(points: readonly Place[], { x, y, height }: Drawing): Surfaces {
  const known = points.filter(({ share }) => share !== null);
  const [first, last] = [known[0], known.at(-1)];
  if (!first || !last) {
    return { white: "", black: "", curve: "" };
  }
  // The start position is even, and a mate ends the game: one move at either end needs no evaluation.
  const left = first.ply <= 1 ? 0 : x(first.ply);
  const right = last.ply >= points.length - 2 ? x(points.length - 1) : x(last.ply);
  const line = known.map(({ ply, share }) => `${round(x(ply))} ${round(y(share!))}`).join(" L");
  const curve = `M${round(left)} ${round(y(first.share!))} L${line} L${round(right)} ${round(y(last.share!))}`;
  const closed = (edge: number): string => `${curve} L${round(right)} ${edge} L${round(left)} ${edge}Z`;
  return { white: closed(height), black: closed(0), curve };
}

export interface Band {
  readonly phase: string;
  /** The half-move that it begins with. */
  readonly from: number;
}

/** The phases of a game; a move whose phase is not known belongs to that before it. */
export function bandsOf(points: readonly { ply: number }[], phaseOf: (ply: number) => string | undefined): Band[] {
  const bands: Band[] = [];
  for (const { ply } of points) {
    const phase = phaseOf(ply);
    if (phase && phase !== bands.at(-1)?.phase) {
      bands.push({ phase, from: ply });
    }
  }
  return bands;
}

/** The point below the pointer. */
export function pointAt<T>(points: readonly T[], clientX: number, { left, width }: { left: number; width: number }): T {
  const place = Math.round(((clientX - left) / (width || 1)) * (points.length - 1));
  return points[Math.min(Math.max(place, 0), points.length - 1)]!;
}
