/** Where one is: the tab, the source, the game and the position, all in the address, so that each of them is a link.
 *
 * `#/TAB/SOURCE/NUMBER/PATH?parameters`, for example `#/games/s1/17/23.1.4`; what is missing at the end is not chosen.
 * Parameters belong to the tab, but for those that say what is on a board without a record:
 * `#/games/s1?fen=8/8/8/4k3/8/8/4P3/4K3_w_-_-_0_1&play=e2e4,e5e4`.
 */

import { signal } from "@preact/signals";
import { START_FEN } from "../game/tree";

export const TABS = [
  "home",
  "board",
  "games",
  "players",
  "tournaments",
  "statistics",
  "search",
  "books",
  "texts",
  "convert",
  "setup",
] as const;
export type Tab = (typeof TABS)[number];

export interface Route {
  tab: Tab;
  source: string | null;
  number: number | null;
  path: string;
  /** What is on the board if that is no record; null is the start of a game. */
  line: Line | null;
  parameters: Record<string, string>;
}

/** A position to begin with, moves from there, and how many of them have been played. */
export interface Line {
  readonly start: string;
  readonly chess960: boolean;
  readonly moves: readonly string[];
  readonly ply: number;
}

/** So many moves the server plays at once. */
const MOST_MOVES = 1000;

export function parseRoute(hash: string): Route {
  const [place = "", query = ""] = hash.replace(/^#\/?/, "").split("?", 2);
  const [tab, source, number, path] = place.split("/").map(decoded);
  const isNumber = /^[1-9]\d{0,15}$/.test(number ?? "");
  const { fen, play, ply, chess960, ...parameters } = Object.fromEntries(new URLSearchParams(query));
  return {
    tab: TABS.find((known) => known === tab) ?? "home",
    source: source || null,
    number: isNumber ? Number(number) : null,
    path: isNumber && /^\d+(\.\d+\.\d+)*$/.test(path ?? "") ? path! : "0",
    line: isNumber ? null : parseLine(fen, play, ply, chess960),
    parameters,
  };
}

function parseLine(fen = "", play = "", ply = "", chess960 = ""): Line | null {
  const moves = play.split(/[,\s]+/).filter(Boolean).slice(0, MOST_MOVES);
  const played = /^\d{1,4}$/.test(ply) ? Math.min(Number(ply), moves.length) : moves.length;
  const start = fen.replaceAll("_", " ") || START_FEN;
  return start === START_FEN && !moves.length ? null : { start, chess960: chess960 === "1", moves, ply: played };
}

/** FEN without blanks, and nothing escaped that need not be: people see it. */
function formatLine({ start, chess960, moves, ply }: Line): string {
  const plain = (text: string): string => encodeURIComponent(text).replaceAll("%2F", "/").replaceAll("%2C", ",");
  const parts = [
    start !== START_FEN && `fen=${plain(start.replaceAll(" ", "_"))}`,
    chess960 && "chess960=1",
    moves.length > 0 && `play=${plain(moves.slice(0, MOST_MOVES).join(","))}`,
    ply < moves.length && `ply=${ply}`,
  ];
  return parts.filter(Boolean).join("&");
}

export function formatRoute(route: Route): string {
  const parts: (string | number)[] = [route.tab];
  if (route.source !== null) {
    parts.push(encodeURIComponent(route.source));
    if (route.number !== null) {
      parts.push(route.number);
      if (route.path !== "0") {
        parts.push(route.path);
      }
    }
  }
  const line = route.line && route.number === null ? formatLine(route.line) : "";
  const parameters = new URLSearchParams(route.parameters).toString().replaceAll("%2F", "/");
  const query = [line, parameters].filter(Boolean).join("&");
  return `#/${parts.join("/")}${query ? `?${query}` : ""}`;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return "";
  }
}

export const route = signal<Route>(parseRoute(globalThis.location?.hash ?? ""));

/** Marks entries of the history that the page made itself: an address without it was followed, typed or pasted. */
const OWN = "own";
const NARROW = "(max-width: 1099px)";
/** Whether board and lists are on different tabs, for want of room. */
export const isNarrow = (): boolean => matchMedia(NARROW).matches;

/** What the address shows; a link to a game shows the game, not the list where the two are on different tabs. */
function followed(): Route {
  const next = parseRoute(location.hash);
  const isLink = history.state !== OWN && next.tab === "games" && next.number !== null;
  return isLink && isNarrow() ? { ...next, tab: "board" } : next;
}

/** Change part of the address. A step within a game replaces it, so that Back leads to what one looked at before. */
export function go(change: Partial<Route>, { replace = false }: { replace?: boolean } = {}): void {
  const next = { ...route.peek(), ...change };
  next.line = next.number === null ? next.line : null;
  const hash = formatRoute(next);
  if (hash === formatRoute(route.peek())) {
    return;
  }
  route.value = next;
  if (replace) {
    history.replaceState(OWN, "", hash);
  } else {
    history.pushState(OWN, "", hash);
  }
}

/** Set parameters of the tab (null removes one), without a new entry in the history. */
export function setParameters(change: Record<string, string | null>): void {
  const parameters = { ...route.peek().parameters };
  for (const [name, value] of Object.entries(change)) {
    if (value === null) {
      delete parameters[name];
    } else {
      parameters[name] = value;
    }
  }
  go({ parameters }, { replace: true });
}

/** Follow the address when Back, Forward or the user changes it. */
export function listenToAddress(): void {
  const follow = (): void => {
    const next = followed();
    if (formatRoute(next) !== formatRoute(route.peek())) {
      route.value = next;
    }
    history.replaceState(OWN, "", formatRoute(next));
  };
  follow();
  addEventListener("popstate", follow);
  addEventListener("hashchange", follow);
}
