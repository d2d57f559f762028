import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { lineTo, START_FEN } from "../game/tree";
import { writeComment } from "../game/comments";
import {
  at,
  backward,
  deleteVariations,
  followAddress,
  game,
  hasDrafts,
  markSaved,
  openFen,
  openPosition,
  opening,
  playMove,
  toStart,
  undo,
} from "./game";
import { formatRoute, go, parseRoute, route } from "./route";

const ENDING = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";

/** A server that knows no rules either: every move is legal, and a position is its start and what was played. */
const answers = vi.fn((address: string): unknown => {
  const { searchParams, pathname } = new URL(address, "http://here");
  if (pathname.includes("/games/")) {
    return { kind: "game", tags: [], nodes: [{ parent: null, fen: START_FEN }] };
  }
  const fen = searchParams.get("fen")!;
  const moves = searchParams.get("play")?.split(",") ?? [];
  const names = ["e2e4", "e7e5", "g1f3", "e2e3", "e1d1"];
  const after = (uci: string, from = fen): object => ({ uci, san: `S${uci}`, fen: `${from} ${uci}`, from: "", to: "" });
  return { fen, turn: "white", played: moves.map((uci) => after(uci)), moves: names.map((uci) => after(uci)) };
});
const history = { pushState: vi.fn(), replaceState: vi.fn() };
/** Whatever was asked has been answered, given up or not: this server does not notice. */
const answered = (): Promise<unknown> => new Promise((resolve) => setTimeout(resolve));
const settled = (): Promise<void> => vi.waitFor(() => expect(opening.value).toBe(false), 30_000);
const shownMoves = (): (string | null | undefined)[] => lineTo(game.value.tree, at.value).slice(1).map(({ uci }) => uci);
const address = (): string => formatRoute(route.value);

beforeAll(() => {
  vi.stubGlobal("addEventListener", () => undefined);
  vi.stubGlobal("matchMedia", () => ({ matches: false }));
  vi.stubGlobal("history", history);
  vi.stubGlobal("fetch", (path: string) => Promise.resolve(new Response(JSON.stringify(answers(path)))));
  followAddress();
});

beforeEach(() => {
  openPosition();
  history.pushState.mockClear();
});
afterEach(settled);

it("has a board without a record in the address, move by move", async () => {
  openPosition(ENDING);
  await playMove("e2e4");
  await playMove("e7e5");
  const there = "#/games?fen=4k3/8/8/8/8/8/4P3/4K3_w_-_-_0_1&play=e2e4,e7e5";
  expect(address()).toBe(there);
  backward();
  expect(address()).toBe(`${there}&ply=1`);
  expect(history.pushState).toHaveBeenCalledTimes(1); // steps replace the address
});

it("opens a board by its address, at its move, and has nothing to save then", async () => {
  route.value = parseRoute(`#/games?fen=${ENDING.replaceAll(" ", "_")}&play=e2e3,e1d1&ply=1`);
  await settled();
  expect([game.value.start, shownMoves(), hasDrafts()]).toEqual([ENDING, ["e2e3"], false]);
  expect(address()).toContain("play=e2e3,e1d1&ply=1");
  expect(answers.mock.lastCall?.[0]).not.toContain("chess960");
});

it("finds a board again that has more than its line: variations and comments are still there", async () => {
  await playMove("e2e4");
  writeComment(at.value, "after", "Best by test");
  backward();
  await playMove("e2e3");
  const there = address();
  expect(hasDrafts()).toBe(true);
  openPosition(ENDING);
  expect([address(), shownMoves()]).not.toContain("e2e3");
  route.value = parseRoute(there); // Back
  expect([shownMoves(), game.value.tree.nodes[1]?.comments?.[0]?.text]).toEqual([["e2e3"], "Best by test"]);
});

it("deletes all variations in one step, and stays as near as it can", async () => {
  await playMove("e2e4");
  backward();
  await playMove("e2e3");
  await playMove("e7e5");
  deleteVariations();
  expect([game.value.tree.nodes.filter(Boolean).length, at.value]).toEqual([2, 0]);
  undo();
  expect(shownMoves()).toEqual(["e2e3", "e7e5"]);
});

it("asks nobody about leaving a mere line, which is in the address", async () => {
  await playMove("e2e4");
  expect(hasDrafts()).toBe(false);
  await playMove("e7e5");
  toStart();
  await playMove("e2e3");
  expect(hasDrafts()).toBe(true);
  undo();
  expect(hasDrafts()).toBe(false);
});

it("has the address of a record without a line, and no board comes that was asked for before it", async () => {
  route.value = parseRoute("#/games/s1?play=e2e4,e7e5");
  expect(opening.value).toBe(true);
  go({ source: "s1", number: 5 });
  await settled();
  expect([game.value.number, address()]).toEqual([5, "#/games/s1/5"]);
});

it("stays with what it shows when one goes back before another record has come", async () => {
  go({ source: "s1", number: 5 });
  await settled();
  go({ number: 6 });
  expect(opening.value).toBe(true);
  route.value = parseRoute("#/games/s1/5"); // Back
  expect(opening.value).toBe(false);
  await answered();
  expect([game.value.number, address()]).toEqual([5, "#/games/s1/5"]);
});

it("opens what was asked for last, be it a record or a position that somebody wrote", async () => {
  void openFen(ENDING);
  go({ source: "s1", number: 5 });
  await answered();
  expect([game.value.number, address()]).toEqual([5, "#/games/s1/5"]);
  go({ number: 6 });
  void openFen(ENDING);
  await answered();
  expect([game.value.start, address()]).toEqual([ENDING, "#/games/s1?fen=4k3/8/8/8/8/8/4P3/4K3_w_-_-_0_1"]);
});

it("goes on to the record that was chosen while another one was being saved", async () => {
  go({ source: "s1", number: 5 });
  await settled();
  await playMove("e2e4");
  const sent = game.value;
  go({ number: 6, path: "0" });
  markSaved(sent, "s1", 5, ["before", "after"]);
  await settled();
  expect([game.value.number, address(), hasDrafts()]).toEqual([6, "#/games/s1/6", false]);
});
