/** All texts of the page go through `t` and `tn`, and every language has all of them. */

import { expect, test } from "vitest";
import { LANGUAGES, type Language } from ".";
import { placesOf, read, type Use } from "./sources";

const SOURCES = import.meta.glob<string>("../**/*.{ts,tsx}", { query: "?raw", import: "default", eager: true });
const TABLES = import.meta.glob<Record<string, string | Record<string, string>>>("./*.json", { import: "default", eager: true });

/** Tests, types that are generated, and the reader of the sources itself. */
const isShown = (file: string): boolean => !/\.test\.ts$|\.d\.ts$|api\/types\.ts$|translation\//.test(file) && !file.startsWith("./");

const files = Object.entries(SOURCES).filter(([file]) => isShown(file));
const found = files.map(([file, source]) => read(file.replace("../", ""), source));
const uses = found.flatMap((each) => each.uses);
const keys = new Map(uses.flatMap((use): [string, Use][] => (use.text === null ? [] : [[use.text, use]])));
const places = (list: readonly { file: string; line: number; text?: string | null }[]): string[] =>
  list.map(({ file, line, text }) => `${file}:${line}: ${text ?? ""}`);
const others = (Object.keys(LANGUAGES) as Language[]).filter((language) => language !== "en");
const tableOf = (language: Language): Record<string, string | Record<string, string>> => TABLES[`./${language}.json`]!;

test("the sources are there", () => {
  expect(files.length).toBeGreaterThan(90);
  expect(keys.size).toBeGreaterThan(500);
});

test("nothing is shown that was not translated", () => {
  expect(places(found.flatMap(({ untranslated }) => untranslated))).toEqual([]);
});

test("keys are literals, and their values are given", () => {
  expect(places(uses.filter(({ text }) => text === null))).toEqual([]);
  const lacking = uses.filter(({ text, values }) => text !== null && values !== null && placesOf(text).some((name) => !values.includes(name)));
  expect(places(lacking)).toEqual([]);
});

test.each(others)("%s has every text and no other", (language) => {
  const table = tableOf(language);
  expect([...keys.keys()].filter((key) => !(key in table))).toEqual([]);
  expect(Object.keys(table).filter((key) => !keys.has(key))).toEqual([]);
  expect(Object.keys(table)).toEqual(Object.keys(table).sort());
});

test.each(others)("%s keeps the places of values, and has all forms of numbers", (language) => {
  const { pluralCategories } = new Intl.PluralRules(language).resolvedOptions();
  for (const [key, text] of Object.entries(tableOf(language))) {
    expect(typeof text, key).toBe(keys.get(key)!.plural ? "object" : "string");
    if (typeof text === "object") {
      expect(Object.keys(text).sort(), key).toEqual([...pluralCategories].sort());
    }
    for (const form of typeof text === "string" ? [text] : Object.values(text)) {
      expect(placesOf(form), key).toEqual(placesOf(key));
      expect(form.trim(), key).not.toBe("");
    }
  }
});

test("the reader finds what is not translated", () => {
  const source = `
    const a = <p title="Hello there">{open ? "Some words" : t("Known")} and text {name || \`\${n} games\`}</p>;
    const b = { title: "A title", name: "not-shown" };
    notify("Saved."); notify(t("Saved it.")); copy(text, \`\${name} is copied\`);
    const c = tn(n, "{n} day", "{n} days"); t(key); t("{x} and {y}", { x });
  `;
  const { uses: asked, untranslated } = read("a.tsx", source);
  expect(untranslated.map(({ text }) => text).sort()).toEqual(
    ["A title", "Hello there", "Saved.", "Some words", "and text", "games", "is copied"],
  );
  expect(asked.map(({ text }) => text).sort()).toEqual([null, "Known", "Saved it.", "{n} days", "{x} and {y}"].sort());
});
