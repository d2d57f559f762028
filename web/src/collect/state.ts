/** Games that are put together in a database: new databases, and games of others that are added to one. */

import { signal } from "@preact/signals";
import { api } from "../api/client";
import type { Collected, Saved, Source } from "../api/types";
import { list } from "../games/list";
import { count } from "../shell/numbers";
import { about, chooseSource, game, go, loadSources, markAdded, notify, report, source, sources } from "../state";
import { t, tn } from "../translation";

/** What the dialog is open for: the games of the list, the open game, or just a new database. */
export type Purpose = "list" | "game" | "nothing";
export const purpose = signal<Purpose | null>(null);
export const busy = signal(false);

/** Whether the server writes files, so that there can be new ones. */
export const canCreate = (): boolean => about.value?.write === true;

/** Make an empty database in the folder of the current one. */
export async function createDatabase(name: string, format: string): Promise<Source | null> {
  try {
    const made = await api.post<Source>("/api/databases", { name, format, beside: source.peek()?.id });
    await loadSources();
    return made;
  } catch (error) {
    report(error);
    return null;
  }
}

/** Look at a database that was just made. */
export function show({ id, name }: Source): void {
  chooseSource(id);
  go({ tab: "games", parameters: {} });
  notify(t("{name} is ready. It takes games with “Add to …”.", { name }));
}

const nameOf = (id: string): string => sources.peek().find((other) => other.id === id)?.name ?? id;
const generationOf = async (id: string): Promise<string | undefined> =>
  (await api.get<Source>(`/api/sources/${encodeURIComponent(id)}`)).generation ?? undefined;

/** Add what the list shows to a database; whether that was done. */
export async function addList(target: string): Promise<boolean> {
  const status = list.status.peek();
  if (!status) {
    return false;
  }
  try {
    const before = await generationOf(target);
    const path = `/api/sources/${encodeURIComponent(target)}/collect`;
    const answer = await api.post<Collected>(path, { query: status.query, generation: before });
    markAdded(target, [before, answer.generation]);
    const said = tn(answer.added, "{n} game was added to {database}.", "{n} games were added to {database}.", {
      n: count(answer.added),
      database: nameOf(target),
    });
    notify([said, ...answer.losses, ...answer.remarks].join(" "));
    await loadSources();
    return true;
  } catch (error) {
    report(error);
    return false;
  }
}

/** Mark the open record as deleted, or take the mark back. */
export async function markDeleted(deleted: boolean): Promise<void> {
  const { source: from, number, generation } = game.peek();
  if (from === undefined || number === undefined) {
    return;
  }
  try {
    const place = `/api/sources/${encodeURIComponent(from)}/games/${number}/deleted`;
    const saved = await api.put<Saved>(place, { deleted, generation });
    markAdded(from, [generation, saved.generation]);
    game.value = { ...game.peek(), deleted };
    notify(
      deleted
        ? t("Game {number} is marked as deleted. It stays in {database} until that is compacted.", { number: count(number), database: nameOf(from) })
        : t("Game {number} is restored.", { number: count(number) }),
    );
    await loadSources();
  } catch (error) {
    report(error);
  }
}
