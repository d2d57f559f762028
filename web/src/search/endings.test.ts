import { expect, test } from "vitest";
import { endingOf, ENDINGS } from "./endings";

test("each ending is known by its material, and no other material is one", () => {
  for (const [name, material] of ENDINGS) {
    expect(endingOf(material)).toBe(name);
  }
  expect(new Set(ENDINGS.map(([name]) => name)).size).toBe(ENDINGS.length);
  expect(endingOf([])).toBe("");
  expect(endingOf(["KRPKR"])).toBe("");
});
