/** What is asked of the current database, in the list of games; each database remembers its own. */

import { computed, effect, signal, untracked } from "@preact/signals";
import type { Vocabulary } from "../api/types";
import { allConditions, fromParameters, positionConditions, requestOf, toParameters, type Conditions } from "../search/conditions";
import { fen, game, loadSources, route, setParameters, source, sourceFile, vocabulary } from "../state";
import { parseQuick } from "./quick";
import { Query, type Question, type Sort } from "./query";

export interface Asked {
  /** The line of the quick filter. */
  readonly quick: string;
  /** What the form asks for. */
  readonly conditions: Conditions;
  readonly sort: Sort | null;
  /** Only games that reach the position on the board. */
  readonly here: boolean;
}

export const NOTHING: Asked = { quick: "", conditions: {}, sort: null, here: false };

const asks = signal<ReadonlyMap<string, Asked>>(new Map());

export const asked = computed<Asked>(() => asks.value.get(source.value?.id ?? "") ?? NOTHING);

export function ask(change: Partial<Asked>): void {
  const id = source.peek()?.id;
  if (id !== undefined) {
    asks.value = new Map(asks.peek()).set(id, { ...asked.peek(), ...change });
  }
}

export const isFiltered = computed(
  () => asked.value.quick.trim() !== "" || asked.value.here || Object.keys(asked.value.conditions).length > 0,
);

export function questionOf({ quick, conditions, sort, here }: Asked, words: Vocabulary, shownFen: string): Question {
  const { text, conditions: parsed } = parseQuick(quick);
  const all = { ...conditions, ...parsed };
  const question: Question = { headers: requestOf(all, words.headers) };
  const position = requestOf(all, positionConditions(words));
  if (here) {
    position["fen"] = [shownFen];
  }
  if (Object.keys(position).length > 0) {
    question.position = position;
  }
  return { ...question, ...(text && { text }), ...(sort && { sort }) };
}

/** Whether the list takes the whole page, board and notation being hidden meanwhile. */
export const wide = signal(false);

effect(() => {
  document.documentElement.dataset["list"] = wide.value && route.value.tab === "games" ? "wide" : "";
});

/** The list itself. */
export const list = new Query();

/** The open record, if it is one of the list; not while the list is about a file that has changed since. */
export const currentRecord = computed<number | null>(() => {
  const { source: from, number, generation } = game.value;
  const shown = list.status.value;
  const isListed = from !== undefined && from === shown?.source && (!generation || generation === shown.generation);
  return isListed ? (number ?? null) : null;
});

/** A database that was opened by the question has told how many records it holds. */
effect(() => {
  if (list.status.value?.complete && source.peek()?.records == null) {
    void loadSources();
  }
});

/** What is asked, as parameters of the address, so that a list is a link and reloading the page keeps it. */
function parametersOf({ quick, conditions, sort, here }: Asked): Record<string, string | null> {
  return {
    q: quick || null,
    where: toParameters(conditions).toString() || null,
    sort: sort && (sort.descending ? "-" : "") + sort.by,
    here: here ? "1" : null,
  };
}

export function askedBy({ q = "", where = "", sort = "", here }: Record<string, string>, words: Vocabulary): Asked {
  const by = sort.replace(/^-/, "");
  return {
    quick: q,
    conditions: fromParameters(new URLSearchParams(where), allConditions(words)),
    sort: words.sort.includes(by) ? { by, descending: sort.startsWith("-") } : null,
    here: here === "1",
  };
}

/** What the address asked for when the page was opened, until there is a database to ask. */
let opened: Record<string, string> | null = route.peek().tab === "games" ? route.peek().parameters : {};

function adoptAddress(words: Vocabulary): void {
  const parameters = opened;
  opened = null;
  if (parameters && Object.keys(parameters).length > 0) {
    ask(askedBy(parameters, words));
  }
}

/** What the page itself wrote into the address; anything else was put there by Back, Forward, or a link. */
let written = "";

const spelled = (parameters: Record<string, string | null>): string =>
  ["q", "where", "sort", "here"].map((name) => parameters[name] ?? "").join("\n").trim();

effect(() => {
  const { tab, parameters } = route.value;
  const ours = parametersOf(asked.value);
  const words = vocabulary.value;
  if (tab !== "games" || opened !== null || !words) {
    return;
  }
  const there = spelled(parameters);
  const isForeign = there !== "" && there !== written && there !== spelled(ours);
  written = isForeign ? there : spelled(ours);
  if (isForeign) {
    untracked(() => ask(askedBy(parameters, words)));
  } else {
    queueMicrotask(() => route.peek().tab === "games" && setParameters(ours)); // the address of this step is set by now
  }
});

const TYPING_MS = 220;
let last = { key: "", source: "", changing: "" };

/** Ask again whenever what is asked changes: after a moment while somebody types or walks through a game, else at once. */
export function followAsked(): void {
  effect(() => {
    const database = source.value;
    const words = vocabulary.value;
    if (!database || !words) {
      return;
    }
    untracked(() => adoptAddress(words));
    const shown = asked.value;
    const position = shown.here ? fen.value : "";
    const question = questionOf(shown, words, position);
    const key = JSON.stringify([sourceFile.value, question]);
    const next = { key, source: database.id, changing: JSON.stringify([shown.quick, position]) };
    if (key === last.key) {
      return;
    }
    const begin = (): void => {
      last = next;
      untracked(() => list.ask(database.id, question));
    };
    if (next.source !== last.source || next.changing === last.changing) {
      begin();
      return;
    }
    const timer = setTimeout(begin, TYPING_MS);
    return () => clearTimeout(timer);
  });
}
