/** Out of the page: into a database, or as PGN. The server checks every move and keeps what the page does not edit. */

import { computed, signal } from "@preact/signals";
import { api, ApiError } from "../api/client";
import { said as ofServer } from "../api/sentences";
import type { Saved, Source } from "../api/types";
import { copy } from "../shell/clipboard";
import { count } from "../shell/numbers";
import { t } from "../translation";
import { about, at, game, load, loadSources, markAdded, markSaved, notify, path, report, source, sources, type OpenGame } from "../state";
import { editing } from "./editing";
import { lineAlone, nodesToSend } from "./tree";

const refused = signal<{ saved: OpenGame["saved"]; sentence: string } | null>(null);
/** Why the open game was not saved: the file changed meanwhile. The sentence is the server's. */
export const conflict = computed(() => (refused.value?.saved === game.value.saved ? refused.value.sentence : null));
export const saving = signal(false);

const current = computed(() => sources.value.find(({ id }) => id === game.value.source) ?? null);
/** Whether the open record can be replaced in its file. */
export const canReplace = computed(() => current.value?.replace === true && game.value.number !== undefined);
/** Why the open record cannot be replaced in its file although the server may write; null if it can, or if there is none. */
export const notReplaced = computed(() => {
  const { name, origin, replace, format_title, format } = current.value ?? {};
  if (!about.value?.write || name === undefined || replace || game.value.number === undefined) {
    return null;
  }
  return origin === "upload"
    ? t("{database} is a copy that was brought onto this page, so nothing is saved into it.", { database: name })
    : t("Games of {database} cannot be replaced: {format} is only read or added to.", {
        database: name,
        format: format_title ?? format ?? "",
      });
});
/** Databases that take new games; that of the open record first, else the one whose list is shown. */
export const targets = computed(() => {
  const taking = sources.value.filter(({ kind, append }) => kind === "database" && append);
  const first = game.value.source ?? source.value?.id;
  return [...taking.filter(({ id }) => id === first), ...taking.filter(({ id }) => id !== first)];
});
/** The database that was chosen for new games; a choice alone saves nothing. */
export const chosenTarget = signal<string | null>(null);
/** Where the button saves a new game: the chosen database, else the one of the open record, else the first. */
export const target = computed(() => targets.value.find(({ id }) => id === chosenTarget.value) ?? targets.value[0] ?? null);

function body(shown: OpenGame): object {
  const { tags, start, chess960, tree } = shown;
  return { tags, start: start ?? null, chess960: chess960 ?? false, nodes: nodesToSend(tree) };
}

function base({ source, number, generation }: OpenGame): object {
  return source !== undefined && number !== undefined ? { base: { source, number, generation } } : {};
}

type Generations = [string | undefined, string];

async function save(
  sent: OpenGame,
  seen: () => Promise<string | undefined>,
  question: (generation: string | undefined) => Promise<Saved>,
  done: (saved: Saved, generations: Generations) => void,
  said: (saved: Saved) => string,
): Promise<void> {
  saving.value = true;
  try {
    const before = await seen();
    const saved = await question(before);
    refused.value = null;
    done(saved, [before, saved.generation]);
    notify(said(saved));
    [...(saved.losses ?? []), ...(saved.remarks ?? [])].forEach((sentence) => notify(ofServer(sentence)));
    await loadSources();
  } catch (error) {
    if (error instanceof ApiError && error.status === 409) {
      refused.value = { saved: sent.saved, sentence: error.sentence };
      editing.value = true; // where the sentence is, with what one can do about it
    } else {
      report(error);
    }
  } finally {
    saving.value = false;
  }
}

const place = (source: string): string => `/api/sources/${encodeURIComponent(source)}/games`;
const nameOf = (id: string): string => sources.peek().find((source) => source.id === id)?.name ?? id;

export function replaceGame(): Promise<void> {
  const shown = game.peek();
  const { source = "", number = 0 } = shown;
  return save(
    shown,
    async () => shown.generation,
    (generation) => api.put<Saved>(`${place(source)}/${number}`, { game: body(shown), generation }),
    (saved, generations) => markSaved(shown, source, saved.number, generations),
    () => t("Saved in {database}.", { database: nameOf(source) }),
  );
}

/** Send a game as a new one of a database. */
function append(
  source: string,
  done: (shown: OpenGame, saved: Saved, generations: Generations) => void,
  said: (saved: Saved) => string,
): Promise<void> {
  const shown = game.peek();
  return save(
    shown,
    // A game more changes none of those that are there, so it goes to the file as it is now.
    async () => (await api.get<Source>(`/api/sources/${encodeURIComponent(source)}`)).generation ?? undefined,
    (generation) => api.post<Saved>(place(source), { game: body(shown), ...base(shown), generation }),
    (saved, generations) => done(shown, saved, generations),
    said,
  );
}

/** Save the open game as a new one, and go on with that. */
export const saveAsNew = (source: string): Promise<void> =>
  append(
    source,
    (shown, saved, generations) => markSaved(shown, source, saved.number, generations),
    ({ number }) => t("Saved as game {number} of {database}.", { number: count(number), database: nameOf(source) }),
  );

/** Add the open game, as it is now, to a database, and go on with the one that is open. */
export const addTo = (source: string): Promise<void> =>
  append(
    source,
    (_, __, generations) => markAdded(source, generations),
    ({ number }) => t("Added as game {number} to {database}.", { number: count(number), database: nameOf(source) }),
  );

/** Give up what was changed and look at the record as it is in the file now. */
export async function reload(): Promise<void> {
  const { source, number } = game.peek();
  refused.value = null;
  if (source !== undefined && number !== undefined) {
    await load(source, number, path.peek());
    await loadSources();
  }
}

/** A file name that every system takes: letters, digits and hyphens of the title. */
export function fileName(title: string): string {
  const plain = title.normalize("NFKD").replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-+|-+$/g, "");
  return `${plain.slice(0, 80) || "game"}.pgn`;
}

export async function pgnText(shown: OpenGame = game.peek()): Promise<string> {
  const { pgn } = await api.post<{ pgn: string }>("/api/pgn", { game: body(shown), ...base(shown) });
  return pgn;
}

export async function downloadPgn(): Promise<void> {
  const shown = game.peek();
  try {
    const url = URL.createObjectURL(new Blob([await pgnText(shown)], { type: "application/x-chess-pgn" }));
    const link = document.createElement("a");
    link.href = url;
    link.download = fileName(shown.title ?? "");
    link.click();
    setTimeout(() => URL.revokeObjectURL(url), 60_000);
  } catch (error) {
    report(error);
  }
}

/** Copy the line of a move, the current one if none is named, without other variations. */
export function copyLine(id: number = at.peek()): Promise<void> {
  const shown = game.peek();
  return copy(pgnText({ ...shown, tree: lineAlone(shown.tree, id) }), t("This line is in the clipboard as PGN."));
}

export const copyPgn = (): Promise<void> => copy(pgnText(), t("The game is in the clipboard as PGN."));
