/** The moves of a game as a tree that never changes: every edit gives a new one that shares what stayed the same.
 *
 * So undo is keeping the tree before, and nothing has to be copied or taken back. Nodes are addressed by their place in
 * `nodes`; a removed one leaves its place empty. No function recurses: lines may be as long and as deep as they like.
 */

import type { ApiNode } from "../api/types";

export interface MoveNode extends Omit<ApiNode, "id" | "path"> {
  readonly id: number;
  /** Ways to go on; the first is the main continuation. */
  readonly children: readonly number[];
}

export interface Tree {
  readonly nodes: readonly (MoveNode | undefined)[];
}

export const START_FEN = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

export function treeFrom(nodes: readonly ApiNode[]): Tree {
  const children: number[][] = nodes.map(() => []);
  nodes.forEach(({ parent }, id) => {
    if (parent !== null && parent < id) {
      children[parent]?.push(id);
    }
  });
  return {
    nodes: nodes.map(({ path: _, ...node }, id) => ({ ...node, id, children: children[id] ?? [] })),
  };
}

export function emptyTree(fen: string = START_FEN): Tree {
  return treeFrom([{ parent: null, ply: 0, fen }]);
}

export function nodeOf(tree: Tree, id: number): MoveNode {
  const node = tree.nodes[id] ?? tree.nodes[0];
  if (!node) {
    throw new Error("a tree without a root");
  }
  return node;
}

export function parentOf(tree: Tree, node: MoveNode): MoveNode | null {
  return node.parent === null ? null : nodeOf(tree, node.parent);
}

/** From the root to a node, both included. */
export function lineTo(tree: Tree, id: number): MoveNode[] {
  const line = [];
  for (let node: MoveNode | null = nodeOf(tree, id); node; node = parentOf(tree, node)) {
    line.push(node);
  }
  return line.reverse();
}

/** The nodes along the main continuation, from a node (included) to the end of its line. */
export function mainLine(tree: Tree, id = 0): MoveNode[] {
  const line = [nodeOf(tree, id)];
  for (let next = line[0]!.children[0]; next !== undefined; next = line.at(-1)!.children[0]) {
    line.push(nodeOf(tree, next));
  }
  return line;
}

/** The moves of the line that a node stands in, from the root to its end, as far as they can be played. */
export function lineThrough(tree: Tree, id: number): string[] {
  const line = [...lineTo(tree, id), ...mainLine(tree, id).slice(1)].slice(1);
  const end = line.findIndex(({ uci, fen }) => !uci || !fen);
  return line.slice(0, end < 0 ? line.length : end).map(({ uci }) => uci!);
}

/** The node that moves lead to from the root; null if the tree does not go that way. */
export function nodeAlong(tree: Tree, moves: readonly string[]): number | null {
  let node: MoveNode | undefined = nodeOf(tree, 0);
  for (const move of moves) {
    node = node.children.map((child) => nodeOf(tree, child)).find(({ uci }) => uci === move);
    if (!node) {
      return null;
    }
  }
  return node.id;
}

/** Whether a tree has moves one after the other and nothing else. */
export const isBareLine = ({ nodes }: Tree): boolean =>
  nodes.every((node) => !node || (node.children.length < 2 && !REMARKS.some((name) => says(node[name]))));

const says = (value: unknown): boolean => (Array.isArray(value) ? value.length > 0 : value != null);

/** Where a node is, for links: `23.1.4` is 23 moves along the main line, then 4 moves into the first alternative. */
export function pathOf(tree: Tree, id: number): string {
  const parts = [0];
  const line = lineTo(tree, id);
  for (let index = 1; index < line.length; index++) {
    const choice = line[index - 1]!.children.indexOf(line[index]!.id);
    if (choice > 0) {
      parts.push(choice, 0);
    }
    parts[parts.length - 1]!++;
  }
  return parts.join(".");
}

