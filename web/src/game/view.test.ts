import { beforeAll, beforeEach, expect, it, vi } from "vitest";
import { at, game, markSaved, notationStyle, openPosition, select, setRemarks, type OpenGame } from "../state";
import { game as tree } from "./testing";
import { foldable, foldableAround, foldAll, folded, style, toggleFold, unfoldAll } from "./view";

beforeAll(() => {
  vi.stubGlobal("history", { pushState: vi.fn(), replaceState: vi.fn() });
  vi.stubGlobal("matchMedia", () => ({ matches: false }));
  vi.stubGlobal("fetch", () => new Promise(() => undefined));
});
beforeEach(() => {
  notationStyle.value = "auto";
  openPosition();
});

/** Shows record `number` of a database. Its nodes are numbered in the order of the text. */
function open(text: string, number = 1, generation = "a"): void {
  const moves = tree(text);
  const shown = { kind: "game", source: "s1", number, generation, tags: [], tree: moves, saved: { tree: moves, tags: [] } };
  game.value = shown as unknown as OpenGame;
  at.value = 0;
}

const MOVES = "e4 ( d4 d5 ( c5 d5 ) c4 ) ( c4 ) e5 ( c5 Nf3 ) Nf3";

it.each([
  ["e4 e5", "table"],
  ["e4 {after: } e5", "table"],
  ["e4 {after:good} e5", "book"],
  ["e4 ( d4 ) e5", "book"],
])("shows %s as a %s", (text, usual) => {
  open(text);
  expect(style.value).toBe(usual);
  notationStyle.value = "table";
  expect(style.value).toBe("table");
});

it("does not change its looks while one annotates, nor when that is saved", () => {
  open("e4 e5");
  setRemarks({ comments: [{ side: "after", text: "now annotated", language: "" }] }, 1);
  expect(style.value).toBe("table");
  markSaved(game.peek(), "s1", 1, ["a", "b"]);
  expect([style.value, game.peek().generation]).toEqual(["table", "b"]);
});

it("folds what has more than one move, and unfolds it", () => {
  open(MOVES);
  expect(foldable.value.toSorted()).toEqual([2, 4, 9]);
  foldAll();
  expect([...folded.value].sort()).toEqual([2, 4, 9]);
  unfoldAll();
  expect(folded.value.size).toBe(0);
});

it("unfolds the variation of the current move, and those around it", () => {
  open(MOVES);
  foldAll();
  select(5);
  expect([2, 4].some((id) => folded.value.has(id))).toBe(false);
  expect(folded.value.size).toBe(foldable.value.length - 2);
  foldAll();
  expect([2, 4].some((id) => folded.value.has(id))).toBe(false);
});

it("leaves a variation that is folded", () => {
  open(MOVES);
  select(5);
  toggleFold(2);
  expect(at.value).toBe(1);
  expect(folded.value.has(2)).toBe(true);
  toggleFold(2);
  expect(folded.value.has(2)).toBe(false);
});

it("keeps what is folded while another game is looked at, and forgets it when the file has changed", () => {
  open(MOVES, 3);
  toggleFold(2);
  open("e4 ( d4 d5 ) e5", 2);
  expect(folded.value.size).toBe(0);
  open(MOVES, 3);
  expect([...folded.value]).toEqual([2]);
  open(MOVES, 3, "b");
  expect(folded.value.size).toBe(0);
});

it("knows the variation around a move", () => {
  open(MOVES);
  const around = (id: number): number | null => foldableAround(game.peek().tree, id);
  expect([1, 2, 3, 5, 7].map(around)).toEqual([null, 2, 2, 4, null]);
});
