/** A question to the server whose answer is a list of records: asked, followed while it grows, and read row by row. */

import { signal } from "@preact/signals";
import { api, ApiError, isAbort, sentenceOf } from "../api/client";
import type { Row, Status } from "../api/types";
import { Pages } from "./pages";
import type { Span } from "./window";

export type { Row, Status } from "../api/types";

export interface Sort {
  by: string;
  descending: boolean;
}

export interface Question {
  text?: string;
  headers?: Record<string, unknown>;
  position?: Record<string, unknown>;
  records?: string;
  sort?: Sort | null;
}

interface Answer {
  status: Status;
  pages: Pages<Row>;
  /** Aborted when it is not shown any more. */
  left: AbortController;
}

const POLL_MS = 1000;

export class Query {
  /** The answer that is shown; the one before stays until the next has rows or is complete, so that nothing flickers. */
  readonly status = signal<Status | null>(null);
  /** True from the question until its answer is shown. */
  readonly asking = signal(false);
  /** How far the answer is that is not shown yet. */
  readonly progress = signal<number | null>(null);
  readonly error = signal<string | null>(null);
  /** Changes whenever rows arrive. */
  readonly version = signal(0);

  #answer: Answer | null = null;
  #abort = new AbortController();
  #asked: { source: string; question: Question } | null = null;
  #span: Span = { first: 0, end: 0 };

  row(index: number): Row | undefined {
    return this.#answer?.pages.row(index);
  }

  /** Load these rows. */
  want(span: Span): void {
    this.#span = span;
    if (this.#answer) {
      this.#answer.pages.want(span, this.#answer.status.total);
    }
  }

  /** Ask, and forget what was asked before. */
  ask(source: string, question: Question): void {
    this.#abort.abort();
    const abort = (this.#abort = new AbortController());
    this.#asked = { source, question };
    this.asking.value = true;
    this.progress.value = null;
    void this.#follow(source, question, abort.signal).catch((error: unknown) => {
      if (isGone(error) && !abort.signal.aborted) {
        this.ask(source, question);
      } else if (!abort.signal.aborted && !isAbort(error)) {
        this.#end(sentenceOf(error));
      }
    });
  }

  /** Show nothing and stop the work. */
  close(): void {
    this.#abort.abort();
    this.#end(null);
  }

  #end(error: string | null): void {
    this.#show(null);
    this.asking.value = false;
    this.progress.value = null;
    this.error.value = error;
  }

  /** Where a record stands in the list, or null. */
  async placeOf(number: number): Promise<number | null> {
    if (!this.#answer) {
      return null;
    }
    const { status, left } = this.#answer;
    const options = { parameters: { number }, signal: left.signal };
    return (await api.get<{ offset: number | null }>(`/api/queries/${status.query}/place`, options)).offset;
  }

  async #follow(source: string, question: Question, stop: AbortSignal): Promise<void> {
    const path = `/api/sources/${encodeURIComponent(source)}/queries`;
    let status = await api.post<Status>(path, question, { signal: stop });
    stop.addEventListener("abort", () => {
      if (this.#answer?.status.query !== status.query) {
        forget(status); // it was never shown; what is shown goes when the next answer takes its place
      }
    });
    for (let shown = false; ; ) {
      if (stop.aborted) {
        return;
      }
      if (status.error) {
        throw new ApiError(status.error, 422, "invalid");
      }
      if (!shown && (status.total > 0 || status.complete)) {
        shown = true;
        this.#show(status);
        this.asking.value = false;
        this.error.value = null;
      } else if (shown && this.#answer) {
        this.#answer.status = status;
        this.status.value = status;
        this.want(this.#span);
      }
      this.progress.value = status.complete ? null : (status.progress ?? 0);
      if (status.complete) {
        return;
      }
      status = await api.get<Status>(`/api/queries/${status.query}`, { parameters: { wait: POLL_MS }, signal: stop });
    }
  }

  #show(status: Status | null): void {
    const before = this.#answer;
    if (before) {
      before.pages.close();
      before.left.abort();
      forget(before.status);
    }
    this.#answer = status && { status, pages: this.#pagesOf(status), left: new AbortController() };
    this.status.value = status;
    this.version.value++;
  }

  #pagesOf(status: Status): Pages<Row> {
    const load = async (offset: number, limit: number, signal: AbortSignal): Promise<readonly Row[]> => {
      const parameters = { offset: String(offset), limit };
      return (await api.get<{ rows: Row[] }>(`/api/queries/${status.query}/rows`, { parameters, signal })).rows;
    };
    const arrived = (error?: unknown): void => {
      if (isGone(error) && this.#asked) {
        this.ask(this.#asked.source, this.#asked.question);
        return;
      }
      if (error !== undefined && !isAbort(error)) {
        this.error.value = sentenceOf(error);
      }
      this.version.value++;
    };
    return new Pages(load, arrived);
  }
}

/** Whether the answer is no more: the file changed, or nobody asked for it for long. */
function isGone(error: unknown): boolean {
  return error instanceof ApiError && error.status === 410;
}

/** Tell the server that nobody needs an answer any more; it would notice by itself later. */
function forget({ query }: Status): void {
  api.delete(`/api/queries/${query}`).catch(() => undefined);
}
