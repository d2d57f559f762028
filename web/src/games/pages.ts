/**
 * Rows of a long list, loaded in pages as they come into sight.
 *
 * Only so many pages are kept. Whoever scrolls fast leaves pages behind before they were asked for: requests that nobody
 * waits for any more are given up, so the rows that are looked at come first.
 */
import { pagesOf, type Span } from "./window";

export const PAGE_ROWS = 100;
const KEPT_PAGES = 60;

export type LoadRows<Row> = (offset: number, limit: number, signal: AbortSignal) => Promise<readonly Row[]>;

interface Request {
  readonly abort: AbortController;
  readonly rows: number;
}

export class Pages<Row> {
  readonly #load: LoadRows<Row>;
  readonly #arrived: (error?: unknown) => void;
  /** By number, those used last at the end. */
  readonly #pages = new Map<number, readonly Row[]>();
  readonly #requests = new Map<number, Request>();
  #total = 0;

  constructor(load: LoadRows<Row>, arrived: (error?: unknown) => void) {
    this.#load = load;
    this.#arrived = arrived;
  }

  /** The row, if it was loaded. */
  row(index: number): Row | undefined {
    return this.#pages.get(Math.floor(index / PAGE_ROWS))?.[index % PAGE_ROWS];
  }

  /** Load what is missing of these rows, and stop loading what is not among them; `total` rows exist by now. */
  want(span: Span, total: number): void {
    this.#total = total;
    const wanted = span.first < span.end ? pagesOf(span, PAGE_ROWS) : [];
    for (const [page, request] of this.#requests) {
      if (wanted.includes(page)) continue;
      this.#requests.delete(page);
      request.abort.abort();
    }
    for (const page of wanted) {
      const known = this.#pages.get(page);
      if (known) this.#touch(page, known);
      const rows = this.#rowsOf(page);
      if (rows > Math.max(known?.length ?? 0, this.#requests.get(page)?.rows ?? 0)) void this.#fetch(page, rows);
    }
  }

  /** Give up all requests. */
  close(): void {
    this.want({ first: 0, end: 0 }, 0);
  }

  #rowsOf(page: number): number {
    return Math.min(PAGE_ROWS, this.#total - page * PAGE_ROWS);
  }

  #touch(page: number, rows: readonly Row[]): void {
    this.#pages.delete(page);
    this.#pages.set(page, rows);
    for (const oldest of this.#pages.keys()) {
      if (this.#pages.size <= KEPT_PAGES) break;
      this.#pages.delete(oldest);
    }
  }

  async #fetch(page: number, expected: number): Promise<void> {
    this.#requests.get(page)?.abort.abort();
    const request: Request = { abort: new AbortController(), rows: expected };
    this.#requests.set(page, request);
    const isCurrent = (): boolean => this.#requests.get(page) === request;
    try {
      const rows = await this.#load(page * PAGE_ROWS, PAGE_ROWS, request.abort.signal);
      if (!isCurrent()) return;
      this.#requests.delete(page);
      this.#touch(page, rows);
      this.#arrived();
    } catch (error) {
      if (!isCurrent()) return;
      this.#requests.delete(page);
      this.#arrived(error);
    }
  }
}
