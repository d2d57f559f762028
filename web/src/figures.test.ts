import { expect, it } from "vitest";
import * as f from "./figures";

it("groups thousands", () => {
  expect(f.gamesText(2_300_000)).toBe("2,300,000 games");
  expect(f.gamesText(1)).toBe("1 game");
  expect(f.gamesText(0)).toBe("0 games");
});

it("shortens large numbers", () => {
  const cases: [number, string][] = [
    [9999, "9999"], [12_345, "12.3k"], [99_950, "100k"], [123_456, "123k"], [999_499, "999k"], [999_500, "1.0M"], [2_300_000, "2.3M"],
  ];
  for (const [count, text] of cases) expect(f.short(count)).toBe(text);
});

it("spells sizes", () => {
  expect([0, 1, 999, 1000, 123_456, 999_400, 999_561, 1_500_000_000].map(f.sizeOf)).toEqual(["0 bytes", "1 byte", "999 bytes", "1.0 kB", "123 kB", "999 kB", "1.0 MB", "1.5 GB"]);
});

it("spells dates as far as they are known", () => {
  const cases: [string | null, string][] = [
    ["1858.??.??", "1858"], ["2013.11.09", "2013-11-09"], ["2013.11.??", "2013-11"], ["????.??.??", ""], ["", ""], [null, ""], ["1852", "1852"], ["????.05.01", ""], ["<b>", ""],
  ];
  for (const [date, text] of cases) expect(f.dateOf(date)).toBe(text);
});

it("spells results and names", () => {
  expect(["1-0", "1/2-1/2", null].map(f.resultOf)).toEqual(["1-0", "½-½", ""]);
  expect(["?", "Tal", null].map(f.nameOf)).toEqual(["", "Tal", ""]);
});

const SOURCES = import.meta.glob<string>("./**/*.{ts,tsx}", { query: "?raw", import: "default", eager: true });

it("says one game, not one games, all over the page: what is counted goes through tn", () => {
  const figures = Object.entries(SOURCES).filter(([path]) => !path.includes(".test."));
  expect(figures.length).toBeGreaterThan(50);
  const counted = /\b(?:count\([^`"<>]*\)|length|games|records|points|moves|files|total)\}\s+(?:game|record|move|file|point|position|book|database|problem|condition|text)s\b/;
  expect(figures.filter(([, text]) => counted.test(text)).map(([path]) => path)).toEqual([]);
  expect(counted.test("`${count(answer.games)} games`") && counted.test("{count(all.length)} books")).toBe(true);
});

it("gives percentages the form of the language", () => {
  expect([f.percent(0.5), f.percent(1), f.percent(0.3333, 1)]).toEqual(["50%", "100%", "33.3%"]);
  expect([f.part(0), f.part(0.001), f.part(0.006)]).toEqual(["0%", "<1%", "1%"]);
});
