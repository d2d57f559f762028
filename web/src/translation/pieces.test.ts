import { expect, test } from "vitest";
import { LANGUAGES, type Language } from ".";
import { inEnglish, LETTERS, spelled } from "./pieces";

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

test("what is typed may be in the language or in figurines, and English where the letters do not say otherwise", () => {
  expect(inEnglish("1. e4 c5 2. Sf3 Lb4+", "de")).toBe("1. e4 c5 2. Nf3 Bb4+");
  expect(inEnglish("Крe2", "ru")).toBe("Ke2");
  expect(inEnglish("Кf3 e8=Ф", "ru")).toBe("Nf3 e8=Q");
  expect(inEnglish("Re1", "es")).toBe("Ke1");
  expect(inEnglish("Nf3 O-O Qd8#", "es")).toBe("Nf3 O-O Qd8#");
  expect(inEnglish("♞f6 ♘f3", "fr")).toBe("Nf6 Nf3");
  expect(inEnglish("Re1", "en")).toBe("Re1");
});
