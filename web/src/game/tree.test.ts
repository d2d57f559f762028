import { describe, expect, it } from "vitest";
import type { ApiNode } from "../api/types";
import { game } from "./testing";
import {
  alternativesFrom,
  commentedFrom,
  emptyTree,
  isBareLine,
  leadsTo,
  lineAlone,
  lineThrough,
  lineTo,
  mainLine,
  nodeAlong,
  nodeAt,
  nodeOf,
  nodesToSend,
  pathOf,
  printOrder,
  promoted,
  promotedToMain,
  treeFrom,
  variationStarts,
  withMove,
  without,
  withoutAll,
  withoutComments,
  withoutRemarks,
  withRemarks,
  type Tree,
} from "./tree";

/** Numbers that look random and are the same in every run. */
function* numbers(seed: number): Generator<number> {
  for (let state = seed; ; ) {
    state = (state * 1103515245 + 12345) % 2147483648;
    yield state >> 8;
  }
}

function grown(seed: number, size: number): Tree {
  const random = numbers(seed);
  let tree = emptyTree();
  for (let id = 1; id <= size; id++) {
    // Often at the end of a line, sometimes anywhere: long lines with nested alternatives.
    const pick = random.next().value as number;
    const parent = pick % 3 ? id - 1 : (random.next().value as number) % id;
    [tree] = withMove(tree, parent, { uci: `move${id}`, san: `m${id}` });
  }
  return tree;
}

/** The order of print, told the slow and obvious way. */
function printed(tree: Tree, id = 0): number[] {
  const [main, ...others] = nodeOf(tree, id).children;
  if (main === undefined) {
    return [];
  }
  return [main, ...others.flatMap((other) => [other, ...printed(tree, other)]), ...printed(tree, main)];
}

const ids = (tree: Tree): number[] => printOrder(tree).map(({ id }) => id);

describe("a tree", () => {
  it.each([1, 2, 3, 4, 5, 6, 7, 8])("is printed and addressed the same way everywhere (seed %i)", (seed) => {
    const tree = grown(seed, 80);
    expect(ids(tree)).toEqual([0, ...printed(tree)]);
    for (const id of ids(tree)) {
      expect(nodeAt(tree, pathOf(tree, id))).toBe(id);
    }
    const sent = nodesToSend(tree);
    const again = treeFrom(sent);
    expect(sent.every(({ parent }, place) => (place === 0 ? parent === null : parent! < place))).toBe(true);
    expect(ids(again).map((id) => nodeOf(again, id).uci)).toEqual(ids(tree).map((id) => nodeOf(tree, id).uci));
    expect(ids(again).map((id) => pathOf(again, id))).toEqual(ids(tree).map((id) => pathOf(tree, id)));
  });

  it("names positions as the server does", () => {
    // 1. e4 e5 2. Nf3 (2. f4 exf4 (2... d5)) 2... Nc6
    const nodes: ApiNode[] = [
      { parent: null },
      { parent: 0, uci: "e2e4" },
      { parent: 1, uci: "e7e5" },
      { parent: 2, uci: "g1f3" },
      { parent: 2, uci: "f2f4" },
      { parent: 4, uci: "e5f4" },
      { parent: 4, uci: "d7d5" },
      { parent: 3, uci: "b8c6" },
    ];
    const tree = treeFrom(nodes);
    expect(nodes.map((_, id) => pathOf(tree, id))).toEqual(["0", "1", "2", "3", "2.1.1", "2.1.2", "2.1.1.1.1", "4"]);
    expect(nodeAt(tree, "99")).toBe(7);
    expect(nodeAt(tree, "2.7.1")).toBe(2);
    expect(mainLine(tree).map(({ id }) => id)).toEqual([0, 1, 2, 3, 7]);
  });

  it("does not change when it is edited", () => {
    const tree = grown(3, 40);
    const before = JSON.stringify(tree);
    for (const id of ids(tree).slice(1)) {
      const pruned = without(tree, id);
      expect(ids(pruned).sort()).toEqual(ids(tree).filter((other) => !leadsTo(tree, id, other)).sort());
      const main = promotedToMain(tree, id);
      expect(mainLine(main).map((node) => node.id)).toContain(id);
      expect(ids(main).sort()).toEqual(ids(tree).sort());
      expect(ids(promoted(tree, id)).sort()).toEqual(ids(tree).sort());
      expect(nodeOf(withRemarks(tree, id, { nags: [1] }), id).nags).toEqual([1]);
    }
    expect(JSON.stringify(tree)).toBe(before);
  });

  it("promotes a variation until it is the main line, and then leaves it alone", () => {
    let tree = treeFrom([{ parent: null }, { parent: 0 }, { parent: 0 }, { parent: 0 }]);
    tree = promoted(tree, 3);
    expect(nodeOf(tree, 0).children).toEqual([1, 3, 2]);
    tree = promoted(tree, 3);
    expect(nodeOf(tree, 0).children).toEqual([3, 1, 2]);
    expect(promoted(tree, 3)).toBe(tree);
  });

  it("may be twenty thousand moves long and as deep", () => {
    const long: ApiNode[] = Array.from({ length: 20_000 }, (_, id) => ({ parent: id ? id - 1 : null, uci: `${id}` }));
    expect(pathOf(treeFrom(long), 19_999)).toBe("19999");
    expect(nodesToSend(treeFrom(long))).toHaveLength(20_000);
    expect(nodeAt(without(treeFrom(long), 1), "5")).toBe(0);
    const deep: ApiNode[] = [{ parent: null }];
    for (let id = 0; id < 10_000; id++) {
      deep.push({ parent: id ? 2 * id : 0 }, { parent: id ? 2 * id : 0 });
    }
    const tree = treeFrom(deep);
    expect(printOrder(tree)).toHaveLength(20_001);
    expect(nodeAt(tree, pathOf(tree, 20_000))).toBe(20_000);
  });
});

