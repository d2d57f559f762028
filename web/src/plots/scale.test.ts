import { expect, it } from "vitest";
import { nearest, pathThrough, roundStep, ticks, yearOf } from "./scale";

it("counts in round steps", () => {
  expect([roundStep(100, 5), roundStep(7, 4), roundStep(1_234_567, 4), roundStep(0, 4)]).toEqual([20, 2, 500_000, 1]);
  expect(ticks(0, 100, 5)).toEqual([0, 20, 40, 60, 80, 100]);
  expect(ticks(1953, 2026, 6)).toEqual([1960, 1980, 2000, 2020]);
  expect(ticks(0, 2, 5)).toEqual([0, 1, 2]);
  expect(ticks(5, 5, 5)).toEqual([5]);
});

it("takes the middle of what is not known", () => {
  expect([yearOf("2013"), yearOf("2013-01-01"), yearOf("2013-07-01")]).toEqual([2013.5, 2013, 2013.5]);
  expect(yearOf("2013-12")).toBeLessThan(2014);
});

it("interrupts a line where nothing is known for long", () => {
  const points = [0, 1, 5, 5.5].map((x) => ({ x, y: 0 }));
  expect(pathThrough(points, 2, ({ x, y }) => [x, y])).toBe("M0.0 0.0L1.0 0.0M5.0 0.0L5.5 0.0");
  expect(pathThrough([], 2, ({ x, y }) => [x, y])).toBe("");
});

it("finds the nearest point", () => {
  const points = [0, 10, 20].map((x) => ({ x, y: 0 }));
  expect([nearest(points, 14), nearest(points, 16), nearest(points, -5), nearest([], 1)]).toEqual([1, 2, 0, -1]);
});
