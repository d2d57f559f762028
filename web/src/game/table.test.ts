import { expect, it } from "vitest";
import { print, type Block } from "./print";
import { settled, table } from "./table";
import { withRemarks } from "./tree";
import { game } from "./testing";

const cells = ({ kind, depth, pieces }: Block): string =>
  `${kind}${depth || ""}: ${pieces.map((piece) => ("node" in piece && piece.type === "move" ? piece.node.san : piece.type)).join(" ")}`;

it.each([
  ["", []],
  ["e4 e5 Nf3", ["row: e4 e5", "row: Nf3"]],
  ["e4 {after:good} e5 Nf3", ["row: e4", "comment: comment", "row: e5", "row: Nf3"]],
  ["e4 ( d4 d5 ) e5 ( c5 ) Nf3", ["row: e4", "moves1: d4 d5", "row: e5", "moves1: c5", "row: Nf3"]],
  ["e4 e5 ( c5 Nf3 ( Nc3 ) Nc6 ) Nf3 Nc6", ["row: e4 e5", "moves1: c5 Nf3 open Nc3 close Nc6", "row: Nf3 Nc6"]],
])("%s as a table", (text, rows) => {
  expect(table(print(game(text))).map(cells)).toEqual(rows);
});

it("begins with an empty cell where Black begins", () => {
  const tree = game("e4 e5 Nf3");
  const black = { nodes: tree.nodes.map((node) => node && { ...node, color: node.color === "white" ? ("black" as const) : ("white" as const) }) };
  expect(table(print(black)).map(cells)).toEqual(["row: e4", "row: e5 Nf3"]);
});

it("keeps what did not change", () => {
  const before = game("e4 ( d4 ) e5 Nf3 Nc6 Bb5");
  const drawn = settled(table(print(before)), new Map());
  expect(new Set(drawn.keys()).size).toBe(drawn.size);
  const after = withRemarks(before, 4, { comments: [{ side: "after", text: "!", language: "" }] });
  const again = settled(table(print(after)), drawn);
  const kept = [...again.values()].filter((keyed) => drawn.get(keyed.key) === keyed).map(({ block }) => cells(block));
  expect(kept).toEqual(["row: e4", "moves1: d4", "row: e5", "row: Bb5"]);
});

it("names blocks of the same move apart", () => {
  const tree = game("e4 {after:eins} {after:one} {before:zwei}");
  const drawn = settled(print(tree), new Map());
  expect(drawn.size).toBe(4);
});
