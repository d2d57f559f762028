/** Live analysis of the position on the board.
 *
 * One stream at a time. It ends with its position, with the switch, and when nobody has seen the page for a while; after
 * an error of the network it begins again by itself.
 */

import { batch, computed, effect, signal, untracked } from "@preact/signals";
import { api, ApiError, isAbort, sentenceOf } from "../api/client";
import { said } from "../api/sentences";
import type { AnalysisEvent, EngineLine, Evaluation } from "../api/types";
import { chess960, engineArrows, engineLines, fen, game, position } from "../state";
import { t } from "../translation";
import { engine, known, loadEngines, viewer } from "./engines";
import { readEvents } from "./events";
import { bestMoves, evaluationFrom, merged } from "./lines";

const UNSEEN_MS = 30_000;
const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 30_000;
const REMEMBERED = 200;

interface Result {
  readonly lines: readonly EngineLine[];
  /** Whether the engine has used all the time that the server allows. */
  readonly finished: boolean;
}

export interface Failure {
  readonly sentence: string;
  /** Seconds until the next try; null if only the user can try again. */
  readonly wait: number | null;
}

const NOTHING: Result = { lines: [], finished: false };

export const on = signal(false);
export const failure = signal<Failure | null>(null);
/** Whether an engine is at work on the position on the board. */
export const searching = signal(false);
/** Counts the wishes to search the same position again. */
const wishes = signal(0);
const seen = signal(true);
/** Another analysis needs the only process. */
export const suspended = signal(false);

/** Computed, so that editing a game does not begin the search again. */
const isGame = computed(() => game.value.kind === "game");

const results = new Map<string, Result>();
const result = signal<Result>(NOTHING);

export const lines = computed(() => (on.value ? result.value.lines : []));
export const finished = computed(() => on.value && result.value.finished);
/** How the game on the board has ended; null if it goes on, or the rules are not known yet. */
export const ended = computed(() => {
  const state = position.value?.state;
  return state === "mate" || state === "stalemate" ? state : null;
});

/** What the engine found last, here or in the position before. */
const latest = signal<Evaluation | null>(null);
/** The evaluation of the engine; between two positions that of the one before, so that the bar does not twitch. */
export const liveEvaluation = computed<Evaluation | null>(() => {
  if (!on.value) {
    return null;
  }
  if (ended.value) {
    return ended.value === "mate" ? { mate: position.value!.turn === "white" ? -1 : 1 } : { pawns: 0 };
  }
  return lines.value[0] ? evaluationFrom(lines.value[0].evaluation, lines.value[0].depth) : latest.value;
});
export const arrows = computed(() => (on.value && engineArrows.value && !ended.value ? bestMoves(lines.value) : []));

export function toggleEngine(): void {
  on.value = !on.peek();
  if (on.peek()) {
    void loadEngines();
  }
}

/** Search the position once more: deeper, or after an error. */
export const searchAgain = (): void => void (wishes.value = wishes.peek() + 1);

/** Follow the board for as long as the page is open. */
export function followBoard(): () => void {
  let wished = wishes.peek();
  const forget = effect(() => {
    const id = engine.value?.id;
    const isOn = on.value && seen.value && !suspended.value && isGame.value;
    const [shown, variant, count] = [fen.value, chess960.value, engineLines.value];
    const isKnown = position.value !== null;
    const isWished = wishes.value !== wished;
    wished = wishes.value;
    const key = `${id} ${count} ${variant} ${shown}`;
    const before = results.get(key) ?? NOTHING;
    untracked(() => {
      batch(() => {
        const left = result.peek().lines[0];
        latest.value = isOn ? (left ? evaluationFrom(left.evaluation) : latest.peek()) : null;
        result.value = isWished ? { ...before, finished: false } : before;
        failure.value = null;
      });
    });
    if (!isOn || id === undefined || !isKnown || ended.value || (before.finished && !isWished)) {
      return;
    }
    const controller = new AbortController();
    const parameters = { fen: shown, chess960: variant, lines: count, viewer };
    searching.value = true;
    void search(`/api/engines/${id}/analysis`, parameters, key, controller.signal).finally(() => {
      if (!controller.signal.aborted) {
        searching.value = false;
      }
    });
    return () => {
      controller.abort();
      searching.value = false;
    };
  });
  const ignore = listenToVisibility();
  return () => {
    forget();
    ignore();
  };
}

function listenToVisibility(): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const listen = (): void => {
    clearTimeout(timer);
    if (document.hidden) {
      timer = setTimeout(() => (seen.value = false), UNSEEN_MS);
    } else {
      seen.value = true;
    }
  };
  document.addEventListener("visibilitychange", listen);
  return () => {
    clearTimeout(timer);
    document.removeEventListener("visibilitychange", listen);
  };
}

type Parameters = Record<string, string | number | boolean>;

const OFFLINE = (): ApiError => new ApiError(t("tabiya does not answer: is “tabiya serve” still running?"), 0, "offline");

/** Search until the engine has finished, whatever happens to the connection. */
async function search(path: string, parameters: Parameters, key: string, signal: AbortSignal): Promise<void> {
  let wait = FIRST_WAIT_MS;
  while (!signal.aborted) {
    let problem: unknown = OFFLINE();
    try {
      const response = await api.open(path, { parameters, signal });
      wait = FIRST_WAIT_MS;
      if (await follow(response, key, signal)) {
        return;
      }
    } catch (error) {
      problem = error instanceof TypeError ? problem : error; // the connection broke in the middle
    }
    if (signal.aborted || isAbort(problem)) {
      return;
    }
    const isPassing = problem instanceof ApiError && (problem.status === 0 || problem.status === 503);
    failure.value = { sentence: sentenceOf(problem), wait: isPassing ? wait / 1000 : null };
    if (!isPassing) {
      return;
    }
    await pause(wait, signal);
    wait = Math.min(2 * wait, LONGEST_WAIT_MS);
  }
}

/** Read one stream; return whether it came to its end. */
async function follow(response: Response, key: string, signal: AbortSignal): Promise<boolean> {
  let isOver = false;
  const searchedBefore = results.get(key)?.lines[0]?.depth ?? 0;
  await readEvents<AnalysisEvent>(response, (events) => {
    if (signal.aborted) {
      return;
    }
    const fresh = events.flatMap(({ line }) => line ?? []);
    const end = events.find(({ kind }) => kind !== "line");
    isOver ||= end !== undefined;
    const before = results.get(key) ?? NOTHING;
    const known = { lines: merged(before.lines, fresh, searchedBefore), finished: end?.kind === "done" && end.best !== null };
    remember(key, known);
    batch(() => {
      result.value = known;
      failure.value = end?.kind === "error" ? { sentence: said(end.sentence ?? ""), wait: null } : null;
    });
  });
  return isOver;
}

function remember(key: string, known: Result): void {
  results.delete(key);
  results.set(key, known);
  if (results.size > REMEMBERED) {
    results.delete(results.keys().next().value!);
  }
}

/** Wait, unless it is given up. */
function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

/** Whether the server was started without an engine. */
export const hasNoEngine = computed(() => known.value !== null && known.value.engines.length === 0);
