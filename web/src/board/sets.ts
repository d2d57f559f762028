/** The sets of pieces, all drawn for tabiya: one path for the outline of a piece, one for the lines inside it. */

import { PIECE_SETS, type PieceSet } from "../state/settings";
import classic from "./pieces.svg?raw";

export { PIECE_SETS, type PieceSet };

/** What the sprite of a set has: `wk` to `bp`. */
export const PIECES: readonly string[] = ["w", "b"].flatMap((side) => Array.from("kqrbnp", (piece) => side + piece));

interface Look {
  /** Colours of the left and of the right half; the same colour twice is flat. */
  fill: readonly [string, string];
  stroke: string;
  detail: string;
}

interface Drawings {
  width: number;
  detailWidth: number;
  white: Look;
  black: Look;
  /** By letter: the outline, and the lines inside it. */
  pieces: Readonly<Record<string, readonly [outline: string, details: string]>>;
}

const circle = (x: number, y: number, r: number): string => `M${x - r} ${y}a${r} ${r} 0 1 1 ${2 * r} 0a${r} ${r} 0 1 1 ${-2 * r} 0z`;
/** A bar with round ends, from its left to its right edge. */
const bar = (left: number, right: number, top: number, height: number): string => {
  const r = height / 2;
  return `M${left + r} ${top}h${right - left - height}a${r} ${r} 0 0 1 0 ${height}h${left - right + height}a${r} ${r} 0 0 1 0 ${-height}z`;
};

/** Round and plain, lit from the left. */
const MODERN: Drawings = {
  width: 1.2,
  detailWidth: 1.5,
  white: { fill: ["#ffffff", "#e9e5dd"], stroke: "#43474e", detail: "#43474e" },
  black: { fill: ["#525963", "#3d434b"], stroke: "#17191d", detail: "#e6e8ea" },
  pieces: {
    p: [`M17.2 18h5.6c.4 5.4 2 9.3 5.2 12.5h-16c3.2-3.2 4.8-7.1 5.2-12.5z${circle(20, 12.2, 5.4)}${bar(14.6, 25.4, 17.2, 3)}${bar(10.5, 29.5, 30.5, 5)}`, ""],
    r: [`M14 17h12l1.6 13.5h-15.2zM10.4 7.3h4.4v3h3v-3h4.4v3h3v-3h4.4v7.2l-3 3h-13.2l-3-3z${bar(8.5, 31.5, 30.5, 5)}`, ""],
    n: [`M20.6 7.4c7 1.3 10.4 8 10.4 23.1h-18.4c0-5.4 2.4-8.3 6.7-11.5-2.8.5-5 1.2-6.7 2.5l-1.7 2.6c-.6.8-1.6 1-2.4.5l-1.9-1.2c-.8-.5-1-1.4-.6-2.2l3.8-8.2c1-2 2.8-3.6 5-4.4l.5-3.6c.1-.8 1.1-1.1 1.6-.5z${bar(8.5, 31.5, 30.5, 5)}`, "M15.9 13.7v.2"],
    b: [`M17 27h6l2.4 3.5h-10.8zM20 8.6c5 3.4 7.6 7 7.6 10.7 0 2.7-1.2 4.7-3.4 6.2h-8.4c-2.2-1.5-3.4-3.5-3.4-6.2 0-3.7 2.6-7.3 7.6-10.7z${circle(20, 6.6, 2.3)}${bar(14, 26, 25, 3)}${bar(8.5, 31.5, 30.5, 5)}`, "M22.6 13.4l-3.4 5.2"],
    q: [`M7.6 13l5 13h14.8l5-13-6.9 5.8-1.3-9-4.2 8.4-4.2-8.4-1.3 9z${circle(7.4, 11.6, 2)}${circle(15.5, 8.2, 2)}${circle(24.5, 8.2, 2)}${circle(32.6, 11.6, 2)}M14.5 28h11l1.8 2.5h-14.6z${bar(11, 29, 25.5, 3)}${bar(8.5, 31.5, 30.5, 5)}`, ""],
    k: [`M18.6 3.8h2.8v2.6h2.6v2.8h-2.6v4h-2.8v-4h-2.6v-2.8h2.6zM20 13.8c1.9-2 4-2.8 6.3-2.8 3.8 0 6.3 2.6 6.3 6 0 3.4-2.7 5.6-4 9h-17.2c-1.3-3.4-4-5.6-4-9 0-3.4 2.5-6 6.3-6 2.3 0 4.4.8 6.3 2.8zM14.5 28h11l1.8 2.5h-14.6z${bar(11, 29, 25.5, 3)}${bar(8.5, 31.5, 30.5, 5)}`, ""],
  },
};

