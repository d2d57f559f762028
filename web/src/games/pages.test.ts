import { expect, it } from "vitest";
import { Pages, PAGE_ROWS } from "./pages";

/** A server whose answers come when the test says so. */
const server = (total: () => number) => {
  const open: { offset: number; signal: AbortSignal; answer: () => void; fail: (error: Error) => void }[] = [];
  const load = (offset: number, limit: number, signal: AbortSignal) =>
    new Promise<number[]>((resolve, reject) => {
      const rows = Array.from({ length: Math.max(0, Math.min(limit, total() - offset)) }, (_, i) => offset + i);
      open.push({ offset, signal, answer: () => resolve(rows), fail: reject });
    });
  return { open, load };
};
const settled = () => new Promise((resolve) => setTimeout(resolve));

it("loads what is seen, once", async () => {
  const { open, load } = server(() => 1000);
  let arrivals = 0;
  const pages = new Pages<number>(load, () => arrivals++);
  pages.want({ first: 90, end: 130 }, 1000);
  pages.want({ first: 91, end: 131 }, 1000);
  expect(open.map(({ offset }) => offset)).toEqual([0, 100]);
  for (const { answer } of open) answer();
  await settled();
  expect(arrivals).toBe(2);
  expect([0, 99, 150, 200].map((row) => pages.row(row))).toEqual([0, 99, 150, undefined]);
  pages.want({ first: 0, end: 200 }, 1000);
  expect(open.length).toBe(2);
});

it("gives up what was scrolled past, and ignores its late answer", async () => {
  const { open, load } = server(() => 1_000_000);
  const pages = new Pages<number>(load, () => undefined);
  pages.want({ first: 0, end: 20 }, 1_000_000);
  pages.want({ first: 500_000, end: 500_020 }, 1_000_000);
  expect(open[0]!.signal.aborted).toBe(true);
  for (const { answer } of open) answer();
  await settled();
  expect(pages.row(0)).toBeUndefined();
  expect(pages.row(500_000)).toBe(500_000);
});

it("loads the rest of a page when the list has grown", async () => {
  let total = 30;
  const { open, load } = server(() => total);
  const pages = new Pages<number>(load, () => undefined);
  pages.want({ first: 0, end: 30 }, total);
  open[0]!.answer();
  await settled();
  expect(pages.row(30)).toBeUndefined();
  total = 80;
  pages.want({ first: 0, end: 40 }, total);
  expect(open.length).toBe(2);
  expect(pages.row(10)).toBe(10);
  open[1]!.answer();
  await settled();
  expect(pages.row(79)).toBe(79);
});

it("tells of errors, and tries again when asked again", async () => {
  const { open, load } = server(() => 10);
  const errors: unknown[] = [];
  const pages = new Pages<number>(load, (error) => errors.push(error));
  pages.want({ first: 0, end: 10 }, 10);
  open[0]!.fail(new Error("gone"));
  await settled();
  expect(errors).toEqual([new Error("gone")]);
  pages.want({ first: 0, end: 10 }, 10);
  expect(open.length).toBe(2);
});

it("keeps a bounded number of pages, those that were used last", async () => {
  const { open, load } = server(() => 1_000_000);
  const pages = new Pages<number>(load, () => undefined);
  for (let page = 0; page < 200; page++) {
    pages.want({ first: 0, end: 1 }, 1_000_000);
    pages.want({ first: page * PAGE_ROWS, end: page * PAGE_ROWS + 1 }, 1_000_000);
    for (const { answer } of open.splice(0)) answer();
    await settled();
  }
  const kept = Array.from({ length: 200 }, (_, page) => pages.row(page * PAGE_ROWS)).filter((row) => row !== undefined);
  expect(kept.length).toBeLessThanOrEqual(60);
  expect(pages.row(0)).toBe(0);
  expect(pages.row(199 * PAGE_ROWS)).toBe(199 * PAGE_ROWS);
});
