import { expect, it } from "vitest";
import { formatRoute, parseRoute, type Route } from "./route";

it.each([
  ["#/games/s1/17/23.1.4", { tab: "games", source: "s1", number: 17, path: "23.1.4", parameters: {} }],
  ["#/search", { tab: "search", source: null, number: null, path: "0", parameters: {} }],
  ["#/games/s1/3?text=a%26b", { tab: "games", source: "s1", number: 3, path: "0", parameters: { text: "a&b" } }],
  ["#/books/with%2Fslash", { tab: "books", source: "with/slash", number: null, path: "0", parameters: {} }],
] satisfies [string, Route][])("%s is a place, and the place is this address", (hash, route) => {
  expect(parseRoute(hash)).toEqual(route);
  expect(formatRoute(route)).toBe(hash);
});

it.each(["", "#", "#nonsense", "#/x/%E0%A4%A/1e9/../", "#/games/s1/0/1", "#/games/s1/-5/1.2", "#/games/s1/2/<script>"])(
  "what is no address of ours is harmless: %s",
  (hash) => {
    const route = parseRoute(hash);
    expect(route.path).toBe("0");
    expect(route.number === null || route.number > 0).toBe(true);
  },
);
