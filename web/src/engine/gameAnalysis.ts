/** “Analyse this game”: the server works in the background, one may look at other games meanwhile. */

import { batch, computed, effect, signal } from "@preact/signals";
import { api, ApiError, sentenceOf } from "../api/client";
import { said } from "../api/sentences";
import type { Evaluation, GameAnalysis } from "../api/types";
import { mainLine, nodeOf, nodesToSend, type Tree } from "../game/tree";
import { plainName } from "../shell/text";
import { analysisDepth, changeTree, editable, game, notify, report as notifyError, type OpenGame } from "../state";
import { t } from "../translation";
import { engine, known, loadEngines, viewer } from "./engines";
import { evaluationFrom } from "./lines";
import { betterLines, hasLine, movesOf, nodesAlong, playable, withBetterLines, withFindings, type BetterLine } from "./findings";
import { on, suspended } from "./live";

const WAIT_MS = 5_000;
const BETWEEN_MS = 150;
const BUSY_TRIES = 20;
const BUSY_MS = 300;
const MOST_WAITING = 8;

/** The game that was sent: its identity, and what was in it. */
interface Target {
  saved: OpenGame["saved"];
  readonly source: string | undefined;
  readonly number: number | undefined;
  readonly title: string;
  readonly tree: Tree;
}

interface Running {
  readonly target: Target;
  readonly answer: GameAnalysis | null;
}

interface Found {
  readonly target: Target;
  readonly lines: readonly BetterLine[];
}

/** The analysis in progress. */
export const running = signal<Running | null>(null);
const failed = signal<{ target: Target; sentence: string } | null>(null);
/** Better lines of analysed games. */
const found = signal<readonly Found[]>([]);
/** Results for games that are not open now. */
let waiting: { target: Target; answer: GameAnalysis }[] = [];

const isOf = ({ saved, source, number }: Target, open: OpenGame): boolean =>
  open.saved === saved || (source !== undefined && open.source === source && open.number === number);

/** Whether the analysis in progress is that of the open game. */
export const isRunningHere = computed(() => running.value !== null && isOf(running.value.target, game.value));
/** Why the last analysis of the open game has failed. */
export const problem = computed(() => (failed.value && isOf(failed.value.target, game.value) ? failed.value.sentence : null));
/** From 0 to 1. */
export const progress = computed(() => {
  const { settled = 0, positions = 0 } = running.value?.answer ?? {};
  return positions ? settled / positions : 0;
});
/** Better lines of the open game that are not in it yet. */
export const offered = computed(() => {
  const lines = found.value.find(({ target }) => isOf(target, game.value))?.lines ?? [];
  return lines.filter((line) => !hasLine(game.value.tree, line));
});
/** All that were found for the open game. */
export const better = computed(() => found.value.find(({ target }) => isOf(target, game.value))?.lines ?? []);

/** Evaluations that have been found so far, by the place of their move in the open game. */
export const arriving = computed<ReadonlyMap<number, Evaluation>>(() => {
  if (!running.value?.answer || !isRunningHere.value) {
    return new Map();
  }
  const { target, answer } = running.value;
  const nodes = nodesAlong(game.value.tree, movesOf(mainLine(target.tree)));
  return new Map(nodes.flatMap(({ id }, ply) => (answer.evaluations[ply] ? [[id, evaluationFrom(answer.evaluations[ply])]] : [])));
});

/** Whether a move of the main line has no evaluation, so that there is something to analyse; checkmate needs none. */
export const isIncomplete = computed(() => {
  const { tree, evaluations } = game.value;
  return mainLine(tree).slice(1).some(({ eval: own, san }, index) => !own && !evaluations?.[index + 1] && !san?.endsWith("#"));
});
export const canAnalyse = computed(() => {
  const { tree } = game.value;
  const first = nodeOf(tree, 0).children[0];
  return editable.value && first !== undefined && Boolean(nodeOf(tree, first).fen);
});

let stop = new AbortController();

