import { beforeAll, expect, it, vi } from "vitest";
import type { Vocabulary } from "../api/types";

const words: Vocabulary = {
  headers: [
    { name: "player", kind: "texts" },
    { name: "min_elo", kind: "number" },
    { name: "since", kind: "text" },
  ],
  position: [
    { name: "mate", kind: "flag" },
    { name: "fen", kind: "texts" },
  ],
  sort: ["date"],
  nags: [],
  languages: [], piece_letters: [],
  colors: [],
};
const START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

let list: typeof import("./list");

beforeAll(async () => {
  vi.stubGlobal("document", { documentElement: { dataset: {} } });
  list = await import("./list");
});

it("asks for headers and positions apart, and for the position on the board", () => {
  const conditions = { player: ["tal"], mate: true } as const;
  expect(list.questionOf({ quick: "riga 2500+ 1960-", conditions, sort: { by: "date", descending: true }, here: true }, words, START)).toEqual({
    text: "riga",
    headers: { player: ["tal"], min_elo: 2500, since: "1960" },
    position: { mate: true, fen: [START] },
    sort: { by: "date", descending: true },
  });
  expect(list.questionOf(list.NOTHING, words, START)).toEqual({ headers: {} });
});

it("reads an address, and only what it knows of it", () => {
  expect(list.askedBy({ q: "tal", where: "player=a&player=b&mate=1&evil=2", sort: "-date", here: "1" }, words)).toEqual({
    quick: "tal",
    conditions: { player: ["a", "b"], mate: true },
    sort: { by: "date", descending: true },
    here: true,
  });
  expect(list.askedBy({ sort: "__proto__", where: "%%%" }, words)).toEqual(list.NOTHING);
});

it("asks a database once that is opened by the question, and again when its file changes", async () => {
  const { sources, vocabulary } = await import("../state");
  const asked = vi.fn();
  vi.stubGlobal("fetch", (path: string, { method }: RequestInit) => {
    asked(method, path);
    const status = { query: "q1", source: "s1", generation: "first", total: 1, complete: true };
    return Promise.resolve(new Response(JSON.stringify(path.endsWith("/queries") ? status : { sources: sources.peek() })));
  });
  const source = (generation?: string) => ({ id: "s1", kind: "database", name: "s1", open: true, complete: true, records: 1, generation });
  const questions = (): number => asked.mock.calls.filter(([method]) => method === "POST").length;
  const tell = async (generation?: string): Promise<void> => {
    sources.value = [source(generation) as never];
    await new Promise((resolve) => setTimeout(resolve));
  };
  vocabulary.value = words;
  list.followAsked();
  await tell();
  await tell("first");
  expect([questions(), list.list.status.value?.total]).toEqual([1, 1]);
  await tell("second");
  expect(questions()).toBe(2);
});
