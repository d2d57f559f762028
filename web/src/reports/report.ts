/** A report of the server, followed while games are read for it. */

import { useEffect, useState } from "preact/hooks";
import { api, isAbort, sentenceOf, type Parameters } from "../api/client";

export interface Report<T> {
  /** The last answer; it stays while another one is on its way. */
  readonly value: T | null;
  readonly progress: number | null;
  readonly error: string | null;
}

const WAIT_MS = 1500;
const AGAIN_MS = 900;

/** Request a report, and again whenever its address or `version` changes; null requests nothing.
 *
 * `grows`: incomplete answers are shown as well.
 */
export function useReport<T extends { complete: boolean }>(
  path: string | null,
  parameters: Parameters,
  version: unknown = null,
  grows = false,
): Report<T> {
  const [report, setReport] = useState<Report<T>>({ value: null, progress: null, error: null });
  const key = JSON.stringify([path, parameters, version]);
  useEffect(() => {
    if (path === null) {
      setReport({ value: null, progress: null, error: null });
      return;
    }
    const stop = new AbortController();
    follow<T>(path, parameters, grows, stop.signal, setReport).catch((error: unknown) => {
      if (!isAbort(error) && !stop.signal.aborted) {
        setReport({ value: null, progress: null, error: sentenceOf(error) });
      }
    });
    return () => stop.abort();
  }, [key]);
  return report;
}

async function follow<T extends { complete: boolean }>(
  path: string,
  parameters: Parameters,
  grows: boolean,
  signal: AbortSignal,
  show: (change: (before: Report<T>) => Report<T>) => void,
): Promise<void> {
  show((before) => ({ ...before, progress: 0, error: null }));
  for (;;) {
    const answer = await api.get<T & { progress?: number | null }>(path, { parameters: { ...parameters, wait: grows ? null : WAIT_MS }, signal });
    if (signal.aborted) {
      return;
    }
    const progress = answer.complete ? null : (answer.progress ?? 0);
    show((before) => ({ value: answer.complete || grows ? answer : before.value, progress, error: null }));
    if (answer.complete) {
      return;
    }
    if (grows) {
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
    }
  }
}
