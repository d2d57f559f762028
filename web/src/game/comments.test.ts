import { beforeEach, expect, it, vi } from "vitest";
import type { PositionAnswer } from "../api/types";
import { at, backward, game, past, playMove, positionOf, redo, undo } from "../state";
import { commentOf, writeComment } from "./comments";
import { nodeOf, START_FEN, treeFrom } from "./tree";

const AFTER_E4 = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
const move = { uci: "e7e5", san: "e5", from: "e7", to: "e5", fen: "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2" };
const answer: PositionAnswer = { fen: AFTER_E4, chess960: false, turn: "black", check: false, state: "playing", moves: [move] };

function open(languages: string[] = []): void {
  const tree = treeFrom([{ parent: null, fen: START_FEN }, { parent: 0, uci: "e2e4", san: "e4", fen: AFTER_E4 }]);
  game.value = { kind: "game", source: "s1", number: 1, tags: [], languages, tree, saved: { tree, tags: [] } };
  past.value = [];
  at.value = 1;
}

const said = (id: number, side: "before" | "after" = "after"): string | undefined =>
  commentOf(nodeOf(game.value.tree, id).comments, side)?.text;

beforeEach(() => {
  vi.stubGlobal("fetch", () => Promise.resolve(new Response(JSON.stringify(answer))));
  open();
});

it("leaves a comment at its move, however soon one goes to another", () => {
  writeComment(1, "after", "Best by t");
  writeComment(1, "after", "Best by test");
  backward();
  expect([said(1), said(0), said(0, "before")]).toEqual(["Best by test", undefined, undefined]);
  writeComment(0, "before", "A game");
  expect([said(1), said(0, "before")]).toEqual(["Best by test", "A game"]);
});

it("never carries a comment into another game", () => {
  writeComment(1, "after", "Best by test");
  open();
  expect(said(1)).toBeUndefined();
  writeComment(1, "after", "x");
  undo();
  expect(said(1)).toBeUndefined();
});

it("undoes what was typed in one step, field by field", () => {
  for (const text of ["a", "ab", "abc"]) writeComment(1, "after", text);
  for (const text of ["d", "de"]) writeComment(1, "before", text);
  expect(past.value).toHaveLength(2);
  undo();
  expect([said(1), said(1, "before")]).toEqual(["abc", undefined]);
  undo();
  expect(said(1)).toBeUndefined();
  redo();
  writeComment(1, "after", "abcd"); // after an undo it is a step of its own
  undo();
  expect(said(1)).toBe("abc");
});

it("plays a move although a comment is typed before the rules have answered", async () => {
  await positionOf(AFTER_E4);
  const played = playMove("e7e5");
  writeComment(1, "after", "Best by test");
  expect(await played).toBe(true);
  expect([said(1), nodeOf(game.value.tree, at.value).san]).toEqual(["Best by test", "e5"]);
});

it("plays no move in a game that was opened meanwhile", async () => {
  const played = playMove("e7e5");
  open();
  expect(await played).toBe(false);
  expect(nodeOf(game.value.tree, 1).children).toEqual([]);
});

it("writes in the shown language, and leaves others as they are", () => {
  open(["ENG", "GER"]);
  const german = { side: "after", text: "Gut", language: "GER" } as const;
  game.value = { ...game.value, tree: treeFrom(game.value.tree.nodes.map((node) => ({ ...node!, comments: node!.id ? [german] : [] }))) };
  writeComment(1, "after", "Good");
  expect(nodeOf(game.value.tree, 1).comments).toEqual([german, { side: "after", text: "Good", language: "ENG" }]);
  writeComment(1, "after", "  ");
  expect(nodeOf(game.value.tree, 1).comments).toEqual([german]);
});
