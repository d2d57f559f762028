/** Evaluations, from White's point of view. */

import { computed } from "@preact/signals";
import type { Evaluation } from "../api/types";
import { at, game, node } from "../state";
import { arriving } from "../engine/gameAnalysis";
import { evaluationText, shareOf } from "./shares";
import { lineTo, mainLine, nodeOf, type MoveNode } from "./tree";

export { evaluationText, shareOf } from "./shares";

/** The evaluation of a move: its own, else the one of the game's profile if the move is on the main line. */
function evaluationOf(move: MoveNode, profile: readonly (Evaluation | null)[], onMainLine: boolean): Evaluation | null {
  return move.eval ?? (onMainLine ? (profile[move.ply ?? 0] ?? null) : null);
}

const mainIds = computed(() => new Set(mainLine(game.value.tree).map(({ id }) => id)));

/** The evaluation of the position on the board; null if there is none for this move or the one before it. */
export const evaluation = computed<Evaluation | null>(() => {
  const profile = game.value.evaluations ?? [];
  const shown = [node.value, ...(node.value.parent === null ? [] : [nodeOf(game.value.tree, node.value.parent)])];
  for (const move of shown) {
    const found = evaluationOf(move, profile, mainIds.value.has(move.id));
    if (found) {
      return found;
    }
  }
  return null;
});

/** Whether the game has evaluations, so that there is a bar beside the board. */
export const hasEvaluations = computed(
  () => game.value.tree.nodes.some((move) => move?.eval) || (game.value.evaluations ?? []).some(Boolean),
);

export interface Point {
  id: number;
  ply: number;
  share: number | null;
  /** Seconds that the move took. */
  spent: number | null;
  isWhite: boolean;
  /** “12.Nf3 +0.35”. */
  text: string;
}

/** The line through the current move, with evaluations and the time that moves took. */
export const graph = computed<Point[]>(() => {
  const { tree, evaluations } = game.value;
  const main = mainIds.value;
  const line = main.has(at.value) ? mainLine(tree) : [...lineTo(tree, at.value), ...mainLine(tree, at.value).slice(1)];
  return line.map((move, index) => {
    const shown = arriving.value.get(move.id) ?? evaluationOf(move, evaluations ?? [], main.has(move.id));
    const number = move.san ? `${move.number ?? ""}${move.color === "black" ? "…" : "."}${move.san}` : "";
    return {
      id: move.id,
      ply: index,
      share: shown && (shown.mate === 0 ? Number(move.color === "white") : shareOf(shown)),
      spent: move.time_spent ?? spentByClock(line, index),
      isWhite: move.color === "white",
      text: [number, shown && evaluationText(shown)].filter(Boolean).join(" "),
    };
  });
});

/** Whether the graph is that of the main line. */
export const isMainLine = computed(() => mainIds.value.has(at.value));

/** What a move took by the clocks, where nobody wrote it down; increments are not counted in. */
function spentByClock(line: readonly MoveNode[], index: number): number | null {
  const [now, before] = [line[index]?.clock, line[index - 2]?.clock];
  return now != null && before != null ? Math.max(0, before - now) : null;
}

/** Evaluations of the moves of the main line and the seconds that they took, by move. */
export const facts = computed<ReadonlyMap<number, { evaluation: Evaluation | null; spent: number | null }>>(() => {
  const { tree, evaluations } = game.value;
  const line = mainLine(tree);
  return new Map(
    line.map((move, index) => [
      move.id,
      { evaluation: evaluationOf(move, evaluations ?? [], true), spent: move.time_spent ?? spentByClock(line, index) },
    ]),
  );
});
