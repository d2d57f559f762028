/** Conversions: what is to be converted, and the work that goes on in the server. */

import { signal } from "@preact/signals";
import { api } from "../api/client";
import type { Format, Job } from "../api/types";
import { report } from "../state";

export type { Format, Job, Loss } from "../api/types";

export interface Order {
  source: string;
  query?: string | undefined;
  format: string;
  profile?: string | undefined;
  name?: string | undefined;
  options?: Record<string, string | number | boolean>;
}

export const formats = signal<readonly Format[]>([]);
/** The latest first. */
export const jobs = signal<readonly Job[]>([]);

const WAIT_MS = 1000;

const isAmong = (some: readonly Job[], { job }: Job): boolean => some.some((other) => other.job === job);

/** Those that are asked about again and again. */
const followed = new Set<string>();

/** What the page knows about jobs that it follows, or that have ended, is newer than what it is told. */
export async function loadConversions(): Promise<void> {
  const before = jobs.peek();
  try {
    const [known, running] = await Promise.all([
      formats.peek().length ? { formats: formats.peek() } : api.get<{ formats: Format[] }>("/api/formats"),
      api.get<{ conversions: Job[] }>("/api/conversions"),
    ]);
    formats.value = known.formats;
    const told = running.conversions.reverse();
    const now = jobs.peek();
    const others = told.filter((job) => !isAmong(before, job) && !isAmong(now, job));
    const kept = now.filter((job) => isAmong(told, job) || !isAmong(before, job));
    const isKnown = (job: Job): boolean => job.state !== "running" || followed.has(job.job);
    const newest = (job: Job): Job => (isKnown(job) ? job : (told.find((other) => other.job === job.job) ?? job));
    jobs.value = [...kept.map(newest), ...others];
    jobs.value.forEach((job) => void follow(job));
  } catch (error) {
    report(error);
  }
}

export async function convert(order: Order): Promise<void> {
  try {
    const job = await api.post<Job>("/api/conversions", order);
    jobs.value = [job, ...jobs.peek()];
    await follow(job);
  } catch (error) {
    report(error);
  }
}

async function follow(begun: Job): Promise<void> {
  if (followed.has(begun.job)) {
    return;
  }
  followed.add(begun.job);
  try {
    for (let job = begun; job.state === "running" && isAmong(jobs.peek(), begun); ) {
      job = await api.get<Job>(`/api/conversions/${begun.job}`, { parameters: { wait: WAIT_MS } });
      jobs.value = jobs.peek().map((other) => (other.job === begun.job ? job : other));
    }
  } catch (error) {
    if (isAmong(jobs.peek(), begun)) {
      report(error);
    }
  } finally {
    followed.delete(begun.job);
  }
}

/** Stop the work, remove its file. */
export async function discard({ job }: Job): Promise<void> {
  jobs.value = jobs.peek().filter((other) => other.job !== job);
  try {
    await api.delete(`/api/conversions/${job}`);
  } catch (error) {
    report(error);
  }
}
