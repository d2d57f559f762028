import { expect, it } from "vitest";
import type { ApiNode } from "../api/types";
import { print, type Block } from "./print";
import { game } from "./testing";
import { nodeOf, printOrder, treeFrom } from "./tree";

const words = ({ depth, kind, pieces }: Block): string =>
  `${depth}${kind === "comment" ? "c" : ""}: ${pieces
    .map((piece) => {
      switch (piece.type) {
        case "move":
          return piece.number + piece.node.san;
        case "comment":
          return `“${piece.text}”`;
        case "folded":
          return `…${piece.moves}`;
        default:
          return piece.type === "open" ? "(" : ")";
      }
    })
    .join(" ")}`;

it.each([
  ["", []],
  ["e4 e5 Nf3", ["0: 1.e4 e5 2.Nf3"]],
  ["e4 {after:good} e5", ["0: 1.e4", "0c: “good”", "0: 1…e5"]],
  ["e4 {before:now} e5", ["0c: “now”", "0: 1.e4 e5"]],
  ["{after:a game} e4", ["0c: “a game”", "0: 1.e4"]],
  ["e4 ( d4 d5 ) e5 Nf3", ["0: 1.e4", "1: 1.d4 d5", "0: 1…e5 2.Nf3"]],
  ["e4 ( d4 {after:solid} d5 ) e5", ["0: 1.e4", "1: 1.d4 “solid” 1…d5", "0: 1…e5"]],
  ["e4 ( d4 d5 ( Nf6 c4 ) c4 ) e5", ["0: 1.e4", "1: 1.d4 d5 ( 1…Nf6 2.c4 ) 2.c4", "0: 1…e5"]],
  ["e4 ( d4 ) ( c4 ) e5 {late:so much for that}", ["0: 1.e4", "1: 1.d4", "1: 1.c4", "0: 1…e5", "0c: “so much for that”"]],
  ["e4 ( d4 d5 ( Nf6 c4 ( Nf3 ) e6 ) c4 ) e5", ["0: 1.e4", "1: 1.d4 d5", "2: 1…Nf6 2.c4 ( 2.Nf3 ) 2…e6", "1: 2.c4", "0: 1…e5"]],
  ["e4 ( d4 d5 ( a b ( c ) d ) ( e ) c4 ) e5", ["0: 1.e4", "1: 1.d4 d5", "2: 1…a 2.b ( 2.c ) 2…d", "2: 1…e", "1: 2.c4", "0: 1…e5"]],
])("%s", (text, printed) => {
  expect(print(game(text)).map(words)).toEqual(printed);
});

it("prints every move once, in the order of print", () => {
  const tree = game("a b ( c d ( e f ( g ( h ) i ) j ) k ( l m n o p q r s t u v w ) x ) y ( z ) A ( B ( C ) D ) E");
  const moves = print(tree).flatMap(({ pieces }) => pieces.flatMap((piece) => (piece.type === "move" ? piece.node.id : [])));
  expect(moves).toEqual(printOrder(tree).slice(1).map(({ id }) => id));
});

it("shows the comments that are wanted only", () => {
  const tree = game("e4 {after:eins} e5 {after:one}");
  expect(print(tree, ({ text }) => text === "one").map(words)).toEqual(["0: 1.e4 e5", "0c: “one”"]);
});

it("does not mind a variation within a variation within …", () => {
  const deep: ApiNode[] = [{ parent: null }];
  for (let id = 0; id < 3000; id++) {
    deep.push({ parent: 2 * id, number: 1 }, { parent: 2 * id, number: 1 });
  }
  const tree = treeFrom(deep);
  const pieces = print(tree).flatMap((block) => block.pieces);
  expect(pieces.filter(({ type }) => type === "move")).toHaveLength(6000);
  expect(pieces.filter(({ type }) => type === "open")).toHaveLength(pieces.filter(({ type }) => type === "close").length);
  expect(nodeOf(tree, 6000).children).toEqual([]);
});

it.each([
  ["e4 ( d4 d5 ( c5 ) c4 ) e5", [2], ["0: 1.e4", "1: 1.d4 …3", "0: 1…e5"]],
  ["e4 ( d4 d5 ( Nf6 c4 ) c4 ) e5", [4], ["0: 1.e4", "1: 1.d4 d5 ( 1…Nf6 …1 ) 2.c4", "0: 1…e5"]],
  ["e4 ( d4 {after:solid} d5 ) ( c4 ) e5 {late:so much}", [2, 4], ["0: 1.e4", "1: 1.d4 …1", "1: 1.c4", "0: 1…e5", "0c: “so much”"]],
])("%s with folded variations", (text, folded, printed) => {
  expect(print(game(text), undefined, new Set(folded)).map(words)).toEqual(printed);
});

it("says which paragraph begins a variation", () => {
  const blocks = print(game("e4 ( d4 d5 ( a b ( c ) d ( x ) ) c4 ) ( {before:or} c4 ) e5"));
  expect(blocks.filter(({ start }) => start !== null).map(({ start, depth, node }) => [start, depth, node.san])).toEqual([
    [2, 1, "d4"],
    [4, 2, "a"],
    [10, 1, "c4"],
  ]);
});
