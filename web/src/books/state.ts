/** What a book says about the position on the board. */

import { effect, useSignal, type Signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { api, isAbort, sentenceOf } from "../api/client";
import type { BookAnswer } from "../api/types";
import { fen } from "../state";

export type { BookAnswer, BookMove } from "../api/types";

const SETTLING_MS = 80;

/** Follow the board as long as the component is there. */
export function useBook(id: string): { answer: Signal<BookAnswer | null>; error: Signal<string | null> } {
  const answer = useSignal<BookAnswer | null>(null);
  const error = useSignal<string | null>(null);
  useEffect(
    () =>
      effect(() => {
        const shown = fen.value;
        const stop = new AbortController();
        const timer = setTimeout(() => {
          const options = { parameters: { fen: shown }, signal: stop.signal };
          api.get<BookAnswer>(`/api/sources/${encodeURIComponent(id)}/book`, options).then(
            (found) => {
              answer.value = found;
              error.value = null;
            },
            (problem: unknown) => {
              if (!isAbort(problem)) {
                error.value = sentenceOf(problem);
              }
            },
          );
        }, SETTLING_MS);
        return () => {
          clearTimeout(timer);
          stop.abort();
        };
      }),
    [id],
  );
  return { answer, error };
}
