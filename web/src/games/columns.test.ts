import { expect, it } from "vitest";
import { CHOICES, columnsOf, withColumn } from "./columns";
import { firstSort } from "./GameTable";

const names = (hasPlies: boolean, hidden: readonly string[]): string[] => columnsOf(hasPlies, hidden).map(({ name }) => name);

it("leaves out what its user does without, and nothing else", () => {
  const all = names(false, []);
  expect(all).toHaveLength(CHOICES.length + 1);
  expect(names(false, ["site", "annotator"])).toEqual(all.filter((name) => name !== "site" && name !== "annotator"));
  expect(names(false, ["no such column"])).toEqual(all);
});

it("always has the number, and the move of a search", () => {
  expect(names(true, ["number", "ply", ...CHOICES.map(({ name }) => name)])).toEqual(["number", "ply"]);
});

it("takes columns out and puts them in again, each once", () => {
  const hidden = withColumn(withColumn([], "site", false), "site", false);
  expect(hidden).toEqual(["site"]);
  expect(withColumn([...hidden, "eco"], "site", true)).toEqual(["eco"]);
});

it("counts moves as players do", () => {
  const moves = CHOICES.find(({ name }) => name === "plies")!;
  expect([0, 1, 2, 81, null].map((plies) => moves.text({ number: 1, kind: "game", plies }))).toEqual([0, 1, 1, 41, ""]);
});

it("begins with the longest games, the latest, the strongest, and with the first letter", () => {
  const first = CHOICES.map(({ name }) => firstSort(name)).filter(({ descending }) => descending).map(({ by }) => by);
  expect(first).toEqual(["white_elo", "black_elo", "plies", "date"]);
});
