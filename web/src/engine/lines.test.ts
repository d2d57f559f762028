import { describe, expect, it } from "vitest";
import type { EngineLine, PlayedMove } from "../api/types";
import { lineTo, nodeOf, START_FEN, treeFrom } from "../game/tree";
import { bestMoves, duration, evaluationFrom, merged, nodesOf, numbered, short, withEvaluatedLine, withLine } from "./lines";

const line = (rank: number, centipawns: number, moves: string[], more: Partial<EngineLine> = {}): EngineLine => ({
  rank,
  depth: 10,
  selective_depth: 10,
  evaluation: { centipawns, mate: null },
  bound: null,
  wdl: null,
  moves,
  san: moves,
  nodes: 1,
  nodes_per_second: 1,
  seconds: 1,
  ...more,
});

describe("lines of an engine", () => {
  it("are numbered from the position on", () => {
    expect(numbered(START_FEN, ["e4", "e5", "Nf3"])).toEqual(["1.e4", "e5", "2.Nf3"]);
    expect(numbered("4k3/8/8/8/8/8/8/4K3 b - - 0 41", ["Kd7", "Kd2", "Kd6"])).toEqual(["41…Kd7", "42.Kd2", "Kd6"]);
    expect(numbered("4k3/8/8/8/8/8/8/4K3 b", ["Kd7"])).toEqual(["1…Kd7"]);
  });

  it("come with short figures", () => {
    expect([900, 56_400, 1_234_567, 23_400_000, 5e9].map(short)).toEqual(["0.9 k", "56 k", "1.2 M", "23 M", "5.0 G"]);
    expect([0.4, 7, 65, 600].map(duration)).toEqual(["0:00", "0:07", "1:05", "10:00"]);
  });

  it("have evaluations of the page", () => {
    expect(evaluationFrom({ centipawns: -35, mate: null }, 12)).toEqual({ pawns: -0.35, depth: 12 });
    expect(evaluationFrom({ centipawns: null, mate: -2 })).toEqual({ mate: -2 });
  });

  it("are replaced by their rank, but not by bounds and not by a shallower search", () => {
    const known = [line(1, 10, ["e2e4"]), line(2, 5, ["d2d4"])];
    expect(merged(known, [line(2, 7, ["c2c4"])], 0).map(({ moves }) => moves[0])).toEqual(["e2e4", "c2c4"]);
    expect(merged(known, [line(1, 90, ["a2a4"], { bound: "lower" })], 0)).toEqual(known);
    expect(merged([], [line(1, 90, ["a2a4"], { bound: "lower" })], 0)).toHaveLength(1);
    expect(merged(known, [line(1, 90, ["a2a4"], { depth: 9 })], 10)).toEqual(known);
    expect(merged(known, [line(1, 90, [])], 0)).toEqual(known);
  });

  it("become arrows: thinner the more a move costs, none for moves that lose much", () => {
    const found = bestMoves([line(1, 30, ["e2e4"]), line(2, 20, ["g1f3"]), line(3, -900, ["g2g4"])]);
    expect(found.map(({ from, to }) => from + to)).toEqual(["e2e4", "g1f3"]);
    expect(found[0]!.strength).toBe(1);
    expect(found[1]!.strength).toBeGreaterThan(0.5);
    expect(found[1]!.strength).toBeLessThan(1);
    expect(bestMoves([])).toEqual([]);
  });
});

describe("a line in a game", () => {
  const tree = treeFrom([{ parent: null }, { parent: 0, uci: "e2e4" }, { parent: 1, uci: "e7e5", eval: { pawns: 1 } }]);
  const moves = (...ucis: string[]): ReturnType<typeof nodesOf> =>
    nodesOf(ucis.map((uci) => ({ uci, san: uci, fen: "f", check: false, number: 1, color: "white" }) as PlayedMove), 1);

  it("follows the moves that are there", () => {
    const [grown, last] = withLine(tree, 1, moves("e7e5", "g1f3"));
    expect(lineTo(grown, last).map(({ uci }) => uci)).toEqual([undefined, "e2e4", "e7e5", "g1f3"]);
    expect(nodeOf(grown, last).ply).toBe(3);
    expect(withLine(tree, 1, moves("e7e5"))).toEqual([tree, 2]);
    expect(withLine(tree, 1, [])).toEqual([tree, 1]);
  });

  it("has its evaluation at its first move, unless there is one", () => {
    const grown = withEvaluatedLine(tree, 1, moves("c7c5", "g1f3"), { pawns: 0.2, depth: 9 });
    const [main, other] = nodeOf(grown, 1).children;
    expect(nodeOf(grown, other!)).toMatchObject({ uci: "c7c5", eval: { pawns: 0.2, depth: 9 } });
    expect(main).toBe(2);
    expect(withEvaluatedLine(tree, 1, moves("e7e5"), { pawns: 0.2 })).toBe(tree);
    expect(withEvaluatedLine(tree, 1, [], { pawns: 0.2 })).toBe(tree);
  });
});
