/** What was played in the position on the board, in the current database. */

import { effect, signal } from "@preact/signals";
import { api, isAbort, sentenceOf } from "../api/client";
import type { Exploration } from "../api/types";
import { requestOf, type Conditions } from "../search/conditions";
import { chess960, fen, source, vocabulary } from "../state";

export type { Exploration, ExplorerGame, ExplorerMove } from "../api/types";

/** Which games count. */
export const filters = signal<Conditions>({});
/** The last answer; it stays while the next is worked on, so that nothing flickers. */
export const exploration = signal<Exploration | null>(null);
/** Which database and position the answer is about. */
export const explored = signal({ source: "", fen: "" });
export const progress = signal<number | null>(null);
export const working = signal(false);
export const failure = signal<string | null>(null);
/** Position and database for which a long reading was allowed. */
const allowed = signal("");

/** Databases without an index are read as a whole for every position; above so many games one is asked first. */
const READ_AT_ONCE = 300_000;
const SETTLING_MS = 120;
const WAIT_MS = 1500;

/** Whether the answer takes a long reading that nobody has asked for yet. */
export const mustBeAllowed = signal(false);

export function allowReading(): void {
  allowed.value = source.peek()?.id ?? "";
}

async function explore(id: string, shown: string, stop: AbortSignal): Promise<void> {
  const parameters = {
    ...(requestOf(filters.peek(), vocabulary.peek()?.headers ?? []) as Record<string, string | string[]>),
    fen: shown,
    chess960: chess960.peek(),
    moves: 30,
    top_games: 6,
    recent_games: 6,
    wait: WAIT_MS,
  };
  for (;;) {
    const path = `/api/sources/${encodeURIComponent(id)}/explorer`;
    const answer = await api.get<Exploration>(path, { parameters, signal: stop });
    if (stop.aborted) {
      return;
    }
    if (answer.complete) {
      exploration.value = answer;
      explored.value = { source: id, fen: shown };
      return;
    }
    progress.value = answer.progress ?? 0;
  }
}

/** Follow the board; returns how to stop. */
export function followBoard(): () => void {
  return effect(() => {
    const database = source.value;
    const shown = fen.value;
    filters.value;
    vocabulary.value;
    chess960.value;
    const tooLong = database && !database.indexed && (database.records ?? 0) > READ_AT_ONCE && allowed.value !== database.id;
    mustBeAllowed.value = tooLong === true;
    if (!database || tooLong) {
      exploration.value = failure.value = progress.value = null;
      working.value = false;
      return;
    }
    const stop = new AbortController();
    const timer = setTimeout(() => {
      working.value = true;
      failure.value = null;
      explore(database.id, shown, stop.signal)
        .catch((error: unknown) => {
          if (!isAbort(error)) {
            failure.value = sentenceOf(error);
          }
        })
        .finally(() => {
          if (!stop.signal.aborted) {
            working.value = false;
            progress.value = null;
          }
        });
    }, SETTLING_MS);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  });
}
