/** The game on the board: its tree, where one is in it, and what one does with it.
 *
 * The rules of chess are asked from the server (`positionOf`); this file only knows trees. Edited games are kept as
 * drafts while the page is open, so looking at another game loses nothing. A board without a record is in the address.
 */

import { batch, computed, effect, signal, untracked } from "@preact/signals";
import { api } from "../api/client";
import type { ApiGame, ApiNode, LegalMove, PositionAnswer } from "../api/types";
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
  parentOf,
  pathOf,
  promoted,
  promotedToMain,
  START_FEN,
  treeFrom,
  variationStart,
  withMove,
  without,
  withoutAll,
  withoutComments,
  withoutContinuation,
  withoutRemarks,
  withRemarks,
  type MoveNode,
  type Tree,
} from "../game/tree";
import { report } from "./notices";
import { go, isNarrow, route, type Line, type Tab } from "./route";

export interface OpenGame extends Omit<ApiGame, "nodes"> {
  /** Null for a board without a record behind it. */
  source: string | undefined;
  tree: Tree;
  /** The tree and tags as they are in the file. */
  saved: { tree: Tree; tags: [string, string][] };
}

interface Draft {
  game: OpenGame;
  past: readonly Step[];
  future: readonly Step[];
}

interface Step {
  tree: Tree;
  tags: [string, string][];
  at: number;
}

function blank(fen: string = START_FEN, chess960 = false, tree: Tree = emptyTree(fen)): OpenGame {
  const tags: [string, string][] = fen === START_FEN ? [] : [["SetUp", "1"], ["FEN", fen]];
  return {
    kind: "game",
    source: undefined,
    tags,
    title: "Analysis",
    chess960,
    start: fen === START_FEN ? null : fen,
    tree,
    saved: { tree, tags },
  };
}

/** The open record; a board without a record if none was chosen. */
export const game = signal<OpenGame>(blank());
/** True from the click on a game until it is there. */
export const opening = signal(false);
/** Place of the current move in the tree. */
export const at = signal(0);
export const past = signal<readonly Step[]>([]);
export const future = signal<readonly Step[]>([]);

export const node = computed<MoveNode>(() => nodeOf(game.value.tree, at.value));
/** The position on the board; after moves that cannot be played, the last one that could be shown. */
export const fen = computed<string>(() => {
  for (let shown: MoveNode | null = node.value; shown; shown = parentOf(game.value.tree, shown)) {
    if (shown.fen) {
      return shown.fen;
    }
  }
  return START_FEN;
});
export const path = computed(() => pathOf(game.value.tree, at.value));
export const chess960 = computed(() => game.value.chess960 === true);
export const changed = computed(
  () => game.value.tree !== game.value.saved.tree || game.value.tags !== game.value.saved.tags,
);
/** What an address says about a board without a record: the line that a move is in; null at the start of a game. */
export function lineOf({ tree, start, chess960 }: OpenGame, id: number): Line | null {
  const moves = lineThrough(tree, id);
  const ply = Math.min(lineTo(tree, id).length - 1, moves.length);
  return start || moves.length ? { start: start ?? START_FEN, chess960: chess960 === true, moves, ply } : null;
}

export const line = computed<Line | null>(() => lineOf(game.value, at.value));

// Rules.

const answers = new Map<string, Promise<PositionAnswer>>();
const REMEMBERED_POSITIONS = 500;

/** What the rules say about a position: legal moves with the positions after them, check, mate. */
export function positionOf(fen: string, chess960 = false): Promise<PositionAnswer> {
  const key = `${chess960 ? "960 " : ""}${fen}`;
  let answer = answers.get(key);
  if (!answer) {
    answer = api.get<PositionAnswer>("/api/position", { parameters: { fen, chess960 } });
    answers.set(key, answer);
    answer.catch(() => answers.delete(key));
    if (answers.size > REMEMBERED_POSITIONS) {
      answers.delete(answers.keys().next().value!);
    }
  }
  return answer;
}

/** What the rules say about the position on the board; null until the server has answered. */
export const position = signal<PositionAnswer | null>(null);

const SETTLING_MS = 60;

effect(() => {
  const shown = fen.value;
  const variant = chess960.value;
  let isShown = true;
  position.value = null;
  const timer = setTimeout(() => {
    positionOf(shown, variant).then(
      (answer) => isShown && (position.value = answer),
      (error: unknown) => isShown && report(error),
    );
  }, SETTLING_MS); // whoever holds an arrow key asks for the last position only
  return () => {
    isShown = false;
    clearTimeout(timer);
  };
});

// Opening.

const drafts = new Map<string, Draft>();
const nameOf = ({ source, number, start }: OpenGame): string => (source === undefined ? `/${start ?? ""}` : `${source}/${number}`);

