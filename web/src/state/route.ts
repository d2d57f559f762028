/** Where one is: the tab, the source, the game and the position, all in the address, so that each of them is a link.
 *
 * `#/TAB/SOURCE/NUMBER/PATH?parameters`, for example `#/games/s1/17/23.1.4`; what is missing at the end is not chosen.
 * Parameters belong to the tab.
 */

import { signal } from "@preact/signals";

export const TABS = ["board", "games", "search", "books", "texts", "convert"] as const;
export type Tab = (typeof TABS)[number];

export interface Route {
  tab: Tab;
  source: string | null;
  number: number | null;
  path: string;
  parameters: Record<string, string>;
}

export function parseRoute(hash: string): Route {
  const [place = "", query = ""] = hash.replace(/^#\/?/, "").split("?", 2);
  const [tab, source, number, path] = place.split("/").map(decoded);
  const isNumber = /^[1-9]\d{0,15}$/.test(number ?? "");
  return {
    tab: TABS.find((known) => known === tab) ?? "games",
    source: source || null,
    number: isNumber ? Number(number) : null,
    path: isNumber && /^\d+(\.\d+\.\d+)*$/.test(path ?? "") ? path! : "0",
    parameters: Object.fromEntries(new URLSearchParams(query)),
  };
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
  const query = new URLSearchParams(route.parameters).toString();
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

/** Change part of the address. A step within a game replaces it, so that Back leads to what one looked at before. */
export function go(change: Partial<Route>, { replace = false }: { replace?: boolean } = {}): void {
  const next = { ...route.peek(), ...change };
  const hash = formatRoute(next);
  if (hash === formatRoute(route.peek())) {
    return;
  }
  route.value = next;
  if (replace) {
    history.replaceState(null, "", hash);
  } else {
    history.pushState(null, "", hash);
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
    const next = parseRoute(location.hash);
    if (formatRoute(next) !== formatRoute(route.peek())) {
      route.value = next;
    }
  };
  addEventListener("popstate", follow);
  addEventListener("hashchange", follow);
}
