import { expect, it } from "vitest";
import type { Crosstable, TableEntry, TableGame } from "../api/types";
import { cellsOf, columnsOf } from "./cells";

const game = (opponent: number, round: number | null, result = "1"): TableGame => ({
  opponent,
  round,
  result,
  color: "w",
  points: 1,
  number: 10 * opponent + (round ?? 0),
});
const entry = (...encounters: TableGame[]): TableEntry => ({ rank: 1, name: "", rating: null, points: 0, games: 0, tie_breaks: [], encounters });
const table = (kind: Crosstable["kind"], rounds: number, ...entries: TableEntry[]): Crosstable => ({ kind, rounds, tie_breaks: [], entries });

it("has a column for each opponent of a round robin", () => {
  const event = table("round-robin", 2, entry(game(1, 1), game(1, 2, "½")), entry(game(0, 1)), entry());
  expect(columnsOf(event)).toEqual(["1", "2", "3"]);
  expect(cellsOf(event, 0)).toEqual(["self", [game(1, 1), game(1, 2, "½")], []]);
  expect(cellsOf(event, 2)).toEqual([[], [], "self"]);
});

it("has a column for each round of a Swiss event", () => {
  const event = table("swiss", 3, entry(game(2, 1), game(1, 3)), entry(), entry());
  expect(columnsOf(event)).toEqual(["1", "2", "3"]);
  expect(cellsOf(event, 0)).toEqual([[game(2, 1)], [], [game(1, 3)]]);
});

it("counts games where rounds are not known", () => {
  const event = table("swiss", 0, entry(game(2, null), game(1, null)), entry());
  expect(columnsOf(event)).toEqual(["1", "2"]);
  expect(cellsOf(event, 0)).toEqual([[game(2, null)], [game(1, null)]]);
});
