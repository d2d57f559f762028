import { describe, expect, it } from "vitest";
import * as w from "./window";

const small: w.Extent = { rows: 100, rowHeight: 30, viewport: 600 };
const large: w.Extent = { rows: 2_300_000, rowHeight: 30, viewport: 600 };
const start: w.Scroll = { top: 0, shift: 0 };

/** A reproducible source of numbers from 0 to 1 (mulberry32). */
const numbers = (seed: number) => () => {
  seed = (seed + 0x6d2b79f5) | 0;
  let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
  return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
};

describe("a list that fits into an element", () => {
  it("is as high as its rows and never shifted", () => {
    expect(w.elementHeight(small)).toBe(3000);
    expect(w.scrolled(small, start, 2400)).toEqual({ top: 2400, shift: 0 });
    expect(w.visibleRows(small, { top: 45, shift: 0 })).toEqual({ first: 1, end: 22 });
  });
  it("draws no rows that are not there", () => {
    const empty = { rows: 0, rowHeight: 30, viewport: 600 };
    expect(w.drawnRows(empty, start)).toEqual({ first: 0, end: 0 });
    expect(w.drawnRows({ ...empty, rows: 3 }, start)).toEqual({ first: 0, end: 3 });
  });
});

describe("a list of 2.3 million games", () => {
  it("is never higher than browsers draw", () => {
    expect(w.elementHeight(large)).toBe(w.MAX_HEIGHT);
  });
  it("ends where the bar ends", () => {
    const bottom = w.scrolled(large, start, w.MAX_HEIGHT - 600);
    expect(w.visibleRows(large, bottom)).toEqual({ first: 2_299_980, end: 2_300_000 });
    expect(w.visibleRows(large, w.scrolled(large, bottom, 0))).toEqual({ first: 0, end: 20 });
  });
  it("moves pixel by pixel with the wheel, wherever it is", () => {
    const middle = w.scrolled(large, start, 3_000_000);
    const next = w.scrolled(large, middle, 3_000_120);
    expect(w.placeOf(large, next) - w.placeOf(large, middle)).toBe(120);
    expect(w.rowTop(large, next, 5)).toBe(w.rowTop(large, middle, 5));
  });
  it("reaches every row by small steps alone, down and up", () => {
    for (const direction of [1, -1]) {
      let scroll = w.scrollTo(large, direction > 0 ? w.fullHeight(large) - 40_000 : 40_000);
      for (let step = 0; step < 400; step++) {
        const most = w.MAX_HEIGHT - 600;
        scroll = w.scrolled(large, scroll, Math.max(0, Math.min(most, scroll.top + direction * 120)));
      }
      const seen = w.visibleRows(large, scroll);
      expect(direction > 0 ? seen.end : seen.first).toBe(direction > 0 ? large.rows : 0);
    }
  });
  it("draws what is seen inside the element, after any movements", () => {
    const random = numbers(7);
    let scroll = start;
    for (let step = 0; step < 5000; step++) {
      const most = w.MAX_HEIGHT - large.viewport;
      const wanted = random() < 0.2 ? random() * most : scroll.top + (random() - 0.5) * 1000;
      scroll = w.scrolled(large, scroll, Math.round(Math.max(0, Math.min(most, wanted))));
      const seen = w.visibleRows(large, scroll);
      expect(seen.end - seen.first).toBeGreaterThanOrEqual(20);
      expect(w.rowTop(large, scroll, seen.first)).toBeLessThanOrEqual(scroll.top);
      expect(w.rowTop(large, scroll, seen.end)).toBeGreaterThanOrEqual(scroll.top + large.viewport);
      const drawn = w.drawnRows(large, scroll);
      expect(drawn.end - drawn.first).toBeLessThanOrEqual(21 + 2 * w.OVERSCAN);
    }
  });
});

describe("scrolling to a row", () => {
  it("does nothing if the row is seen", () => {
    expect(w.scrollToRow(small, start, 19)).toBe(start);
  });
  it("moves as little as possible", () => {
    expect(w.placeOf(small, w.scrollToRow(small, start, 20))).toBe(30);
    const low = { top: 900, shift: 0 };
    expect(w.placeOf(small, w.scrollToRow(small, low, 10))).toBe(300);
  });
  it("shows any row of a large list whole", () => {
    const random = numbers(3);
    let scroll = start;
    for (let step = 0; step < 2000; step++) {
      const row = Math.floor(random() * large.rows);
      scroll = w.scrollToRow(large, scroll, row);
      const place = w.placeOf(large, scroll);
      expect(row * 30).toBeGreaterThanOrEqual(place);
      expect(row * 30 + 30).toBeLessThanOrEqual(place + 600);
      expect(scroll.top).toBeGreaterThanOrEqual(0);
      expect(scroll.top).toBeLessThanOrEqual(w.MAX_HEIGHT - 600);
    }
  });
});

it("knows the pages that hold rows", () => {
  expect(w.pagesOf({ first: 95, end: 201 }, 100)).toEqual([0, 1, 2]);
  expect(w.pagesOf({ first: 100, end: 200 }, 100)).toEqual([1]);
  expect(w.pagesOf({ first: 5, end: 5 }, 100)).toEqual([0]);
});
