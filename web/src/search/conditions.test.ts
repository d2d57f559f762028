import { describe, expect, it } from "vitest";
import type { Condition } from "../api/types";
import * as c from "./conditions";

const player: Condition = { name: "player", kind: "texts" };
const elo: Condition = { name: "min_elo", kind: "number" };
const mate: Condition = { name: "mate", kind: "flag" };
const query: Condition = { name: "query", kind: "text" };

describe("conditions", () => {
  it("drop what says nothing", () => {
    expect(c.tidy({ white: "  ", player: [" ", ""], mate: false, event: undefined })).toEqual({});
    expect(c.tidy({ player: [" a ", ""], mate: true, eco: " B90 " })).toEqual({ player: ["a"], mate: true, eco: "B90" });
  });
  it("change one by one and leave the others", () => {
    const before = { player: ["a"], mate: true } as const;
    expect(c.withCondition(before, "mate", false)).toEqual({ player: ["a"] });
    expect(c.withCondition(before, "player", "")).toEqual({ mate: true });
    expect(c.withCondition(before, "eco", "C5")).toEqual({ player: ["a"], mate: true, eco: "C5" });
    expect(before).toEqual({ player: ["a"], mate: true });
  });
  it("go through a field of the form and back", () => {
    for (const texts of [["carlsen"], ["Bb3,Nf3", "[q_]d8"], ["KRP{1,2}KRP*"]]) {
      expect(c.tidy({ x: c.fieldValue(c.fieldText(texts), player) })).toEqual({ x: texts });
    }
    expect(c.fieldValue("2600", elo)).toBe("2600");
  });
  it("go through an address and back", () => {
    const asked = { player: ["Carlsen, M", "a&b=c"], min_elo: "2600", mate: true } as const;
    const address = c.toParameters(asked).toString();
    expect(c.fromParameters(new URLSearchParams(address), [player, elo, mate])).toEqual(asked);
  });
  it("are taken from an address only if they are known", () => {
    expect(c.fromParameters(new URLSearchParams("__proto__=1&evil=2&player=x"), [player])).toEqual({ player: ["x"] });
  });
  it("are sent in halves, numbers as numbers and queries as JSON", () => {
    const asked = { player: ["a"], min_elo: "2600", mate: true, query: '{"stm": "white"}' } as const;
    expect(c.requestOf(asked, [player, elo])).toEqual({ player: ["a"], min_elo: 2600 });
    expect(c.requestOf(asked, [mate, query])).toEqual({ mate: true, query: { stm: "white" } });
    expect(c.requestOf({ query: "{stm" }, [query])).toEqual({ query: "{stm" });
  });
});
