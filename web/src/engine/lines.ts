/** Lines of an engine: what they look like, and how they get into a game. */

import type { ApiNode, EngineEvaluation, EngineLine, Evaluation, PlayedMove } from "../api/types";
import { shareOf } from "../game/shares";
import { nodeOf, withMove, withRemarks, type Tree } from "../game/tree";

/** 1234567 is “1.2 M”. */
export function short(number: number): string {
  const [value, unit] = number >= 1e9 ? [number / 1e9, " G"] : number >= 1e6 ? [number / 1e6, " M"] : [number / 1e3, " k"];
  return `${value < 10 ? value.toFixed(1) : Math.round(value)}${unit}`;
}

/** “0:07”, “2:05”. */
export const duration = (seconds: number): string => `${Math.floor(seconds / 60)}:${String(Math.floor(seconds) % 60).padStart(2, "0")}`;

export function evaluationFrom({ centipawns, mate }: EngineEvaluation, depth?: number): Evaluation {
  return { ...(mate === null ? { pawns: (centipawns ?? 0) / 100 } : { mate }), ...(depth !== undefined && { depth }) };
}

/** “12.Nf3”, “12…Nf6” at the beginning of a line, “Nf6” within it. */
export function numbered(fen: string, san: readonly string[]): string[] {
  const [, turn = "w", , , , number = "1"] = fen.split(" ");
  const first = 2 * (Number(number) || 1) + (turn === "b" ? 1 : 0);
  return san.map((move, index) => {
    const half = first + index;
    return half % 2 === 0 ? `${half >> 1}.${move}` : index === 0 ? `${half >> 1}…${move}` : move;
  });
}

/** The lines after fresh ones came: a fail high or low replaces nothing, nor does a shallower search of the same position. */
export function merged(known: readonly EngineLine[], fresh: readonly EngineLine[], searchedBefore: number): EngineLine[] {
  const lines = [...known];
  for (const line of fresh) {
    const before = lines[line.rank - 1];
    if (line.moves.length && !(before && line.bound) && line.depth >= searchedBefore) {
      lines[line.rank - 1] = line;
    }
  }
  return lines;
}

export interface BestMove {
  from: string;
  to: string;
  /** From 1, the best move, to 0. */
  strength: number;
}

/** Points of White's share that a move may cost and still be drawn. */
const CLOSE = 0.2;

/** The first moves of the lines: the thinner the more they cost; bad ones are left out. */
export function bestMoves(lines: readonly (EngineLine | undefined)[]): BestMove[] {
  const best = lines[0];
  if (!best) {
    return [];
  }
  const share = (line: EngineLine): number => shareOf(evaluationFrom(line.evaluation));
  return lines.flatMap((line) => {
    const [move] = line?.moves ?? [];
    const cost = line ? Math.abs(share(best) - share(line)) : 1;
    return move && cost <= CLOSE ? [{ from: move.slice(0, 2), to: move.slice(2, 4), strength: line === best ? 1 : 0.75 * (1 - cost / CLOSE) }] : [];
  });
}

/** Moves as nodes behind one that has this many plies. */
export function nodesOf(played: readonly PlayedMove[], ply: number): Omit<ApiNode, "parent">[] {
  return played.map(({ number, color, san, uci, fen, check }, index) => {
    return { ply: ply + index + 1, number, color, san, uci, fen, check };
  });
}

/** A tree with a line behind a node, along the moves that are there already; and the end of the line. */
export function withLine(tree: Tree, after: number, moves: readonly Omit<ApiNode, "parent">[]): [Tree, number] {
  let [grown, last] = [tree, after];
  for (const move of moves) {
    const known = nodeOf(grown, last).children.find((child) => nodeOf(grown, child).uci === move.uci);
    [grown, last] = known === undefined ? withMove(grown, last, move) : [grown, known];
  }
  return [grown, last];
}

/** The same with the evaluation of the line at its first move, unless that has one. */
export function withEvaluatedLine(tree: Tree, after: number, moves: readonly Omit<ApiNode, "parent">[], evaluation: Evaluation): Tree {
  const [grown] = withLine(tree, after, moves);
  const first = nodeOf(grown, after).children.find((child) => nodeOf(grown, child).uci === moves[0]?.uci);
  return first === undefined || nodeOf(grown, first).eval ? grown : withRemarks(grown, first, { eval: evaluation });
}
