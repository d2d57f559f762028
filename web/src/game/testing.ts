/** Trees for tests. */

import type { ApiNode } from "../api/types";
import { treeFrom, type Tree } from "./tree";

/** `e4 e5 ( d5 ) Nf3` with comments in braces: enough of a notation to write trees in. */
export function game(text: string): Tree {
  const nodes: ApiNode[] = [{ parent: null, ply: 0 }];
  const replaced: number[] = [];
  let at = 0;
  for (const word of text.match(/\{[^}]*\}|\S+/g) ?? []) {
    if (word === "(") {
      replaced.push(at);
      at = nodes[at]!.parent!;
    } else if (word === ")") {
      at = replaced.pop()!;
    } else if (word.startsWith("{")) {
      const [side, comment] = word.slice(1, -1).split(":") as ["before" | "after" | "late", string];
      (nodes[at]!.comments ??= []).push({ side, text: comment, language: "" });
    } else {
      const ply = nodes[at]!.ply! + 1;
      nodes.push({ parent: at, ply, san: word, uci: word, number: (ply + 1) >> 1, color: ply % 2 ? "white" : "black" });
      at = nodes.length - 1;
    }
  }
  return treeFrom(nodes);
}
