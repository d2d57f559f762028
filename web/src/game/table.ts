/** The moves of the main line as a table, White on the left and Black on the right; all else is as in the book. */

import type { Block } from "./print";

/** Print's blocks with the paragraphs of the main line as rows; what is printed between two moves ends a row. */
export function table(blocks: readonly Block[]): Block[] {
  const rows: Block[] = [];
  for (const block of blocks) {
    if (block.kind !== "moves" || block.depth > 0) {
      rows.push(block);
      continue;
    }
    for (const piece of block.pieces) {
      if (piece.type !== "move") {
        continue; // on the main line, comments and variations have blocks of their own
      }
      const before = rows.at(-1);
      if (piece.node.color === "black" && before?.kind === "row" && before.pieces.length === 1 && isWhite(before)) {
        before.pieces.push(piece);
      } else {
        rows.push({ kind: "row", depth: 0, pieces: [piece], node: piece.node, start: null });
      }
    }
  }
  return rows;
}

const isWhite = ({ node }: Block): boolean => node.color !== "black";

const keyOf = ({ kind, node, depth, pieces }: Block): string => `${kind} ${node.id} ${depth} ${pieces[0]?.type ?? ""}`;

function isSame(one: Block, other: Block): boolean {
  return (
    one.node === other.node &&
    one.start === other.start &&
    one.pieces.length === other.pieces.length &&
    one.pieces.every((piece, index) => {
      const twin = other.pieces[index]!;
      return (Object.keys(piece) as (keyof typeof piece)[]).every((name) => piece[name] === twin[name]);
    })
  );
}

/** A block, and a name that it keeps while the game is changed elsewhere. */
export interface Keyed {
  key: string;
  block: Block;
}

/** The blocks under their keys; what is as it was before stays the same object, so that it is not drawn again. */
export function settled(blocks: readonly Block[], before: ReadonlyMap<string, Keyed>): Map<string, Keyed> {
  const now = new Map<string, Keyed>();
  for (const block of blocks) {
    let key = keyOf(block);
    for (let twin = 2; now.has(key); twin++) {
      key = `${keyOf(block)} ${twin}`;
    }
    const old = before.get(key);
    now.set(key, old && isSame(old.block, block) ? old : { key, block });
  }
  return now;
}
