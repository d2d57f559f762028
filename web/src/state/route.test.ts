import { expect, it } from "vitest";
import { START_FEN } from "../game/tree";
import { formatRoute, parseRoute, type Line, type Route } from "./route";

const line = (moves: string[], ply: number, start: string = START_FEN, chess960 = false): Line => ({ start, chess960, moves, ply });

it.each([
  ["#/games/s1/17/23.1.4", { tab: "games", source: "s1", number: 17, path: "23.1.4", line: null, parameters: {} }],
  ["#/search", { tab: "search", source: null, number: null, path: "0", line: null, parameters: {} }],
  ["#/games/s1/3?text=a%26b", { tab: "games", source: "s1", number: 3, path: "0", line: null, parameters: { text: "a&b" } }],
  ["#/books/with%2Fslash", { tab: "books", source: "with/slash", number: null, path: "0", line: null, parameters: {} }],
  [
    "#/games/s1?play=e2e4,c7c5,g1f3&ply=2&q=tal",
    { tab: "games", source: "s1", number: null, path: "0", line: line(["e2e4", "c7c5", "g1f3"], 2), parameters: { q: "tal" } },
  ],
  [
    "#/search?fen=4k3/8/8/8/8/8/4P3/4K2R_w_H_-_0_1&chess960=1&play=0000",
    { tab: "search", source: null, number: null, path: "0", line: line(["0000"], 1, "4k3/8/8/8/8/8/4P3/4K2R w H - 0 1", true), parameters: {} },
  ],
] satisfies [string, Route][])("%s is a place, and the place is this address", (hash, route) => {
  expect(parseRoute(hash)).toEqual(route);
  expect(formatRoute(route)).toBe(hash);
});

it.each(["", "#", "#nonsense", "#/x/%E0%A4%A/1e9/../", "#/games/s1/0/1", "#/games/s1/-5/1.2", "#/games/s1/2/<script>"])(
  "what is no address of ours is harmless: %s",
  (hash) => {
    const route = parseRoute(hash);
    expect(route.path).toBe("0");
    expect(route.number === null || route.number > 0).toBe(true);
  },
);

it("takes no line from an address that names a record, and bounds what it takes", () => {
  expect(parseRoute("#/games/s1/3?play=e2e4").line).toBeNull();
  expect(parseRoute("#/games?fen=&play=,").line).toBeNull();
  expect(parseRoute("#/games?play=e4&ply=7").line?.ply).toBe(1);
  expect(parseRoute("#/games?play=e4&ply=-1").line?.ply).toBe(1);
  expect(parseRoute(`#/games?play=${"e4,".repeat(5000)}`).line?.moves).toHaveLength(1000);
});
