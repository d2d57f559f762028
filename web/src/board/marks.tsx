/** What is drawn on the board beside the pieces, on a ground of 8 x 8 units. */

import type { JSX } from "preact";
import type { Arrow, Marked } from "../api/types";
import { cornerOf } from "./MiniBoard";

const KNOWN_COLOURS = ["green", "red", "blue", "yellow"];

/** The class of a mark; files may hold colours that nobody knows. */
export const colourClass = (color: string): string => (KNOWN_COLOURS.includes(color) ? color : "other");

const isSquare = (text: string | null | undefined): text is string => /^[a-h][1-8]$/.test(text ?? "");

export interface GroundProps {
  flipped: boolean;
  moved: readonly string[];
  check: string | null;
  selected: string | null;
  targets: readonly { square: string; capture: boolean }[];
  squares: readonly Marked[];
  coordinates: boolean;
}

/** Under the pieces: the last move, marked squares, where the chosen piece can go, and the coordinates. */
export function Ground(props: GroundProps): JSX.Element {
  const { flipped } = props;
  const square = (name: string, look: string): JSX.Element | null => {
    if (!isSquare(name)) {
      return null;
    }
    const [x, y] = cornerOf(name, flipped);
    return <rect key={`${look}${name}`} class={look} x={x} y={y} width={1} height={1} />;
  };
  return (
    <svg viewBox="0 0 8 8" width="100%" height="100%" class="ground">
      {props.moved.map((name) => square(name, "moved"))}
      {props.squares.map(({ color, square: name }) => square(name, `marked ${colourClass(color)}`))}
      {props.check && square(props.check, "check")}
      {props.selected && square(props.selected, "selected")}
      {props.targets.map(({ square: name, capture }) => {
        const [x, y] = cornerOf(name, flipped);
        return <circle key={name} class={capture ? "target capture" : "target"} cx={x + 0.5} cy={y + 0.5} r={capture ? 0.44 : 0.15} />;
      })}
      {props.coordinates && <Coordinates flipped={flipped} />}
    </svg>
  );
}

function Coordinates({ flipped }: { flipped: boolean }): JSX.Element {
  return (
    <g class="coordinates">
      {[0, 1, 2, 3, 4, 5, 6, 7].map((index) => (
        <text key={`f${index}`} x={index + 0.96} y={7.95} class={index % 2 ? "on-light" : "on-dark"} text-anchor="end">
          {"abcdefgh"[flipped ? 7 - index : index]}
        </text>
      ))}
      {[0, 1, 2, 3, 4, 5, 6, 7].map((index) => (
        <text key={`r${index}`} x={0.04} y={index + 0.22} class={index % 2 ? "on-dark" : "on-light"}>
          {flipped ? index + 1 : 8 - index}
        </text>
      ))}
    </g>
  );
}

/** An arrow between the middles of two squares, as one outline: shaft and head. */
export function arrowOutline(from: string, to: string, flipped: boolean, width = 1): string {
  const [x1, y1] = cornerOf(from, flipped);
  const [x2, y2] = cornerOf(to, flipped);
  const length = Math.hypot(x2 - x1, y2 - y1) || 1;
  const [dx, dy] = [(x2 - x1) / length, (y2 - y1) / length];
  const at = (along: number, aside: number): string =>
    `${(x1 + 0.5 + along * dx - aside * dy).toFixed(3)},${(y1 + 0.5 + along * dy + aside * dx).toFixed(3)}`;
  const [tail, neck, tip] = [0.3, length - 0.4, length - 0.08];
  const [shaft, head] = [0.075 * width, 0.2 * Math.max(width, 0.6)];
  return [at(tail, shaft), at(neck, shaft), at(neck, head), at(tip, 0), at(neck, -head), at(neck, -shaft), at(tail, -shaft)].join(" ");
}

/** A move that an engine likes: drawn hollow, so that nobody takes it for an arrow of the game. */
export interface Hint {
  from: string;
  to: string;
  /** From 1, the best, to 0: as width. */
  strength: number;
}

interface ArrowsProps {
  arrows: readonly (Arrow & { drawing?: boolean })[];
  hints: readonly Hint[];
  flipped: boolean;
}

/** Over the pieces: hints below arrows; the one being drawn is fainter. */
export function Arrows({ arrows, hints, flipped }: ArrowsProps): JSX.Element {
  return (
    <svg viewBox="0 0 8 8" width="100%" height="100%" class="arrows">
      {hints
        .filter(({ from, to }) => isSquare(from) && isSquare(to) && from !== to)
        .map(({ from, to, strength }, rank) => (
          <polygon
            key={`hint${from}${to}`}
            class={rank === 0 ? "hint best" : "hint"}
            points={arrowOutline(from, to, flipped, 0.55 + strength)}
          />
        ))
        .reverse()}
      {arrows
        .filter(({ from, to }) => isSquare(from) && isSquare(to))
        .map(({ color, from, to, drawing }) => {
          const look = `arrow ${colourClass(color)} ${drawing ? "drawing" : ""}`;
          if (from === to) {
            const [x, y] = cornerOf(from, flipped);
            return <circle key={from} class={`ring ${look}`} cx={x + 0.5} cy={y + 0.5} r={0.45} />;
          }
          return <polygon key={from + to} class={look} points={arrowOutline(from, to, flipped)} />;
        })}
    </svg>
  );
}