/** Whether there are changes that were not saved; a mere line on a board without a record is in the address. */
export const hasDrafts = (): boolean => isAtRisk(game.peek()) || [...drafts.values()].some((draft) => isAtRisk(draft.game));
const isAtRisk = ({ source, tree, tags, saved }: OpenGame): boolean =>
  tags !== saved.tags || (tree !== saved.tree && (source !== undefined || !isBareLine(tree)));
const isChanged = ({ game: { tree, tags, saved } }: Draft): boolean => tree !== saved.tree || tags !== saved.tags;

function show(next: Draft, path: string): void {
  const shown = game.peek();
  if (changed.peek()) {
    drafts.set(nameOf(shown), { game: shown, past: past.peek(), future: future.peek() });
  }
  drafts.delete(nameOf(next.game));
  batch(() => {
    giveUp();
    game.value = next.game;
    past.value = next.past;
    future.value = next.future;
    at.value = nodeAt(next.game.tree, path);
  });
}

/** Open a record, at a position if a path (or a number of plies along the main line) is given. */
export function openGame(source: string, number: number, path: string | number = "0"): void {
  const { tab, parameters } = route.peek();
  const isBeside = WITH_BOARD.includes(tab) || tab === "texts";
  const next = isNarrow() ? "board" : isBeside ? tab : "games";
  go({ tab: next, source, number, path: String(path), parameters: next === tab ? parameters : {} });
}

/** Show a position without a record, for looking and for trying moves. */
export function openPosition(fen: string = START_FEN, chess960 = false): void {
  const { tab } = route.peek();
  batch(() => {
    showGame(blank(fen, chess960), "0");
    go({ tab: isNarrow() ? "board" : WITH_BOARD.includes(tab) ? tab : "games", number: null, path: "0", line: line.peek() });
  });
}

/** The same with a position that somebody wrote, as the server understands it. */
export const openFen = (text: string): Promise<void> => showAnswer(() => positionOf(text), ({ fen }) => openPosition(fen));

/** Tabs that leave room for the board. */
const WITH_BOARD: readonly Tab[] = ["games", "search", "books"];

let loading = new AbortController();

/** What was asked for is not wanted any more. */
function giveUp(): void {
  loading.abort();
  opening.value = false;
}

/** Show what is asked for, unless something else is shown or asked for before it comes. */
async function showAnswer<T>(ask: (signal: AbortSignal) => Promise<T>, show: (answer: T) => void): Promise<void> {
  giveUp();
  const { signal } = (loading = new AbortController());
  opening.value = true;
  let answer: T;
  try {
    answer = await ask(signal);
  } catch (error) {
    if (!signal.aborted) {
      giveUp();
      report(error);
    }
    return;
  }
  if (!signal.aborted) {
    show(answer);
  }
}

const showGame = (game: OpenGame, path: string): void => show({ game, past: [], future: [] }, path);

/** Ask for a record again and show it, whatever was changed in it. */
export function load(source: string, number: number, path = "0"): Promise<void> {
  const place = `/api/sources/${encodeURIComponent(source)}/games/${number}`;
  return showAnswer(async (signal) => {
    const { nodes, ...rest } = await api.get<ApiGame>(place, { signal });
    const tree = treeFrom(nodes?.length ? nodes : [{ parent: null, fen: rest.start ?? START_FEN }]);
    return { ...rest, source, number, tree, saved: { tree, tags: rest.tags } };
  }, (game) => showGame(game, path));
}

/** Show the line that an address tells; the server plays its moves. */
function loadLine({ start, chess960, moves, ply }: Line): Promise<void> {
  return showAnswer(async (signal) => {
    const { fen } = await positionOf(start, chess960);
    const parameters = { fen, chess960, play: moves.join(",") };
    const { played } = await api.get<{ played: Omit<ApiNode, "parent">[] }>("/api/position", { parameters, signal });
    const nodes = played.map(({ number, color, san, uci, fen, check }, index) => {
      return { parent: index, ply: index + 1, number, color, san, uci, fen, check } as ApiNode;
    });
    return blank(fen, chess960, treeFrom([{ parent: null, ply: 0, fen }, ...nodes]));
  }, (game) => showGame(game, String(ply)));
}

/** Bring what the address tells on a board without a record: what is there, or was before, else the line itself. */
function showLine(told: Line | null): void {
  const shown = game.peek();
  if (told === null) {
    if (shown.source !== undefined || line.peek() !== null) {
      showGame(blank(), "0");
    }
    return;
  }
  const holds = (open: OpenGame | undefined): boolean =>
    open !== undefined &&
    open.source === undefined &&
    (open.start ?? START_FEN) === told.start &&
    (open.chess960 === true) === told.chess960 &&
    nodeAlong(open.tree, told.moves) !== null;
  const draft = drafts.get(nameOf(blank(told.start)));
  const place = (tree: Tree): number => nodeAlong(tree, told.moves.slice(0, told.ply)) ?? 0;
  if (holds(shown)) {
    at.value = place(shown.tree);
  } else if (draft && holds(draft.game)) {
    show(draft, pathOf(draft.game.tree, place(draft.game.tree)));
  } else {
    void loadLine(told);
  }
}

