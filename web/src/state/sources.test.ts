import { expect, it, vi } from "vitest";
import { notices, notify } from "./notices";
import { databases, loadSources, looking, skipped, source as current } from "./sources";

const source = (id: string, open = true, complete = true) => ({ id, kind: "database", name: id, open, complete });

it("asks again as long as the server looks for sources or reads one", async () => {
  vi.useFakeTimers();
  const answers = [
    { sources: [], looking: true },
    { sources: [source("s1", true, false)], looking: false },
    { sources: [source("s1"), source("s2", false)], looking: false },
  ];
  const fetched = vi.fn(() => Promise.resolve(new Response(JSON.stringify(answers.shift()))));
  vi.stubGlobal("fetch", fetched);
  await loadSources();
  expect([looking.value, databases.value.length]).toEqual([true, 0]);
  await vi.advanceTimersByTimeAsync(60_000);
  expect([looking.value, databases.value.length]).toEqual([false, 2]);
  expect(fetched).toHaveBeenCalledTimes(3);
});

it("takes no answer that is older than the one it has, and keeps what has not changed", async () => {
  const waiting: ((sources: unknown[]) => void)[] = [];
  const answer = (sources: unknown[]): Response => new Response(JSON.stringify({ sources }));
  vi.stubGlobal("fetch", () => new Promise((resolve) => waiting.push((sources) => resolve(answer(sources)))));
  const [earlier, later] = [loadSources(), loadSources()];
  waiting[1]!([source("s1"), source("s2")]);
  await later;
  waiting[0]!([source("s1")]);
  await earlier;
  expect(databases.value.map(({ id }) => id)).toEqual(["s1", "s2"]);
  const before = current.value;
  const last = loadSources();
  waiting[2]!([source("s1"), source("s3")]);
  await last;
  expect(databases.value.map(({ id }) => id)).toEqual(["s1", "s3"]);
  expect(current.value).toBe(before);
});

it("leaves out of names and messages what would turn round the sentences in which they stand", async () => {
  const turned = "\u202eodd\u2067.pgn";
  vi.stubGlobal("fetch", async () => new Response(JSON.stringify({ sources: [source(turned)], skipped: [turned] })));
  await loadSources();
  expect([current.value?.name, ...skipped.value]).toEqual(["odd.pgn", "odd.pgn"]);
  expect(current.value?.id).toBe(turned);
  const refusal = JSON.stringify({ error: { sentence: `${turned} has changed.` } });
  vi.stubGlobal("fetch", async () => new Response(refusal, { status: 410 }));
  await loadSources();
  notify(`Saved in ${turned}.`);
  expect(notices.value.map(({ sentence }) => sentence)).toEqual(["odd.pgn has changed.", "Saved in odd.pgn."]);
});