/** As diagrams in books: lines, and black pieces are black. */
const BOOK: Drawings = {
  width: 1.3,
  detailWidth: 1.1,
  white: { fill: ["#ffffff", "#ffffff"], stroke: "#000000", detail: "#000000" },
  black: { fill: ["#111111", "#111111"], stroke: "#000000", detail: "#ffffff" },
  pieces: {
    p: [`${circle(20, 11.7, 4.6)}M14.3 18.4c1.8-1.9 9.6-1.9 11.4 0l-2.3 2.5c.4 3.9 2 6.6 5.2 8.8l.9 4.8h-19l.9-4.8c3.2-2.2 4.8-4.9 5.2-8.8z`, "M16.6 20.9h6.8M11.4 29.7h17.2"],
    r: ["M10.5 7.5h4.3v2.7h3v-2.7h4.4v2.7h3v-2.7h4.3v6.5l-3.2 2.8v9.4l3 3.8v4.5h-18.6v-4.5l3-3.8v-9.4l-3.2-2.8z", "M10.5 14h19M13.7 16.8h12.6M13.7 26.2h12.6M10.7 30h18.6"],
    n: ["M18.3 5.8l1 3.4c8.6.9 12.7 8.6 12.2 25.3h-19c-.4-5.6 2.9-8.5 6.9-12.1-3.5.9-5.9 1.5-7.5 3.6-.8 1.1-2 1.6-3.2.9-1.8-1-2.7-1.8-2.9-3.2-.2-1 .3-1.9.9-2.7 1.8-2.4 2.4-5.5 3.9-8.1 1.2-2 3.2-3.2 5.1-3.8z", "M15.2 14.8l2-1.2M9.6 22.3l.9-.6M22.6 12.3c4.7 3 6.4 9.3 5.9 18.9M19.2 15.8l1.2 4.6M12.5 31.2h19"],
    b: [`${circle(20, 6, 2)}M20 8.2c4.7 3 7.2 6.6 7.2 10.4 0 2.8-1.4 5-3.7 6.6h-7c-2.3-1.6-3.7-3.8-3.7-6.6 0-3.8 2.5-7.4 7.2-10.4zM16.5 25.2h7l1.7 4.6h-10.4zM20 29.8c-2 1.5-4.4 1.8-7 1.8s-4.7.2-6.2 1.9l1.4 2c2-1.2 4-.9 6-.9 2.5 0 4.6-.6 5.8-2.2 1.2 1.6 3.3 2.2 5.8 2.2 2 0 4-.3 6 .9l1.4-2c-1.5-1.7-3.6-1.9-6.2-1.9s-5-.3-7-1.8z`, "M20 13v8M16.6 16.6h6.8M15.9 27h8.2"],
    q: [`M10.2 27.5l-3.8-14.7 6.7 7.8.3-12 4.6 11 2-12.6 2 12.6 4.6-11 .3 12 6.7-7.8-3.8 14.7.6 7h-20.8z${circle(6.2, 11.2, 1.7)}${circle(13.3, 7, 1.7)}${circle(20, 5.3, 1.7)}${circle(26.7, 7, 1.7)}${circle(33.8, 11.2, 1.7)}`, "M10.2 27.5c6-2.1 13.6-2.1 19.6 0M9.8 31c6.3-1.6 14.1-1.6 20.4 0"],
    k: ["M19.2 3.6h1.6v2.4h2.5v1.6h-2.5v4h-1.6v-4h-2.5v-1.6h2.5zM20 11.4c8.1 0 13.6 3.5 13.6 8.7 0 3-1.6 5.3-3.4 7.5l.2 6.9h-20.8l.2-6.9c-1.8-2.2-3.4-4.5-3.4-7.5 0-5.2 5.5-8.7 13.6-8.7z", "M20 11.6v14.5M19.6 11.8c-5 2.6-6.7 8-6 14.7M20.4 11.8c5 2.6 6.7 8 6 14.7M9.8 27.6c6.1-1.9 14.3-1.9 20.4 0M9.7 31c6.3-1.6 14.3-1.6 20.6 0"],
  },
};

const DRAWN: Readonly<Record<Exclude<PieceSet, "classic">, Drawings>> = { modern: MODERN, book: BOOK };

function drawingOf(set: string, { width, detailWidth, ...looks }: Drawings, name: string): string {
  const [side, piece] = name;
  const { fill, stroke, detail } = side === "w" ? looks.white : looks.black;
  const [outline, details] = looks.pieces[piece!]!;
  const paint = fill[0] === fill[1] ? fill[0] : `url(#${set}-${side}-light)`;
  const lines = details && `<path d="${details}" fill="none" stroke="${detail}" stroke-width="${detailWidth}"/>`;
  return `<path d="${outline}" fill="${paint}" stroke="${stroke}" stroke-width="${width}"/>${lines}`;
}

/** A set as a sprite, `wk` to `bp`, each on a square of 40 x 40. */
export function spriteOf(set: PieceSet): string {
  if (set === "classic") {
    return classic;
  }
  const drawings = DRAWN[set];
  const halves = (["w", "b"] as const).map((side) => {
    const [left, right] = (side === "w" ? drawings.white : drawings.black).fill;
    const stops = `<stop offset=".5" stop-color="${left}"/><stop offset=".5" stop-color="${right}"/>`;
    return `<linearGradient id="${set}-${side}-light" gradientUnits="userSpaceOnUse" x1="0" x2="40" y1="0" y2="0">${stops}</linearGradient>`;
  });
  const pen = 'stroke-linejoin="round" stroke-linecap="round"';
  const pieces = PIECES.map((name) => `<g id="${name}" ${pen}>${drawingOf(set, drawings, name)}</g>`);
  return `<svg xmlns="http://www.w3.org/2000/svg"><defs>${halves.join("")}${pieces.join("")}</defs></svg>`;
}