/** The node that a path leads to; where the game does not go that far, the last one on the way. */
export function nodeAt(tree: Tree, path: string): number {
  const parts = path.split(".").map(Number);
  let node = nodeOf(tree, 0);
  for (let index = 0; index < parts.length; index += 2) {
    const choice = index ? parts[index - 1]! : 0;
    for (let step = 0; step < parts[index]!; step++) {
      const next = node.children[step || !index ? 0 : choice];
      if (next === undefined) {
        return node.id;
      }
      node = nodeOf(tree, next);
    }
  }
  return node.id;
}

/** Whether one node leads to another (or is it). */
export function leadsTo(tree: Tree, id: number, target: number): boolean {
  for (let node: MoveNode | null = nodeOf(tree, target); node; node = parentOf(tree, node)) {
    if (node.id === id) {
      return true;
    }
  }
  return false;
}

/** The first move of the variation that a node stands in; null on the main line. */
export function variationStart(tree: Tree, id: number): MoveNode | null {
  for (let node = nodeOf(tree, id); ; ) {
    const parent = parentOf(tree, node);
    if (!parent) {
      return null;
    }
    if (parent.children[0] !== node.id) {
      return node;
    }
    node = parent;
  }
}

function replaced(tree: Tree, ...changed: MoveNode[]): Tree {
  const nodes = [...tree.nodes];
  for (const node of changed) {
    nodes[node.id] = node;
  }
  return { nodes };
}

/** Add a move as the last way to go on from a node. */
export function withMove(tree: Tree, parent: number, move: Omit<ApiNode, "parent">): [Tree, number] {
  const id = tree.nodes.length;
  const before = nodeOf(tree, parent);
  const node: MoveNode = { ...move, id, parent: before.id, children: [] };
  return [replaced(tree, { ...before, children: [...before.children, id] }, node), id];
}

/** Change what is said about a move. */
export function withRemarks(tree: Tree, id: number, change: Partial<ApiNode>): Tree {
  return replaced(tree, { ...nodeOf(tree, id), ...change, id, parent: nodeOf(tree, id).parent });
}

/** Take a move out, with everything that follows it. */
export const without = (tree: Tree, id: number): Tree =>
  nodeOf(tree, id).parent === null ? tree : withoutAll(tree, [id]);

/** The line that a node stands in and nothing else, from the root to its end. */
export function lineAlone(tree: Tree, id: number): Tree {
  const line = [...lineTo(tree, id), ...mainLine(tree, id).slice(1)];
  const nodes: (MoveNode | undefined)[] = tree.nodes.map(() => undefined);
  line.forEach((node, index) => {
    const next = line[index + 1];
    nodes[node.id] = { ...node, children: next ? [next.id] : [] };
  });
  return { nodes };
}

const CLEARED = ["nags", "comments", "squares", "arrows"] as const;

/** Take out all symbols, comments, squares and arrows; the same tree if there are none. */
export function withoutRemarks(tree: Tree): Tree {
  const changed = tree.nodes.flatMap((node) => {
    const said = CLEARED.filter((name) => node && says(node[name]));
    return node && said.length ? [{ ...node, ...Object.fromEntries(said.map((name) => [name, []])) }] : [];
  });
  return changed.length ? replaced(tree, ...changed) : tree;
}

/** Take out every move that follows a node. */
export function withoutContinuation(tree: Tree, id: number): Tree {
  return withoutAll(tree, nodeOf(tree, id).children);
}

/** The first moves of all variations. */
export function variationStarts(tree: Tree): number[] {
  return tree.nodes.flatMap((node) => node?.children.slice(1) ?? []);
}

/** The alternatives to a move, if it is the main one, and to all moves that follow it on its line. */
export function alternativesFrom(tree: Tree, id: number): number[] {
  const { parent } = nodeOf(tree, id);
  const isMain = parent !== null && nodeOf(tree, parent).children[0] === id;
  const others = mainLine(tree, id).flatMap(({ children }) => children.slice(1));
  return [...(isMain ? nodeOf(tree, parent).children.slice(1) : []), ...others];
}

