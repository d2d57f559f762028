import { beforeEach, expect, it, vi } from "vitest";
import { convert, discard, formats, jobs, loadConversions, type Job } from "./state";

const job = (id: string, state: Job["state"] = "done"): Job => ({ job: id, state, source: "s1", format: "pgn" });
const shown = (): string[] => jobs.value.map(({ job: id, state }) => `${id} ${state}`);

let waiting: ((value: unknown) => void)[] = [];

beforeEach(() => {
  waiting = [];
  formats.value = [{ name: "pgn", title: "PGN", suffixes: [], write: true, book: false }];
  vi.stubGlobal("fetch", () => new Promise((resolve) => waiting.push((value) => resolve(new Response(JSON.stringify(value))))));
});

it("keeps what was begun, ended or removed while it asked for the list", async () => {
  jobs.value = [job("c2", "running"), job("c1")];
  const listed = loadConversions();
  const begun = convert({ source: "s1", format: "pgn" });
  waiting[1]!(job("c4"));
  await begun;
  jobs.value = jobs.value.map((one) => (one.job === "c2" ? job("c2") : one));
  void discard(job("c1"));
  waiting[0]!({ conversions: [job("c1"), job("c2", "running"), job("c3")] });
  await listed;
  expect(shown()).toEqual(["c4 done", "c2 done", "c3 done"]);
});

it("has none that the server does not know any more", async () => {
  jobs.value = [job("c2"), job("c1")];
  const listed = loadConversions();
  waiting[0]!({ conversions: [job("c2")] });
  await listed;
  expect(shown()).toEqual(["c2 done"]);
});

it("follows a job again that it has lost", async () => {
  jobs.value = [job("c1", "running")];
  const listed = loadConversions();
  waiting[0]!({ conversions: [job("c1", "running")] });
  await listed;
  expect(shown()).toEqual(["c1 running"]);
  waiting[1]!(job("c1"));
  await vi.waitFor(() => expect(shown()).toEqual(["c1 done"]));
});
