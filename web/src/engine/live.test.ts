import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { engineLines, game, openPosition, setRemarks } from "../state";
import { ended, failure, finished, followBoard, hasNoEngine, lines, liveEvaluation, on, searchAgain, searching, toggleEngine } from "./live";

const MATE = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3";
const HOME = "4k3/8/8/8/8/8/8/R3K3 w - - 0 1";
const ENDING = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";

/** A stream that the server has opened. */
class Stream {
  private control!: ReadableStreamDefaultController<Uint8Array>;
  isAborted = false;
  readonly body: ReadableStream<Uint8Array>;

  constructor(
    readonly address: URL,
    signal: AbortSignal,
  ) {
    this.body = new ReadableStream({ start: (control) => void (this.control = control) });
    signal.addEventListener("abort", () => {
      this.isAborted = true;
      this.control.error(signal.reason);
    });
  }

  send(...events: object[]): void {
    this.control.enqueue(new TextEncoder().encode(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join("")));
  }

  break(): void {
    this.control.close();
  }
}

let streams: Stream[] = [];
/** What the next requests for a stream get instead of one. */
let refusals: (() => Response)[] = [];
const listeners = new Map<string, () => void>();
const page = { hidden: false, addEventListener: (name: string, call: () => void) => void listeners.set(name, call), removeEventListener: vi.fn() };
const line = (rank: number, depth: number, centipawns: number): object => ({
  kind: "line",
  line: { rank, depth, evaluation: { centipawns, mate: null }, moves: ["e2e4"], san: ["e4"], bound: null },
});
const last = (): Stream => streams.at(-1)!;
const until = (check: () => void): Promise<void> => vi.waitFor(check, { timeout: 30_000, interval: 1 });
const opened = (count: number): Promise<void> => until(() => expect(streams).toHaveLength(count));

function answer(path: string, init: RequestInit): Response {
  const address = new URL(path, "http://here");
  if (address.pathname === "/api/engines") {
    return Response.json({ engines: [{ id: "1", name: "some engine" }], most_lines: 5, most_seconds: 120, most_processes: 2 });
  }
  if (address.pathname.endsWith("/analysis")) {
    const refusal = refusals.shift();
    if (refusal) {
      return refusal();
    }
    streams.push(new Stream(address, init.signal!));
    return new Response(last().body);
  }
  const fen = address.searchParams.get("fen")!;
  return Response.json({ fen, turn: "white", state: fen === MATE ? "mate" : "playing", moves: [] });
}

beforeAll(() => {
  vi.stubGlobal("matchMedia", () => ({ matches: false }));
  vi.stubGlobal("history", { pushState: vi.fn(), replaceState: vi.fn() });
  vi.stubGlobal("document", page);
  vi.stubGlobal("fetch", (path: string, init: RequestInit) => Promise.resolve().then(() => answer(path, init)));
  followBoard();
});

beforeEach(() => {
  openPosition(HOME);
  expect(on.value).toBe(false);
});
afterEach(() => {
  on.value = false;
  streams = [];
  refusals = [];
  page.hidden = false;
  engineLines.value = 3;
  vi.useRealTimers();
});

it("is off at first, and searches the position on the board when it is switched on", async () => {
  expect([streams, lines.value, liveEvaluation.value]).toEqual([[], [], null]);
  toggleEngine();
  await opened(1);
  expect(last().address.pathname).toBe("/api/engines/1/analysis");
  const { fen, lines: count, viewer } = Object.fromEntries(last().address.searchParams);
  expect([fen, count, viewer?.length]).toEqual([HOME, "3", 24]);
  last().send(line(1, 5, 30), line(2, 5, 20));
  await until(() => expect(lines.value).toHaveLength(2));
  expect(liveEvaluation.value).toEqual({ pawns: 0.3, depth: 5 });
  expect([searching.value, hasNoEngine.value]).toEqual([true, false]);
  toggleEngine();
  expect([last().isAborted, lines.value, liveEvaluation.value, searching.value]).toEqual([true, [], null, false]);
});

