/** How the open game is printed: as a table or a book, and which of its variations are folded. */

import { batch, computed, effect, signal, untracked } from "@preact/signals";
import { at, game, leaveVariation, node, notationStyle, type OpenGame } from "../state";
import { leadsTo, lineTo, nodeOf, parentOf, variationStarts, type Tree } from "./tree";

type Style = "table" | "book";
interface View {
  /** What suits the game as it was when it was opened: nothing changes its looks while one annotates. */
  usual: Style;
  /** First moves of the folded variations. */
  folded: ReadonlySet<number>;
}

/** Views of games with folded variations, by record. */
const views = new Map<string, View>();
const view = signal<View>({ usual: "table", folded: new Set() });

const nameOf = ({ source, number, generation, start }: OpenGame): string => JSON.stringify([source, number, generation, start]);

/** Whether a game has texts or variations, for which the table is too narrow. */
export const isAnnotated = ({ nodes }: Tree): boolean =>
  nodes.some((node) => node && (node.children.length > 1 || node.comments?.some(({ text }) => text.trim())));

let shown: { name: string; tree: Tree } | null = null;

function follow(open: OpenGame): void {
  const name = nameOf(open);
  if (name !== shown?.name && open.tree !== shown?.tree) {
    view.value = views.get(name) ?? { usual: isAnnotated(open.saved.tree) ? "book" : "table", folded: new Set() };
  }
  shown = { name, tree: open.tree }; // the same tree under another name was saved: it looks as before
}

function fold(folded: ReadonlySet<number>): void {
  view.value = { ...view.peek(), folded };
  views.set(shown!.name, view.peek());
}

/** The variation of the current move unfolds itself. */
function unfoldFor(open: OpenGame, id: number): void {
  const before = view.peek().folded;
  const hidden = before.size ? lineTo(open.tree, id).filter((move) => before.has(move.id)) : [];
  if (hidden.length) {
    const rest = new Set(before);
    hidden.forEach((move) => rest.delete(move.id));
    fold(rest);
  }
}

effect(() => {
  const open = game.value;
  const current = at.value;
  untracked(() => {
    follow(open);
    unfoldFor(open, current);
  });
});

export const style = computed<Style>(() => (notationStyle.value === "auto" ? view.value.usual : notationStyle.value));
export const folded = computed(() => view.value.folded);

/** Fold a variation, named by its first move, or unfold it; the board leaves a variation that is folded. */
export function toggleFold(start: number): void {
  const rest = new Set(folded.peek());
  if (rest.delete(start)) {
    fold(rest);
    return;
  }
  batch(() => {
    while (leadsTo(game.peek().tree, start, at.peek())) {
      leaveVariation();
    }
    fold(rest.add(start));
  });
}

/** Variations that have more to print than their first move. */
export const foldable = computed(() => variationStarts(game.value.tree).filter((id) => nodeOf(game.value.tree, id).children.length));

/** Fold all variations but those that lead to the current move. */
export function foldAll(): void {
  const open = new Set(lineTo(game.peek().tree, node.peek().id).map(({ id }) => id));
  fold(new Set(foldable.peek().filter((id) => !open.has(id))));
}

export const unfoldAll = (): void => fold(new Set());

/** The variation that a move is printed in, if it can be folded: its first move. */
export function foldableAround(tree: Tree, id: number): number | null {
  for (let move = nodeOf(tree, id), parent = parentOf(tree, move); parent; move = parent, parent = parentOf(tree, move)) {
    if (parent.children[0] !== move.id) {
      return move.children.length ? move.id : null;
    }
  }
  return null;
}
