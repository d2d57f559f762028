import { expect, it, vi } from "vitest";
import { databases, loadSources, looking } from "./sources";

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
