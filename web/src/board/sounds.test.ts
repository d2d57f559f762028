import { expect, test } from "vitest";
import type { ApiNode } from "../api/types";
import { nodeOf, treeFrom } from "../game/tree";
import { soundOf, SOUNDS } from "./sounds";

const moves = (...sans: string[]): ApiNode[] => [
  { parent: null, ply: 0 } as ApiNode,
  ...sans.map((san, index) => ({ parent: index, ply: index + 1, san }) as ApiNode),
];

test("moves, captures and checks sound different; the last move of a finished game ends it", () => {
  const tree = treeFrom(moves("e4", "dxe4", "Bb5+", "Qxf7#", "a3"));
  const heard = (id: number, before = id - 1, result = "*"): unknown => soundOf(tree, before, nodeOf(tree, id), result);
  expect([1, 2, 3, 4, 5].map((id) => heard(id))).toEqual(["move", "capture", "check", "end", "move"]);
  expect(heard(5, 4, "1/2-1/2")).toBe("end");
  expect(heard(4, 3, "1/2-1/2")).toBe("end");
  expect(heard(1, 0, "1-0")).toBe("move");
});

test("only a step forward is heard", () => {
  const tree = treeFrom(moves("e4", "e5", "Nf3"));
  expect(soundOf(tree, 3, nodeOf(tree, 2))).toBeNull();
  expect(soundOf(tree, 1, nodeOf(tree, 3))).toBeNull();
  expect(soundOf(tree, 0, nodeOf(tree, 0))).toBeNull();
});

test("sounds are short", () => {
  const ends = Object.values(SOUNDS).flat().map(({ at, length }) => at + length);
  expect(Math.max(...ends)).toBeLessThan(1.2);
});
