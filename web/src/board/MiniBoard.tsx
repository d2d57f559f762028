/** A position without anything to click: for texts, tool tips and lists, and as ground for other boards. */

import type { ComponentChildren, JSX } from "preact";
import { t } from "../translation";

export interface Placed {
  square: string;
  /** `wk` … `bp`, the names of the sprite. */
  piece: string;
}

/** The pieces of a FEN; anything that is no piece counts as empty. */
export function piecesOf(fen: string): Placed[] {
  const placed: Placed[] = [];
  (fen.split(" ")[0] ?? "").split("/").forEach((rank, row) => {
    let file = 0;
    for (const letter of rank) {
      if (/[1-8]/.test(letter)) {
        file += Number(letter);
      } else {
        if (/[pnbrqk]/i.test(letter) && file < 8 && row < 8) {
          const side = letter === letter.toUpperCase() ? "w" : "b";
          placed.push({ square: "abcdefgh"[file]! + (8 - row), piece: side + letter.toLowerCase() });
        }
        file++;
      }
    }
  });
  return placed;
}

/** The upper left corner of a square, in squares. */
export function cornerOf(square: string, flipped = false): [number, number] {
  const file = square.charCodeAt(0) - 97;
  const rank = Number(square[1]) - 1;
  return flipped ? [7 - file, rank] : [file, 7 - rank];
}

const SQUARES = Array.from({ length: 64 }, (_, index) => "abcdefgh"[index % 8]! + (Math.floor(index / 8) + 1));

const PIECE_NAMES: Readonly<Record<string, string>> = {
  wp: t("white pawn"), wn: t("white knight"), wb: t("white bishop"), wr: t("white rook"), wq: t("white queen"), wk: t("white king"),
  bp: t("black pawn"), bn: t("black knight"), bb: t("black bishop"), br: t("black rook"), bq: t("black queen"), bk: t("black king"),
};

/** “white king”, for people who hear the page. */
export const pieceName = (piece: string): string => PIECE_NAMES[piece] ?? piece;

/** “white king on e1”. */
export const spoken = ({ square, piece }: Placed): string => t("{piece} on {square}", { piece: pieceName(piece), square });

export interface MiniBoardProps {
  fen: string;
  flipped?: boolean;
  /** Width and height as CSS, for example `160px`; else as wide as there is room. */
  size?: string;
  /** Name for screen readers; else the pieces are named. */
  label?: string;
  /** Drawn over the pieces, on a ground of 8 x 8 units. */
  children?: ComponentChildren;
  class?: string;
}

export function MiniBoard({ fen, flipped = false, size, label, children, ...more }: MiniBoardProps): JSX.Element {
  const pieces = piecesOf(fen);
  return (
    <svg
      class={`mini-board ${more.class ?? ""}`}
      viewBox="0 0 8 8"
      role="img"
      aria-label={label ?? pieces.map(spoken).join(", ")}
      style={size ? { width: size, height: size } : undefined}
    >
      {SQUARES.map((square, index) => {
        const [x, y] = cornerOf(square, flipped);
        const dark = (index + (index >> 3)) % 2 === 0;
        return <rect key={square} data-square={square} class={dark ? "dark" : "light"} x={x} y={y} width={1} height={1} />;
      })}
      {pieces.map(({ square, piece }) => {
        const [x, y] = cornerOf(square, flipped);
        return <use key={square} href={`#${piece}`} transform={`translate(${x} ${y}) scale(0.025)`} class="piece" />;
      })}
      {children}
    </svg>
  );
}