/** Let the board follow the address, and the address follow the board. */
export function followAddress(): void {
  let asked = "";
  effect(() => {
    const { source, number, path, line } = route.value;
    const shown = game.peek();
    const place = JSON.stringify([source, number, line]);
    if (place !== asked) {
      asked = place;
      giveUp(); // the address may lead back to what is shown
    }
    if (source === null || number === null) {
      untracked(() => showLine(line));
    } else if (shown.source !== source || shown.number !== number) {
      const draft = drafts.get(`${source}/${number}`);
      if (draft) {
        show(draft, path);
      } else {
        void load(source, number, path);
      }
    } else if (pathOf(shown.tree, at.peek()) !== path) {
      at.value = nodeAt(shown.tree, path);
    }
  });
  effect(() => {
    const { source, number } = game.value;
    const change = source === undefined ? { line: line.value } : { path: path.value };
    const told = route.peek();
    if (source === undefined ? told.number === null && !opening.peek() : told.source === source && told.number === number) {
      go(change, { replace: true });
    }
  });
  addEventListener("beforeunload", (event) => {
    if (hasDrafts()) {
      event.preventDefault();
    }
  });
}

// Walking.

export function select(id: number): void {
  at.value = nodeOf(game.peek().tree, id).id;
}

export function forward(): boolean {
  const next = node.peek().children[0];
  if (next !== undefined) {
    select(next);
  }
  return next !== undefined;
}

export function backward(): void {
  const { parent } = node.peek();
  if (parent !== null) {
    select(parent);
  }
}

export const toStart = (): void => select(0);
export const toEnd = (): void => select(mainLine(game.peek().tree, at.peek()).at(-1)!.id);

/** To the other ways to play the current move, round and round. */
export function nextAlternative(step: 1 | -1): void {
  const shown = node.peek();
  const siblings = parentOf(game.peek().tree, shown)?.children ?? [];
  const next = siblings[(siblings.indexOf(shown.id) + step + siblings.length) % siblings.length];
  if (next !== undefined) {
    select(next);
  }
}

/** Out of a variation: to the move that it replaces. On the main line there is nothing to leave. */
export function leaveVariation(): void {
  const start = variationStart(game.peek().tree, at.peek());
  const main = start && parentOf(game.peek().tree, start)?.children[0];
  if (main != null) {
    select(main);
  }
}

// Editing.

/** Whether the page may change this game: some are shown only in part. */
export const editable = computed(() => game.value.kind === "game" && !game.value.truncated);

function edit(tree: Tree, to: number = at.peek(), tags = game.peek().tags): void {
  const before = game.peek();
  if (tree === before.tree && tags === before.tags) {
    return;
  }
  batch(() => {
    past.value = [...past.peek(), { tree: before.tree, tags: before.tags, at: at.peek() }];
    future.value = [];
    game.value = { ...before, tree, tags };
    at.value = nodeOf(tree, to).id;
  });
}

/** Change the moves; one step for undo. Stay on the current move, or go to another. */
export const changeTree = (tree: Tree, to: number = at.peek()): void => edit(tree, to);

function travel(from: typeof past, to: typeof past): void {
  const step = from.peek().at(-1);
  if (step) {
    const { tree, tags } = game.peek();
    batch(() => {
      to.value = [...to.peek(), { tree, tags, at: at.peek() }];
      from.value = from.peek().slice(0, -1);
      game.value = { ...game.peek(), tree: step.tree, tags: step.tags };
      at.value = nodeOf(step.tree, step.at).id;
    });
  }
}

export const undo = (): void => travel(past, future);
export const redo = (): void => travel(future, past);

const plays = (move: LegalMove, uci: string): boolean =>
  move.uci === uci || (move.rook != null && uci === move.from + move.rook);

/** Play a move (UCI) in the position on the board: along the game if it goes that way, else as a new variation. */
export async function playMove(uci: string): Promise<boolean> {
  const { tree } = game.peek();
  const here = node.peek();
  const known = here.children.find((child) => nodeOf(tree, child).uci === uci);
  if (known !== undefined) {
    select(known);
    return true;
  }
  if (!here.fen) {
    return false;
  }
  const { saved } = game.peek();
  try {
    const answer = await positionOf(here.fen, chess960.peek());
    const nothing = uci === "0000" ? answer.null_move : null;
    const move = nothing ?? answer.moves.find((legal) => plays(legal, uci));
    const isStillHere = game.peek().saved === saved && at.peek() === here.id; // it may have got a comment meanwhile
    if (!move || !isStillHere || !editable.peek()) {
      return false;
    }
    if (move.uci !== uci) {
      return await playMove(move.uci);
    }
    const next: Omit<ApiNode, "parent"> = {
      ply: (here.ply ?? 0) + 1,
      number: Number(here.fen.split(" ")[5]) || 1,
      color: answer.turn,
      san: move.san,
      uci: move.uci,
      fen: move.fen,
      check: "check" in move ? move.check === true : false,
    };
    edit(...withMove(game.peek().tree, here.id, next));
    return true;
  } catch (error) {
    report(error);
    return false;
  }
}

