import { afterEach, expect, it, vi } from "vitest";
import { Query, type Status } from "./query";

interface Asked {
  method: string;
  path: string;
  signal: AbortSignal | null;
  answer: (value: unknown, status?: number) => void;
}

let asked: Asked[] = [];
vi.stubGlobal("fetch", (path: string, { method = "", signal = null }: RequestInit) => {
  return new Promise((resolve, reject) => {
    const answer = (value: unknown, status = 200): void => resolve(new Response(JSON.stringify(value), { status }));
    signal?.addEventListener("abort", () => reject(new DOMException("", "AbortError")));
    asked.push({ method, path, signal, answer: method === "DELETE" ? () => undefined : answer });
  });
});
afterEach(() => void (asked = []));

const settled = (): Promise<unknown> => new Promise((resolve) => setTimeout(resolve));
const told = (query: string, more: Partial<Status> = {}): Status => {
  return { query, source: "s1", generation: "", total: 3, complete: true, ...more };
};
const paths = (method: string): string[] => asked.filter((one) => one.method === method).map(({ path }) => path);

it("asks no more about an answer than the server still has", async () => {
  const query = new Query();
  query.ask("s1", {});
  asked[0]!.answer(told("q1"));
  await settled();
  query.ask("s1", { text: "tal" });
  const place = query.placeOf(2).catch((error: unknown) => error); // of the answer that is still shown
  const { signal } = asked.at(-1)!;
  asked.find(({ method, signal }) => method === "POST" && !signal!.aborted && signal !== asked[0]!.signal)!.answer(told("q2"));
  await settled();
  expect([query.status.value?.query, signal!.aborted, paths("DELETE")]).toEqual(["q2", true, ["/api/queries/q1"]]);
  expect(await place).toBeInstanceOf(DOMException);
});

it("has no progress left when it fails", async () => {
  const query = new Query();
  query.ask("s1", {});
  asked[0]!.answer(told("q1", { complete: false, progress: 0.5 }));
  await settled();
  expect(query.progress.value).toBe(0.5);
  asked[1]!.answer({ error: { sentence: "The disk is gone." } }, 500);
  await settled();
  expect([query.progress.value, query.asking.value, query.status.value, query.error.value]).toEqual([
    null,
    false,
    null,
    "The disk is gone.",
  ]);
});

it("forgets an answer that was given up before it could be shown", async () => {
  const query = new Query();
  query.ask("s1", {});
  asked[0]!.answer(told("q1", { total: 0, complete: false }));
  await settled();
  query.close();
  await settled();
  expect([paths("DELETE"), query.status.value, query.error.value]).toEqual([["/api/queries/q1"], null, null]);
});
