import { expect, test } from "vitest";
import { LANGUAGES, type Language } from ".";
import { LETTERS, meanings, spelled } from "./pieces";

test("every language has five letters of its own", () => {
  for (const language of Object.keys(LANGUAGES) as Language[]) {
    expect(new Set(LETTERS[language]).size, language).toBe(5);
  }
});

test("moves are spelled in the letters of the language", () => {
  expect(spelled("Nf3", "own", "de")).toBe("Sf3");
  expect(spelled("exd8=Q+", "own", "es")).toBe("exd8=D+");
  expect(spelled("Kxe2", "own", "ru")).toBe("Крxe2");
  expect(spelled("Nbd7", "own", "ru")).toBe("Кbd7");
  expect(spelled("R1xb3#", "own", "fr")).toBe("T1xb3#");
  expect(spelled("O-O-O+", "own", "de")).toBe("O-O-O+");
  expect(spelled("Bb5", "figurines", "de")).toBe("♗b5");
  expect(spelled("Bb5", "en", "de")).toBe("Bb5");
});

test("what is typed may be in the language, in figurines or in English", () => {
  expect(meanings("Sf3", "de")[0]).toBe("Nf3");
  expect(meanings("Крe2", "ru")[0]).toBe("Ke2");
  expect(meanings("Кf3", "ru")[0]).toBe("Nf3");
  expect(meanings("Re1", "es")).toEqual(["Ke1", "Re1"]);
  expect(meanings("♞f6", "fr")).toContain("Nf6");
  expect(meanings("e4", "en")).toEqual(["e4"]);
});