/** Take out several moves, with everything that follows them. */
export function withoutAll(tree: Tree, ids: readonly number[]): Tree {
  if (!ids.length) {
    return tree;
  }
  const nodes = [...tree.nodes];
  const taken = new Set(ids);
  for (const id of taken) {
    const { parent } = nodeOf(tree, id);
    const before = parent === null ? undefined : nodes[parent];
    if (before) {
      nodes[before.id] = { ...before, children: before.children.filter((child) => !taken.has(child)) };
    }
  }
  const doomed = [...taken];
  for (let next = doomed.pop(); next !== undefined; next = doomed.pop()) {
    doomed.push(...nodeOf(tree, next).children);
    nodes[next] = undefined;
  }
  return { nodes };
}

/** The moves with comments, from a node (included) on, in all variations that follow it. */
export function commentedFrom(tree: Tree, id: number): number[] {
  const found = [];
  const waiting = [id];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { comments, children } = nodeOf(tree, next);
    if (comments?.length) {
      found.push(next);
    }
    waiting.push(...children);
  }
  return found;
}

/** Take out the comments of some moves. */
export function withoutComments(tree: Tree, ids: readonly number[]): Tree {
  return ids.length ? replaced(tree, ...ids.map((id) => ({ ...nodeOf(tree, id), comments: [] }))) : tree;
}

/** Move the variation that a node stands in one place up; the first place is the main continuation. */
export function promoted(tree: Tree, id: number): Tree {
  const start = variationStart(tree, id);
  const parent = start && parentOf(tree, start);
  if (!parent) {
    return tree;
  }
  const children = [...parent.children];
  const place = children.indexOf(start.id);
  [children[place - 1], children[place]] = [children[place]!, children[place - 1]!];
  return replaced(tree, { ...parent, children });
}

/** Make the line that leads to a node the main line. */
export function promotedToMain(tree: Tree, id: number): Tree {
  const line = lineTo(tree, id);
  const changed = line.flatMap((node, index) => {
    const next = line[index + 1];
    return next && node.children[0] !== next.id
      ? [{ ...node, children: [next.id, ...node.children.filter((child) => child !== next.id)] }]
      : [];
  });
  return replaced(tree, ...changed);
}

/** The nodes in the order of print: a move, its alternatives with all that follows them, then how it goes on. */
export function printOrder(tree: Tree): MoveNode[] {
  const order: MoveNode[] = [nodeOf(tree, 0)];
  // A stack of work: "go on behind this node" comes after all alternatives to its first child have been printed.
  const stack: { node: number; behind: boolean }[] = [{ node: 0, behind: true }];
  for (let work = stack.pop(); work; work = stack.pop()) {
    const node = nodeOf(tree, work.node);
    if (!work.behind) {
      order.push(node);
    }
    const [main, ...others] = node.children;
    if (main !== undefined) {
      order.push(nodeOf(tree, main));
      stack.push({ node: main, behind: true });
      stack.push(...others.reverse().map((other) => ({ node: other, behind: false })));
    }
  }
  return order;
}

const REMARKS = ["nags", "comments", "squares", "arrows", "clock", "time_spent", "eval", "stored"] as const;
const SENT = ["uci", ...REMARKS] as const;

/** The nodes as the server takes them: in print order, parents by their new place, only what it reads. */
export function nodesToSend(tree: Tree): ApiNode[] {
  const order = printOrder(tree);
  const places = new Map(order.map((node, place) => [node.id, place]));
  return order.map((node) => {
    const sent: ApiNode = { parent: node.parent === null ? null : places.get(node.parent)! };
    for (const name of SENT) {
      if (node[name] !== undefined && node[name] !== null) {
        Object.assign(sent, { [name]: node[name] });
      }
    }
    return sent;
  });
}
