import { expect, it } from "vitest";
import { groupsOf } from "./openings";

const code = (eco: string, games: number) => ({ opening: { eco, name: `name of ${eco}` }, games, white: games, draws: 0, black: 0 });

it("joins codes with the same beginning under the name of the most frequent", () => {
  expect(groupsOf([code("A00", 1), code("B90", 5), code("B97", 7), code("C10", 2)])).toEqual([
    { code: "A0", name: "name of A00", games: 1, white: 1, draws: 0, black: 0 },
    { code: "B9", name: "name of B97", games: 12, white: 12, draws: 0, black: 0 },
    { code: "C1", name: "name of C10", games: 2, white: 2, draws: 0, black: 0 },
  ]);
});

it("shows codes where there are few groups", () => {
  expect(groupsOf([code("B90", 5), code("B97", 7)]).map((group) => group.code)).toEqual(["B90", "B97"]);
  expect(groupsOf([])).toEqual([]);
});