describe("lines", () => {
  const tree = grown(7, 300);
  const ids = tree.nodes.map((node) => node!.id);

  it("are found again by their moves, through any node", () => {
    for (const id of ids) {
      const moves = lineTo(tree, id).slice(1).map(({ uci }) => uci!);
      expect(nodeAlong(tree, moves)).toBe(id);
      expect(nodeAlong(tree, [...moves, "no such move"])).toBeNull();
    }
  });

  it("stand alone, with what is said about their moves", () => {
    for (const id of ids.slice(0, 60)) {
      const alone = lineAlone(withRemarks(tree, id, { nags: [1] }), id);
      const wanted = [...lineTo(tree, id), ...mainLine(tree, id).slice(1)].map(({ uci }) => uci);
      expect(nodesToSend(alone).map(({ uci }) => uci ?? undefined)).toEqual(wanted);
      expect(alone.nodes[id]?.nags).toEqual([1]);
      expect([isBareLine(alone), isBareLine(lineAlone(tree, id))]).toEqual([false, true]);
    }
    expect(isBareLine(tree)).toBe(false);
  });

  it("go as far as their moves can be played", () => {
    const nodes: ApiNode[] = [{ parent: null, fen: "a" }, { parent: 0, uci: "e2e4", fen: "b" }, { parent: 1, uci: "e7e5" }, { parent: 2, uci: "g1f3", fen: "c" }];
    expect(lineThrough(treeFrom(nodes), 0)).toEqual(["e2e4"]);
  });

  it("lose remarks of all kinds that the page edits, and nothing else", () => {
    const said = withRemarks(withRemarks(tree, 5, { nags: [1], stored: ["x"] }), 9, { comments: [{ text: "a", language: "", side: "after" }] });
    const cleared = withoutRemarks(said);
    expect([cleared.nodes[5]?.nags, cleared.nodes[5]?.stored, cleared.nodes[9]?.comments]).toEqual([[], ["x"], []]);
    expect(cleared.nodes[4]).toBe(said.nodes[4]);
    expect(withoutRemarks(cleared)).toBe(cleared);
  });
});

describe("from a move on", () => {
  const tree = game("e4 ( d4 d5 ( c5 ) ) e5 {after:good} ( c5 {after:bad} Nf3 ( c3 ) ) Nf3");
  const sans = (found: readonly number[]): string => found.map((id) => nodeOf(tree, id).san).join(" ");
  const idOf = (san: string, nth = 0): number => tree.nodes.filter((node) => node?.san === san)[nth]!.id;

  it("are its alternatives and those of the moves that follow", () => {
    expect(sans(alternativesFrom(tree, idOf("e4")))).toBe("d4 c5");
    expect(sans(alternativesFrom(tree, idOf("e5")))).toBe("c5");
    expect(sans(alternativesFrom(tree, idOf("d4")))).toBe("c5");
    expect(sans(alternativesFrom(tree, idOf("Nf3", 1)))).toBe("");
    expect(sans(variationStarts(tree))).toBe("d4 c5 c5 c3");
  });

  it("are comments, in variations as well", () => {
    expect(sans(commentedFrom(tree, 0).sort())).toBe("e5 c5");
    expect(commentedFrom(tree, idOf("Nf3", 1))).toEqual([]);
    const left = withoutComments(tree, commentedFrom(tree, 0));
    expect(commentedFrom(left, 0)).toEqual([]);
    expect(withoutComments(left, [])).toBe(left);
  });

  it("several moves are taken out at once, some of them within others", () => {
    const left = withoutAll(tree, alternativesFrom(tree, idOf("e4")));
    expect(printOrder(left).slice(1).map(({ san }) => san)).toEqual(["e4", "e5", "Nf3"]);
    const nested = withoutAll(tree, [idOf("d4"), idOf("d5")]);
    expect(nested.nodes.filter(Boolean)).toHaveLength(tree.nodes.length - 3);
    expect(withoutAll(tree, [])).toBe(tree);
  });
});
