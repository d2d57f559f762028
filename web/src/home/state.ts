/** What the start page knows: databases opened before, and libraries that are being made. They outlive its tab. */

import { signal } from "@preact/signals";
import { api } from "../api/client";
import type { Home, Job, RecentSource, Source } from "../api/types";
import { plainName, plainText } from "../shell/text";
import { about, chooseSource, go, loadSources, notify, report } from "../state";
import { t } from "../translation";

export const recent = signal<readonly RecentSource[]>([]);
export const recentLoaded = signal(false);

export async function loadRecent(): Promise<void> {
  if (about.peek()?.recent !== true) {
    recentLoaded.value = about.peek() !== null;
    return;
  }
  try {
    const answer = await api.get<Home>("/api/home");
    recent.value = answer.recent.map((each) => ({ ...each, name: plainName(each.name), path: plainText(each.path) }));
  } catch (error) {
    report(error);
  } finally {
    recentLoaded.value = true;
  }
}

/** Show a database or a book. */
export function openSource({ id, kind }: Pick<Source, "id" | "kind">): void {
  if (kind === "book") {
    go({ tab: "books", parameters: {} });
  } else {
    chooseSource(id);
    go({ tab: "games", parameters: {} });
  }
}

export const opening = signal<number | null>(null);

export async function openRecent({ recent: number }: RecentSource): Promise<void> {
  if (opening.peek() !== null) {
    return;
  }
  opening.value = number;
  try {
    const source = await api.post<Source>(`/api/recent/${number}/open`, {});
    await loadSources();
    openSource(source);
  } catch (error) {
    report(error);
  } finally {
    opening.value = null;
    await loadRecent();
  }
}

export async function forgetRecent({ recent: number }: RecentSource): Promise<void> {
  recent.value = recent.peek().filter((other) => other.recent !== number);
  await api.delete(`/api/recent/${number}`).catch(report);
  await loadRecent();
}

export async function forgetAll(): Promise<void> {
  await api.delete("/api/recent").catch(report);
  await loadRecent();
}

/** Libraries that are being made, by the database. */
export const builds = signal<ReadonlyMap<string, Job>>(new Map());

const WAIT_MS = 1000;

const setBuild = (id: string, job: Job | null): void => {
  const next = new Map(builds.peek());
  if (job) {
    next.set(id, job);
  } else {
    next.delete(id);
  }
  builds.value = next;
};

/** Convert a database to a library beside it, which answers at once. */
export async function makeFast({ id, name }: Source): Promise<void> {
  if (builds.peek().has(id)) {
    return;
  }
  try {
    let job = await api.post<Job>(`/api/sources/${encodeURIComponent(id)}/library`, {});
    setBuild(id, job);
    while (job.state === "running") {
      job = await api.get<Job>(`/api/conversions/${job.job}`, { parameters: { wait: WAIT_MS } });
      setBuild(id, job);
    }
    await api.delete(`/api/conversions/${job.job}`);
    await loadSources();
    if (job.error) {
      notify(job.error, "error");
    } else if (job.state === "done" && job.made) {
      notify(t("The library of {name} is ready.", { name }));
    }
  } catch (error) {
    report(error);
  } finally {
    setBuild(id, null);
    await loadRecent();
  }
}

export function stopMaking(id: string): void {
  const job = builds.peek().get(id);
  if (job) {
    api.delete(`/api/conversions/${job.job}`).catch(report);
  }
}
