import { expect, test } from "vitest";
import { leadOf, lostBy } from "./material";

test("nothing is lost at the start", () => {
  expect([lostBy("w", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"), leadOf("w", "4k3/8/8/8/8/8/8/4K3 w - - 0 1")]).toEqual([[], 0]);
});

test("what is lost is sorted by value; a promoted pawn is no loss", () => {
  const fen = "1nbqkbnr/1ppppppp/8/8/8/8/1PPPPPP1/RNBQKBNQ w Qk - 0 1";
  expect(lostBy("b", fen)).toEqual(["bp", "br"]);
  expect(lostBy("w", fen)).toEqual(["wp", "wr"]);
  expect([leadOf("w", fen), leadOf("b", fen)]).toEqual([8, -8]);
});

test("a position that was set up has lost nothing, more than it began with neither", () => {
  const start = "4k3/P7/8/8/8/8/8/4K2R w K - 0 1";
  expect(lostBy("w", start, start)).toEqual([]);
  expect(lostBy("w", "Q3k3/8/8/8/8/8/8/4K2R b K - 0 1", start)).toEqual([]);
  expect(lostBy("w", "4k3/8/8/8/8/8/8/4K2R b K - 0 2", start)).toEqual(["wp"]);
});
