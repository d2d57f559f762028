/** The report of the open game: made by the server from the evaluations that the game has now. */

import { computed, effect, signal } from "@preact/signals";
import { api, isAbort } from "../api/client";
import type { GameReport } from "../api/types";
import { lineAlone, mainLine, nodesToSend } from "../game/tree";
import { game, type OpenGame } from "../state";

const SETTLING_MS = 250;

/** Null if the main line has no evaluated moves, or while the report is made. */
export const report = signal<GameReport | null>(null);
export const judgements = computed(() => new Map((report.value?.moves ?? []).map((move) => [move.ply + 1, move])));

/** What a report depends on: comments and variations do not matter. */
const basis = computed(() => {
  const { kind, truncated, tree, evaluations, tags, start, chess960 } = game.value;
  const line = mainLine(tree);
  if (kind !== "game" || truncated || !(line.some((node) => node.eval) || evaluations?.some(Boolean))) {
    return null;
  }
  return JSON.stringify([line.map(({ uci, eval: evaluation, clock }) => [uci, evaluation, clock]), evaluations, tags, start, chess960]);
});

/** Keep the report up to date for as long as the page is open. */
export function followEvaluations(): () => void {
  let shown: OpenGame["saved"] | null = null;
  return effect(() => {
    const wanted = basis.value;
    const { tree, tags, start, chess960, saved } = game.peek();
    if (wanted === null || saved !== shown) {
      report.value = null; // never that of another game
    }
    shown = saved;
    if (wanted === null) {
      return;
    }
    const controller = new AbortController();
    const broken = mainLine(tree).findIndex(({ fen }) => !fen); // a move that cannot be played, and what follows it
    const nodes = nodesToSend(lineAlone(tree, 0)).slice(0, broken < 0 ? undefined : broken);
    const timer = setTimeout(() => {
      const body = { game: { tags, start: start ?? null, chess960: chess960 ?? false, nodes } };
      api.post<GameReport | undefined>("/api/tree/report", body, { signal: controller.signal }).then(
        (answer) => (report.value = answer ?? null),
        (error: unknown) => {
          if (!isAbort(error)) {
            report.value = null; // the graph shows the evaluations all the same
          }
        },
      );
    }, SETTLING_MS);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  });
}