export const setRemarks = (change: Partial<ApiNode>, id: number = at.peek()): void =>
  edit(withRemarks(game.peek().tree, id, change));

let typed: { tree: Tree; field: string } | null = null;

/** Change what is said about a move with every letter that is typed into a field.
 *
 * Nothing waits for the end of typing, so nothing can be lost or get to another move; for undo it is one step as long as
 * nothing else is changed in between.
 */
export function typeRemarks(field: string, change: Partial<ApiNode>, id: number): void {
  const before = game.peek();
  const tree = withRemarks(before.tree, id, change);
  if (typed?.tree === before.tree && typed.field === field) {
    game.value = { ...before, tree };
  } else {
    edit(tree);
  }
  typed = { tree, field };
}

export const promoteLine = (id: number = at.peek()): void => edit(promoted(game.peek().tree, id));
export const promoteLineToMain = (id: number = at.peek()): void => edit(promotedToMain(game.peek().tree, id));

export function deleteFrom(id: number = at.peek()): void {
  const { tree } = game.peek();
  const { parent } = nodeOf(tree, id);
  if (parent !== null) {
    edit(without(tree, id), leadsTo(tree, id, at.peek()) ? parent : at.peek());
  }
}

export const deleteContinuation = (id: number = at.peek()): void =>
  edit(withoutContinuation(game.peek().tree, id), leadsTo(game.peek().tree, id, at.peek()) ? id : at.peek());

/** Take out the alternatives to a move and to those that follow it on its line. */
export function deleteVariationsFrom(id: number): void {
  const { tree } = game.peek();
  const alternatives = alternativesFrom(tree, id);
  if (alternatives.length) {
    const left = withoutAll(tree, alternatives);
    edit(left, lineTo(tree, at.peek()).findLast((move) => left.nodes[move.id])!.id);
  }
}

/** Take out the comments of a move and of all that follow it, in variations as well. */
export const deleteCommentsFrom = (id: number): void =>
  edit(withoutComments(game.peek().tree, commentedFrom(game.peek().tree, id)));

/** Leave nothing but the main line. */
export function deleteVariations(): void {
  const { tree } = game.peek();
  if (tree.nodes.some((node) => node && node.children.length > 1)) {
    const main = lineAlone(tree, 0);
    edit(main, lineTo(tree, at.peek()).findLast(({ id }) => main.nodes[id])!.id);
  }
}

/** Take out all symbols, comments, squares and arrows. */
export const clearRemarks = (): void => edit(withoutRemarks(game.peek().tree));
export const setTags = (tags: [string, string][]): void => edit(game.peek().tree, at.peek(), tags);

/** A source went from one generation to the next by what the page did alone: its open games are still as in the file. */
const renewed = (open: OpenGame, source: string, [before, after]: [string | undefined, string]): OpenGame =>
  open.source === source && open.generation === before ? { ...open, generation: after } : open;

/** Another game was added to a source: those that are open stay as they are. */
export function markAdded(source: string, generations: [string | undefined, string]): void {
  for (const [name, draft] of drafts) {
    drafts.set(name, { ...draft, game: renewed(draft.game, source, generations) });
  }
  game.value = renewed(game.peek(), source, generations);
}

/** A game as it was sent is now in the file, as this record; the file went from one generation to the next by that alone.
 *
 * Meanwhile its moves may have been changed again, or another game may be open: neither of them is what was saved.
 */
export function markSaved(sent: OpenGame, source: string, number: number, generations: [string | undefined, string]): void {
  const stored = (open: OpenGame): OpenGame =>
    open.saved === sent.saved
      ? { ...open, source, number, generation: generations[1], saved: { tree: sent.tree, tags: sent.tags } }
      : renewed(open, source, generations);
  const waiting = [...drafts.values()].map((draft) => ({ ...draft, game: stored(draft.game) })).filter(isChanged);
  drafts.clear();
  waiting.forEach((draft) => drafts.set(nameOf(draft.game), draft));
  const shown = game.peek();
  game.value = stored(shown);
  if (shown.saved === sent.saved) {
    drafts.delete(nameOf(game.peek()));
    if (!opening.peek()) {
      go({ source, number, path: path.peek() }, { replace: true });
    }
  }
}
