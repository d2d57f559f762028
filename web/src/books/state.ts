/** What a book says about the position on the board. */

import { effect, useSignal, type Signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { api, isAbort, sentenceOf } from "../api/client";
import { fen } from "../state";

export interface BookMove {
  uci: string;
  san: string;
  weight?: number | null;
  share?: number | null;
  games?: number | null;
  wins?: number | null;
  draws?: number | null;
  losses?: number | null;
  score?: number | null;
  rating?: number | null;
  performance?: number | null;
  glyph?: string | null;
  comment_glyph?: string | null;
  recommendation?: string | null;
  priority?: number | null;
  learning?: number | null;
  transposition?: boolean;
}

export interface BookAnswer {
  known: boolean;
  fen: string;
  moves: BookMove[];
}

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