it("leaves a position with the board, and remembers what it found there", async () => {
  toggleEngine();
  await opened(1);
  last().send(line(1, 9, 50));
  await until(() => expect(lines.value[0]?.depth).toBe(9));
  openPosition(ENDING);
  expect(streams[0]!.isAborted).toBe(true);
  expect(lines.value).toEqual([]);
  expect(liveEvaluation.value?.pawns).toBe(0.5); // the bar does not twitch
  await opened(2);
  expect(last().address.searchParams.get("fen")).toBe(ENDING);
  openPosition(HOME);
  expect(lines.value[0]!.depth).toBe(9);
  await opened(3);
  last().send(line(1, 3, -500));
  last().send(line(1, 10, 60));
  await until(() => expect(lines.value[0]!.depth).toBe(10));
  expect(liveEvaluation.value?.pawns).toBe(0.6);
});

it("begins again with another number of lines", async () => {
  toggleEngine();
  await opened(1);
  engineLines.value = 5;
  await opened(2);
  expect([streams[0]!.isAborted, last().address.searchParams.get("lines")]).toEqual([true, "5"]);
});

it("goes on while the game is annotated", async () => {
  toggleEngine();
  await opened(1);
  setRemarks({ nags: [1] });
  expect([last().isAborted, streams.length]).toEqual([false, 1]);
});

it("needs no engine where the game is over", async () => {
  openPosition(MATE);
  toggleEngine();
  await until(() => expect(ended.value).toBe("mate"));
  expect([streams, liveEvaluation.value]).toEqual([[], { mate: -1 }]);
});

it("stops at the limit of the server, and goes deeper on request", async () => {
  openPosition("4k3/8/8/8/8/8/4P3/4K3 b - - 0 1");
  toggleEngine();
  await opened(1);
  last().send(line(1, 20, 10), { kind: "done", best: "e8e7", evaluation: { centipawns: 10, mate: null } });
  last().break();
  await until(() => expect(finished.value).toBe(true));
  await until(() => expect(searching.value).toBe(false));
  on.value = false;
  on.value = true;
  expect([streams.length, finished.value]).toEqual([1, true]);
  searchAgain();
  await opened(2);
  expect(finished.value).toBe(false);
});

it("says what the engine cannot do, without trying again", async () => {
  toggleEngine();
  await opened(1);
  last().send({ kind: "error", sentence: "No engine can analyse this." });
  last().break();
  await until(() => expect(failure.value).toEqual({ sentence: "No engine can analyse this.", wait: null }));
  await until(() => expect(searching.value).toBe(false));
  searchAgain();
  await opened(2);
  expect(failure.value).toBeNull();
});

it("reconnects by itself when the connection breaks or all engines are busy, but not after other refusals", async () => {
  const busy = { error: { sentence: "All 2 engine processes are in use.", code: "busy" } };
  toggleEngine();
  await opened(1);
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  refusals.push(() => Response.json(busy, { status: 503 }));
  last().break();
  await vi.waitUntil(() => failure.value?.wait === 1);
  expect(failure.value?.sentence).toContain("is “tabiya serve” still running?");
  await vi.advanceTimersByTimeAsync(1_000);
  await vi.waitUntil(() => failure.value?.wait === 2);
  expect(failure.value?.sentence).toBe("All 2 engine processes are in use.");
  await vi.advanceTimersByTimeAsync(2_000);
  await vi.waitUntil(() => streams.length === 2);
  refusals.push(() => Response.json({ error: { sentence: "There is no such engine." } }, { status: 404 }));
  last().break();
  await vi.waitUntil(() => failure.value?.wait === 1);
  await vi.advanceTimersByTimeAsync(1_000);
  await vi.waitUntil(() => failure.value?.wait === null);
  expect(failure.value?.sentence).toBe("There is no such engine.");
});

it("rests while nobody sees the page for long", async () => {
  toggleEngine();
  await opened(1);
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  page.hidden = true;
  listeners.get("visibilitychange")!();
  vi.advanceTimersByTime(20_000);
  expect(last().isAborted).toBe(false);
  vi.advanceTimersByTime(20_000);
  expect(last().isAborted).toBe(true);
  vi.useRealTimers();
  page.hidden = false;
  listeners.get("visibilitychange")!();
  await opened(2);
});

it("has nothing to do with texts", async () => {
  toggleEngine();
  await opened(1);
  game.value = { ...game.peek(), kind: "text" };
  expect(last().isAborted).toBe(true);
  game.value = { ...game.peek(), kind: "game" };
});