export async function analyseGame(): Promise<void> {
  const shown = game.peek();
  await loadEngines();
  const chosen = engine.peek();
  if (!chosen || running.peek() || game.peek() !== shown) {
    return;
  }
  const { tags, start, chess960, source, number, saved, title } = shown;
  const tree = playable(shown.tree);
  const target: Target = { saved, source, number, title: plainName(title ?? ""), tree };
  const { signal } = (stop = new AbortController());
  batch(() => {
    running.value = { target, answer: null };
    failed.value = null;
    suspended.value = on.peek() && known.peek()?.most_processes === 1;
  });
  try {
    const values = { tags, start: start ?? null, chess960: chess960 ?? false, nodes: nodesToSend(tree) };
    const body = { game: values, viewer, depth: analysisDepth.peek(), again: !isIncomplete.peek() };
    const begun = await patiently(() => api.post<GameAnalysis>(`/api/engines/${chosen.id}/games`, body), signal);
    const answer = await followed(target, begun, signal);
    if (!signal.aborted) {
      finish(target, answer);
    }
  } catch (error) {
    if (!signal.aborted) {
      failed.value = { target, sentence: sentenceOf(error) };
      notifyError(error);
    }
  } finally {
    if (!signal.aborted) {
      batch(() => {
        running.value = null;
        suspended.value = false;
      });
    }
  }
}

/** Repeat while all processes are in use: one that was stopped a moment ago may need some time. */
async function patiently<T>(attempt: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await attempt();
    } catch (error) {
      if (signal.aborted || !(error instanceof ApiError) || error.status !== 503 || tries === BUSY_TRIES) {
        throw error;
      }
    }
    await new Promise((resolve) => setTimeout(resolve, BUSY_MS));
  }
}

/** Look at the progress until the end, or until it is cancelled; then the server needs it no longer. */
async function followed(target: Target, begun: GameAnalysis, signal: AbortSignal): Promise<GameAnalysis> {
  const place = `/api/analyses/${begun.analysis}`;
  let answer = begun;
  try {
    while (answer.state === "running" && !signal.aborted) {
      running.value = { target, answer };
      await new Promise((resolve) => setTimeout(resolve, BETWEEN_MS));
      answer = await api.get<GameAnalysis>(place, { parameters: { wait: WAIT_MS, settled: answer.settled }, signal });
    }
    return answer;
  } finally {
    void api.delete(place).catch(() => undefined);
  }
}

function finish(target: Target, answer: GameAnalysis): void {
  if (answer.state === "failed") {
    failed.value = { target, sentence: said(answer.sentence ?? "") };
    notify(failed.value.sentence, "error");
  } else if (answer.state === "done") {
    if (isOf(target, game.peek())) {
      apply(target, answer);
    } else {
      waiting = [...waiting.slice(1 - MOST_WAITING), { target, answer }];
      notify(t("The analysis of {game} is finished. Its results are added when you open the game again.", { game: target.title }));
    }
  }
}

/** Put the results into the open game, as one step for undo. Nothing is saved. */
function apply(target: Target, answer: GameAnalysis): void {
  const nodes = answer.game?.nodes ?? [];
  const lines = betterLines(target.tree, nodes);
  batch(() => {
    found.value = [...found.peek().filter((other) => !isOf(other.target, game.peek())), { target, lines }];
    changeTree(withFindings(game.peek().tree, target.tree, nodes));
  });
}

/** Cancel the analysis in progress. What was found is in the memory of the server: the next one goes on from there. */
export function cancelAnalysis(): void {
  stop.abort();
  batch(() => {
    running.value = null;
    suspended.value = false;
  });
}

/** Add better lines to the open game as variations. */
export function insertBetterLines(lines: readonly BetterLine[] = offered.peek()): void {
  if (editable.peek()) {
    changeTree(withBetterLines(game.peek().tree, lines));
  }
}

/** Follow which game is open, for as long as the page is. */
export function followGames(): () => void {
  let last = game.peek();
  const forget = effect(() => {
    const open = game.value;
    const targets = [running.peek()?.target, ...found.peek().map(({ target }) => target), ...waiting.map(({ target }) => target)];
    if (open.tree === last.tree && open.saved !== last.saved) {
      for (const target of targets) {
        if (target?.saved === last.saved) {
          target.saved = open.saved; // it was saved under another number
        }
      }
    }
    last = open;
    const results = waiting.filter(({ target }) => isOf(target, open));
    if (results.length) {
      waiting = waiting.filter((result) => !results.includes(result));
      queueMicrotask(() => results.forEach(({ target, answer }) => apply(target, answer)));
    }
  });
  const leave = (): void => {
    const { answer } = running.peek() ?? {};
    if (answer) {
      void fetch(`/api/analyses/${answer.analysis}`, { method: "DELETE", keepalive: true }).catch(() => undefined);
    }
  };
  addEventListener("pagehide", leave);
  return () => {
    forget();
    removeEventListener("pagehide", leave);
  };
}
