import { expect, it } from "vitest";
import type { Condition } from "../api/types";
import { chipsOf, sectionsOf, titleOfCondition } from "./form";

const condition = (name: string): Condition => ({ name, kind: "text" });

it("shows every condition once, those it does not know as well", () => {
  const headers = ["white", "min_elo", "brand_new"].map(condition);
  const position = ["board", "mate", "another-new"].map(condition);
  const sections = sectionsOf({ headers, position });
  const names = sections.flatMap(({ conditions }) => conditions.map(({ name }) => name));
  expect([...names].sort()).toEqual(["another-new", "board", "brand_new", "mate", "min_elo", "query", "white"]);
  expect(sections.at(-1)!.conditions.map(({ name }) => name)).toEqual(["brand_new", "another-new", "query"]);
});

it("names conditions for people", () => {
  expect(["min_elo", "isolated-queen-pawn", "in_variations"].map(titleOfCondition)).toEqual([
    "Rating from",
    "Isolated queen's pawn",
    "In variations",
  ]);
});

it("names what is asked", () => {
  expect(chipsOf({ min_elo: "2600", player: ["a", "b"], move: ["Nf3", "e4"], "opposite-bishops": true })).toEqual([
    { name: "min_elo", label: "Rating from 2600" },
    { name: "player", label: "Player a and b" },
    { name: "move", label: "Move Nf3 or e4" },
    { name: "opposite-bishops", label: "Opposite-coloured bishops" },
  ]);
});
