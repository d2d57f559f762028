import { beforeAll, beforeEach, expect, it, vi } from "vitest";
import { parseSetUp, wholeFen, type SetUp } from "../search/pattern";
import { formatRoute, go, parseRoute, route } from "../state";
import { change, EMPTY, passedSquares, rightOf, setUp, START, toggledRight, whole } from "./state";

beforeAll(() => vi.stubGlobal("history", { pushState: vi.fn(), replaceState: vi.fn() }));
beforeEach(() => go({ tab: "setup", parameters: {} }));

const of = (fen: string): SetUp => parseSetUp(fen)!;

it.each([
  "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
  "rnbqkbnr/ppp1pppp/8/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 3",
  "bqnbrkrn/pppppppp/8/8/8/8/PPPPPPPP/BQNBRKRN b GEge - 12 34",
  "8/8/8/8/8/8/8/8 b - - 0 1",
])("reads and writes %s", (fen) => expect(wholeFen(of(fen))).toBe(fen));

it("is in the address, and read from it", () => {
  expect(setUp.value).toEqual(START);
  change(of("4k3/8/8/8/8/8/8/4K2R w K - 3 40"));
  expect(formatRoute(route.value)).toBe("#/setup?position=4k3/8/8/8/8/8/8/4K2R_w_K_-_3_40");
  expect(parseRoute(formatRoute(route.value)).parameters).toEqual(route.value.parameters);
  expect(whole.value).toBe("4k3/8/8/8/8/8/8/4K2R w K - 3 40");
  change(EMPTY);
  expect(whole.value).toBe("8/8/8/8/8/8/8/8 w - - 0 1");
});

it("offers the squares that a pawn may just have passed", () => {
  expect(passedSquares(of("4k3/8/8/1pPp4/6P1/8/8/4K3 w - - 0 1"))).toEqual(["b6", "d6"]);
  expect(passedSquares(of("4k3/8/8/1pPp4/6P1/8/8/4K3 b - - 0 1"))).toEqual(["g3"]);
  expect(passedSquares(of("4k3/1p6/3n4/1pPp4/8/8/8/4K3 w - - 0 1"))).toEqual([]);
});

it("drops the square en passant with its pawn", () => {
  change(of("4k3/8/8/1pPp4/8/8/8/4K3 w - d6 0 1"));
  expect(setUp.value.enPassant).toBe("d6");
  change({ ...setUp.value, toMove: "b" });
  expect(setUp.value.enPassant).toBeUndefined();
});

it.each([
  ["K", "K"],
  ["q", "q"],
  ["G", "K"],
  ["E", "Q"],
  ["g", "k"],
  ["a", "q"],
])("takes %s for %s", (letter, right) => {
  expect(rightOf(letter, of("bqnbrkrn/pppppppp/8/8/8/8/PPPPPPPP/BQNBRKRN w - - 0 1"))).toBe(right);
});

it("gives and takes rights to castle", () => {
  const start = of("bqnbrkrn/pppppppp/8/8/8/8/PPPPPPPP/BQNBRKRN w Ge - 0 1");
  expect(toggledRight(start, "K").castling).toBe("e");
  expect(toggledRight(start, "k").castling).toBe("Gke");
  expect(toggledRight(EMPTY, "q").castling).toBe("q");
});
