import { expect, test } from "vitest";
import { balanced, breakable, isolatedName, plainName } from "./text";

test("names lose what would turn round their neighbours, and what is too long", () => {
  expect(plainName("\u2069\u202eCarlsen\u2067")).toBe("Carlsen");
  expect(isolatedName("\u2069A")).toBe("\u2068A\u2069");
  expect(plainName("x".repeat(20_000))).toHaveLength(301);
  expect(plainName("פולגר")).toBe("פולגר");
});

test("changes of direction end with their text", () => {
  expect(balanced("plain")).toBe("plain");
  expect(balanced("a\u202eb")).toBe("a\u202eb\u202c");
  expect(balanced("\u2069\u202ca\u2067b\u202ac")).toBe("a\u2067b\u202ac\u202c\u2069");
  expect(balanced("\u2067a\u2069b")).toBe("\u2067a\u2069b");
});

test("long words get places to break them, whole letters each", () => {
  expect(breakable("Long. ".repeat(1000))).toBe("Long. ".repeat(1000));
  const parts = (breakable("🙂".repeat(250)) as unknown[]).filter((part) => typeof part === "string");
  expect(parts.join("")).toBe("🙂".repeat(250));
  expect(parts.filter(Boolean).map((part) => [...(part as string)].length)).toEqual([100, 100, 50]);
});
