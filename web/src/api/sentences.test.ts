import { afterEach, beforeAll, expect, it, vi } from "vitest";
import { loadTranslation } from "../translation";
import { languageOf, said } from "./sentences";

beforeAll(() => void vi.stubGlobal("document", { documentElement: {} }));
afterEach(() => loadTranslation("en"));

it("a known sentence is said in the language of the page, with its values", async () => {
  await loadTranslation("de");
  const sentence = said("All 2 engine processes are in use; try again later.");
  expect(sentence).toBe("Alle 2 Engine-Prozesse sind belegt; später noch einmal versuchen.");
  expect(languageOf(sentence)).toBeUndefined();
  expect(said("Each side must have exactly one king (at character 16 of '8/8 (w) {n}').")).toBe(
    "Jede Seite muss genau einen König haben (bei Zeichen 16 von '8/8 (w) {n}').",
  );
});

it("an unknown one stays and is marked", async () => {
  await loadTranslation("ru");
  const sentence = said("Nobody has said this before.");
  expect(sentence).toBe("Nobody has said this before.");
  expect(languageOf(sentence)).toBe("en");
  expect(languageOf("Сохранено.")).toBeUndefined();
});

it("in English nothing changes and nothing is marked", () => {
  const sentence = "All 3 engine processes are in use; try again later.";
  expect(said(sentence)).toBe(sentence);
  expect(languageOf(said("Another sentence."))).toBeUndefined();
});

it("remembers only so much of what it could not translate", async () => {
  await loadTranslation("fr");
  const first = said("The first of very many sentences.");
  Array.from({ length: 600 }, (_, index) => said(`Sentence ${index}.`));
  expect(languageOf(first)).toBeUndefined();
  expect(languageOf("Sentence 599.")).toBe("en");
});
