/** What the analysis of a game has found, put into the game as it is now: it may have been edited meanwhile. */

import type { ApiNode } from "../api/types";
import { lineTo, mainLine, nodeOf, treeFrom, without, withRemarks, type MoveNode, type Tree } from "../game/tree";
import { withEvaluatedLine } from "./lines";

/** A line that is better than a move of the game. */
export interface BetterLine {
  /** The move that it improves, by its half-move. */
  readonly ply: number;
  /** The moves that lead to the position before it. */
  readonly before: readonly string[];
  readonly moves: readonly ApiNode[];
}

/** The nodes of a tree along moves, as far as it has them. */
export function nodesAlong(tree: Tree, moves: readonly string[]): MoveNode[] {
  const found = [nodeOf(tree, 0)];
  for (const move of moves) {
    const next = found.at(-1)!.children.map((child) => nodeOf(tree, child)).find(({ uci }) => uci === move);
    if (!next) {
      break;
    }
    found.push(next);
  }
  return found;
}

export const movesOf = (line: readonly MoveNode[]): string[] => line.flatMap(({ uci, parent }) => (parent === null ? [] : (uci ?? "")));

const same = (one: unknown, other: unknown): boolean => JSON.stringify(one ?? []) === JSON.stringify(other ?? []);

/** A tree without the moves that cannot be played, and without what follows them. */
export function playable(tree: Tree): Tree {
  const broken = tree.nodes.filter((node) => node && node.parent !== null && !node.fen);
  return broken.reduce((kept, node) => (kept.nodes[node!.id] ? without(kept, node!.id) : kept), tree);
}

/** Put evaluations and symbols at the moves of the analysed main line, where the user has not changed them since.
 *
 * @param sent the game as it was sent to the server
 * @param found the nodes of the answer
 */
export function withFindings(tree: Tree, sent: Tree, found: readonly ApiNode[]): Tree {
  const answer = mainLine(treeFrom(found));
  const before = mainLine(sent);
  let changed = tree;
  nodesAlong(tree, movesOf(answer)).forEach((node, index) => {
    const [old, fresh] = [before[index]!, answer[index]!];
    const evaluation = same(node.eval, old.eval) && !same(node.eval, fresh.eval) ? { eval: fresh.eval } : {};
    const symbols = same(node.nags, old.nags) && !same(node.nags, fresh.nags) ? { nags: fresh.nags ?? [] } : {};
    if ("eval" in evaluation || "nags" in symbols) {
      changed = withRemarks(changed, node.id, { ...evaluation, ...symbols });
    }
  });
  return changed;
}

/** The lines that the server has added to the game. */
export function betterLines(sent: Tree, found: readonly ApiNode[]): BetterLine[] {
  const answer = treeFrom(found);
  const known = mainLine(sent).map((node) => new Set(node.children.map((child) => nodeOf(sent, child).uci)));
  return mainLine(answer).flatMap((node, ply) =>
    node.children
      .filter((child) => !known[ply]?.has(nodeOf(answer, child).uci))
      .map((child) => {
        const moves = mainLine(answer, child).map(({ id: _, children: __, ...move }) => ({ ...move, parent: null }) as ApiNode);
        return { ply: ply + 1, before: movesOf(lineTo(answer, node.id)), moves };
      }),
  );
}

/** The place where a better line belongs; null if the game does not go there any more. */
export function placeOf(tree: Tree, { before }: BetterLine): number | null {
  const line = nodesAlong(tree, before);
  return line.length === before.length + 1 ? line.at(-1)!.id : null;
}

/** Whether a game has a better line already. */
export function hasLine(tree: Tree, line: BetterLine): boolean {
  const place = placeOf(tree, line);
  return place !== null && nodeOf(tree, place).children.some((child) => nodeOf(tree, child).uci === line.moves[0]?.uci);
}

/** Add better lines as variations, each with its evaluation at its first move. */
export function withBetterLines(tree: Tree, lines: readonly BetterLine[]): Tree {
  return lines.reduce((grown, line) => {
    const place = placeOf(grown, line);
    const [first] = line.moves;
    return place === null || !first ? grown : withEvaluatedLine(grown, place, line.moves, first.eval ?? {});
  }, tree);
}
