import { beforeAll, expect, it, vi } from "vitest";
import { START_FEN } from "../game/tree";
import { at, followAddress, game, go, opening } from "../state";
import { openAt } from "./openAt";

const AFTER = START_FEN.replace(" w ", " b ");

beforeAll(() => {
  vi.stubGlobal("addEventListener", () => undefined);
  vi.stubGlobal("matchMedia", () => ({ matches: false }));
  vi.stubGlobal("history", { pushState: () => undefined, replaceState: () => undefined });
  const nodes = [{ parent: null, fen: START_FEN }, { parent: 0, fen: AFTER }];
  vi.stubGlobal("fetch", () => Promise.resolve(new Response(JSON.stringify({ kind: "game", tags: [], nodes }))));
  followAddress();
});

const settled = (): Promise<void> => vi.waitFor(() => expect(opening.value).toBe(false), 30_000);

it("goes to the position as soon as the game is there", async () => {
  openAt("s1", 5, AFTER);
  await settled();
  expect([game.value.number, at.value]).toEqual([5, 1]);
});

it("has forgotten the position when another game was opened instead", async () => {
  openAt("s1", 6, AFTER);
  go({ number: 7 });
  await settled();
  go({ number: 6 });
  await settled();
  expect([game.value.number, at.value]).toEqual([6, 0]);
});
