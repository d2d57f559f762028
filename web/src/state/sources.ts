/** The databases and books that the server opened, and the one that is looked at. */

import { computed, signal } from "@preact/signals";
import { api } from "../api/client";
import { said } from "../api/sentences";
import type { About, Source, Vocabulary } from "../api/types";
import { plainName, plainText } from "../shell/text";
import { report } from "./notices";
import { go, route } from "./route";

export const about = signal<About | null>(null);
export const sources = signal<readonly Source[]>([]);
/** Names of files that the server was given but could not open. */
export const skipped = signal<readonly string[]>([]);
export const sourcesLoaded = signal(false);
/** Whether the server is still looking through its folder. */
export const looking = signal(false);
export const vocabulary = signal<Vocabulary | null>(null);

export const databases = computed(() => sources.value.filter((source) => source.kind === "database"));
export const books = computed(() => sources.value.filter((source) => source.kind === "book"));

/** The current database: the one of the address, else the first. */
export const source = computed<Source | null>(() => {
  const chosen = databases.value.find(({ id }) => id === route.value.source);
  return chosen ?? databases.value[0] ?? null;
});

let file: { id?: string | undefined; generation?: string | null | undefined; turn: number } = { turn: 0 };

/** Changes with the current database and with its file: then whatever was asked about it has to be asked again.
 *
 * That it is opened, which the first question does, is no change: only its generation was not known before.
 */
export const sourceFile = computed(() => {
  const { id, generation } = source.value ?? {};
  const isAnother = id !== file.id || (file.generation != null && generation !== file.generation);
  file = { id, generation, turn: file.turn + Number(isAnother) };
  return id === undefined ? null : `${id} ${file.turn}`;
});

let asked = 0;
let heard = 0;
let again: ReturnType<typeof setTimeout> | undefined;

/** Names of files stand in sentences, which they must not turn round. */
const plain = (told: Source): Source => ({
  ...told,
  name: plainName(told.name),
  ...(told.error && { error: said(told.error) }),
  ...(told.path && { path: plainText(told.path) }),
  ...(told.remarks && { remarks: told.remarks.map(said) }),
});

/** What is as it was stays the same object, so that nobody has to ask about it again. */
const kept = (told: Source): Source =>
  sources.peek().find((known) => known.id === told.id && JSON.stringify(known) === JSON.stringify(told)) ?? told;

/** Ask for the list again, for example after an upload; while sources are looked for or read, keep asking. */
export async function loadSources(): Promise<void> {
  const turn = ++asked;
  try {
    const answer = await api.get<{ sources: Source[]; skipped?: string[]; looking?: boolean }>("/api/sources");
    if (turn < heard) {
      return; // a later question was answered before
    }
    heard = turn;
    sources.value = answer.sources.map(plain).map(kept);
    looking.value = answer.looking === true;
    skipped.value = (answer.skipped ?? []).map(plainText);
    clearTimeout(again);
    if (looking.value || answer.sources.some(({ open, complete, error }) => open && !complete && !error)) {
      again = setTimeout(() => void loadSources(), 1_000);
    }
  } catch (error) {
    report(error);
  } finally {
    sourcesLoaded.value = true;
  }
}

/** Look at another database; the open game stays on the board until another is opened. */
export function chooseSource(id: string): void {
  go({ source: id, number: null, path: "0", parameters: {} });
}

export async function loadSession(): Promise<void> {
  try {
    [about.value, vocabulary.value] = await Promise.all([
      api.get<About>("/api"),
      api.get<Vocabulary>("/api/vocabulary"),
      loadSources(),
    ]);
  } catch (error) {
    report(error);
  }
}
