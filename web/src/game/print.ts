/** A game as it is printed: paragraphs of the main line, comments in full width, variations indented below their move.
 *
 * Short variations within variations stand in parentheses, as in books; long ones get a paragraph of their own. Of a
 * folded variation only the first move is printed. Nothing here recurses, since variations may be nested as deep as a
 * file likes.
 */

import type { Comment } from "../api/types";
import { nodeOf, type MoveNode, type Tree } from "./tree";

export type Piece =
  | { type: "move"; node: MoveNode; number: string }
  | { type: "comment"; node: MoveNode; text: string }
  | { type: "open" }
  | { type: "close" }
  /** The moves of a folded variation that are not printed. */
  | { type: "folded"; node: MoveNode; moves: number };

export interface Block {
  /** `moves` of a line, a `row` of the table, a `comment` on the main line, or other `things` that hang on a move. */
  kind: "moves" | "row" | "comment" | "things";
  /** 0 is the main line. */
  depth: number;
  pieces: Piece[];
  node: MoveNode;
  /** The first move of the variation that begins with this paragraph. */
  start: number | null;
}

type Work =
  | { do: "go on"; id: number; depth: number }
  | { do: "begin"; id: number; depth: number }
  | { do: "end"; inline: boolean }
  | { do: "late"; id: number; depth: number };

const INLINE_MOVES = 10;
const INLINE_LETTERS = 160;
const DEEPEST_PARAGRAPH = 6;

/** Whether a variation within a variation is short enough to stand in parentheses. */
function isShort(tree: Tree, id: number): boolean {
  let letters = 0;
  for (let moves = 0, node = nodeOf(tree, id); ; node = nodeOf(tree, node.children[0]!)) {
    letters += (node.comments ?? []).reduce((sum, { text }) => sum + text.length, 0);
    if (node.children.length > 1 || ++moves > INLINE_MOVES || letters > INLINE_LETTERS || hasThings(node)) {
      return false;
    }
    if (!node.children.length) {
      return true;
    }
  }
}

/** Whether there is more about a move than symbols and comments. */
export function hasThings(node: MoveNode): boolean {
  return [node.training, node.links, node.media, node.quotes, node.others].some((list) => list?.length) || !!node.unreadable;
}

/** The number before a move: “12.” for White, “12…” for Black where a line begins or goes on behind something else. */
export function moveNumber(node: MoveNode, fresh: boolean): string {
  if (node.number === undefined) {
    return "";
  }
  return node.color === "black" ? (fresh ? `${node.number}…` : "") : `${node.number}.`;
}

/** How many moves a variation has behind its first one, variations included. */
function movesBehind(tree: Tree, id: number): number {
  let moves = -1;
  const waiting = [id];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    moves++;
    waiting.push(...nodeOf(tree, next).children);
  }
  return moves;
}

const NONE: ReadonlySet<number> = new Set();

/** Print a game with the comments that are shown; `folded` are the first moves of folded variations. */
export function print(
  tree: Tree,
  shows: (comment: Comment) => boolean = () => true,
  folded: ReadonlySet<number> = NONE,
): Block[] {
  const blocks: Block[] = [];
  let open: Block | null = null;
  let start: number | null = null;
  let fresh = true;
  let parentheses = 0;

  const piecesAt = (depth: number, node: MoveNode): Piece[] => {
    if (!open || (open.depth !== depth && !parentheses)) {
      open = { kind: "moves", depth, pieces: [], node, start };
      start = null;
      blocks.push(open);
      fresh = true;
    }
    return open.pieces;
  };
  const close = (): void => {
    open = null;
    fresh = true;
  };
  const say = (node: MoveNode, side: Comment["side"], depth: number): void => {
    for (const comment of node.comments ?? []) {
      if (comment.side !== side || !shows(comment) || !comment.text.trim()) {
        continue;
      }
      const piece: Piece = { type: "comment", node, text: comment.text };
      if (depth === 0) {
        close();
        blocks.push({ kind: "comment", depth, pieces: [piece], node, start: null });
      } else {
        piecesAt(depth, node).push(piece);
      }
      fresh = true;
    }
  };
  const tell = (node: MoveNode, depth: number): void => {
    say(node, "before", depth);
    const pieces = piecesAt(depth, node);
    pieces.push({ type: "move", node, number: moveNumber(node, fresh) });
    fresh = false;
    say(node, "after", depth);
    if (hasThings(node) && !parentheses) {
      close();
      blocks.push({ kind: "things", depth, pieces: [], node, start: null });
    }
  };

  const root = nodeOf(tree, 0);
  for (const side of ["before", "after", "late"] as const) {
    say(root, side, 0);
  }
  if (hasThings(root)) {
    blocks.push({ kind: "things", depth: 0, pieces: [], node: root, start: null });
  }
  const stack: Work[] = [{ do: "go on", id: 0, depth: 0 }];
  for (let work = stack.pop(); work; work = stack.pop()) {
    if (work.do === "end") {
      if (work.inline) {
        parentheses--;
        open!.pieces.push({ type: "close" });
        fresh = true;
      } else {
        close();
      }
      continue;
    }
    const node = nodeOf(tree, work.id);
    let { depth } = work;
    if (work.do === "late") {
      say(node, "late", depth);
      continue;
    }
    if (work.do === "begin") {
      const line: Block | null = open;
      const inline = parentheses > 0 || depth >= DEEPEST_PARAGRAPH || (depth > 0 && isShort(tree, node.id));
      if (line && inline) {
        (line as Block).pieces.push({ type: "open" });
        parentheses++;
        fresh = true;
      } else {
        close();
        depth = Math.min(depth + 1, DEEPEST_PARAGRAPH);
        start = node.id;
      }
      stack.push({ do: "end", inline: line !== null && inline });
      const moves = folded.has(node.id) ? movesBehind(tree, node.id) : 0;
      if (moves) {
        piecesAt(depth, node).push({ type: "move", node, number: moveNumber(node, fresh) }, { type: "folded", node, moves });
        continue;
      }
      stack.push({ do: "late", id: node.id, depth });
      tell(node, depth);
    }
    const [main, ...others] = node.children;
    if (main === undefined) {
      continue;
    }
    const next = nodeOf(tree, main);
    tell(next, depth);
    stack.push({ do: "go on", id: main, depth }, { do: "late", id: main, depth });
    stack.push(...others.reverse().map((id) => ({ do: "begin" as const, id, depth })));
  }
  return blocks;
}
