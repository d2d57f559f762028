import { describe, expect, it } from "vitest";
import type { ApiNode } from "../api/types";
import { mainLine, nodeOf, treeFrom, withMove, without, withRemarks } from "../game/tree";
import { betterLines, hasLine, placeOf, playable, withBetterLines, withFindings } from "./findings";

const SENT: ApiNode[] = [
  { parent: null },
  { parent: 0, uci: "e2e4" },
  { parent: 1, uci: "e7e5", nags: [1] },
  { parent: 2, uci: "d1h5" },
  { parent: 2, uci: "f1c4" },
];
/** What the server answers: evaluations, a mistake, a better line. */
const FOUND: ApiNode[] = [
  { parent: null },
  { parent: 0, uci: "e2e4", eval: { pawns: 0.3 } },
  { parent: 1, uci: "e7e5", nags: [1], eval: { pawns: 0.2 } },
  { parent: 2, uci: "d1h5", nags: [2], eval: { pawns: -0.9 } },
  { parent: 2, uci: "f1c4" },
  { parent: 2, uci: "g1f3", eval: { pawns: 0.4 } },
  { parent: 5, uci: "b8c6" },
];
const sent = treeFrom(SENT);
const said = (tree: typeof sent): unknown[] => mainLine(tree).slice(1).map(({ nags, eval: evaluation }) => [nags ?? [], evaluation?.pawns]);

describe("findings", () => {
  it("get to the moves of the main line", () => {
    expect(said(withFindings(sent, sent, FOUND))).toEqual([[[], 0.3], [[1], 0.2], [[2], -0.9]]);
  });

  it("leave what was changed since, and find their moves in a game that was edited", () => {
    let tree = withRemarks(sent, 3, { nags: [5] });
    tree = withRemarks(tree, 1, { eval: { pawns: 9 } });
    [tree] = withMove(tree, 3, { uci: "b8c6" });
    expect(said(withFindings(tree, sent, FOUND))).toEqual([[[], 9], [[1], 0.2], [[5], -0.9], [[], undefined]]);
    const shorter = without(sent, 2);
    expect(said(withFindings(shorter, sent, FOUND))).toEqual([[[], 0.3]]);
  });

  it("change nothing twice", () => {
    const once = withFindings(sent, sent, FOUND);
    expect(withFindings(once, once, FOUND)).toBe(once);
  });
});

it("moves that cannot be played are left out, with what follows them", () => {
  const nodes: ApiNode[] = [
    { parent: null },
    { parent: 0, uci: "e2e4", fen: "f" },
    { parent: 1, san: "Ke9" },
    { parent: 2, san: "Nc6" },
    { parent: 1, uci: "e7e5", fen: "f" },
  ];
  const tree = playable(treeFrom(nodes));
  expect(mainLine(tree).map(({ uci }) => uci)).toEqual([undefined, "e2e4", "e7e5"]);
  expect(tree.nodes.filter(Boolean)).toHaveLength(3);
});

describe("better lines", () => {
  const lines = betterLines(sent, FOUND);

  it("are those that the server added", () => {
    expect(lines.map(({ ply, before, moves }) => [ply, before, moves.map(({ uci }) => uci)])).toEqual([
      [3, ["e2e4", "e7e5"], ["g1f3", "b8c6"]],
    ]);
  });

  it("become variations with their evaluation, once", () => {
    expect(hasLine(sent, lines[0]!)).toBe(false);
    const grown = withBetterLines(sent, lines);
    expect(nodeOf(grown, 2).children.map((child) => nodeOf(grown, child).uci)).toEqual(["d1h5", "f1c4", "g1f3"]);
    expect(nodeOf(grown, nodeOf(grown, 2).children[2]!).eval).toEqual({ pawns: 0.4 });
    expect(hasLine(grown, lines[0]!)).toBe(true);
    expect(withBetterLines(grown, lines)).toBe(grown);
  });

  it("have no place in a game that goes another way now", () => {
    const shorter = without(sent, 2);
    expect(placeOf(shorter, lines[0]!)).toBeNull();
    expect(withBetterLines(shorter, lines)).toBe(shorter);
  });
});
