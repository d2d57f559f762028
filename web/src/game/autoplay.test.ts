import { beforeEach, expect, it, vi } from "vitest";
import { at, game, select } from "../state";
import { autoplay, playing } from "./autoplay";
import { START_FEN, treeFrom } from "./tree";

const tree = treeFrom([null, 0, 1, 2, 3].map((parent) => ({ parent, fen: START_FEN })));

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("fetch", () => new Promise(() => undefined));
  game.value = { ...game.peek(), source: "s1", number: 1, tree };
  select(0);
});

it("goes to the end by itself", () => {
  autoplay.toggle();
  expect([at.value, playing.value]).toEqual([1, true]);
  vi.advanceTimersByTime(60_000);
  expect([at.value, playing.value]).toEqual([4, false]);
});

it.each([
  ["stops", () => autoplay.toggle(), 1],
  ["goes to another move", () => select(3), 3],
  ["opens another game", () => (game.value = { ...game.peek(), number: 2 }), 1],
])("stays where it is when somebody %s", (_, step, there) => {
  autoplay.toggle();
  step();
  expect(playing.value).toBe(false);
  vi.advanceTimersByTime(60_000);
  expect(at.value).toBe(there);
});
