/**
 * Conditions of `tabiya list` and `tabiya search` as the page holds them: by name, a text, several texts, or true.
 * Which there are is told by the server (`/api/vocabulary`), so that a new one needs nothing here.
 */

import type { Condition, Vocabulary } from "../api/types";
import { inEnglish } from "../game/letters";

export type Value = string | readonly string[] | true;
export type Conditions = Readonly<Record<string, Value>>;

/** `texts` and `choices` take several, which are alternatives. */
export const takesSeveral = ({ kind }: Condition): boolean => kind === "texts" || kind === "choices";

const QUERY: Condition = {
  name: "query",
  kind: "text",
  help: 'A query in JSON, as scoutfish takes it, for sequences and what must not be: {"sequence": [{"white-move": "Bxh7+"}, {"result-type": "mate"}]}.',
};

type Words = Pick<Vocabulary, "headers" | "position">;

/** Conditions on what happens on the board; the command line takes a query in JSON besides those of the vocabulary. */
export const positionConditions = ({ position }: Words): readonly Condition[] =>
  position.some(({ name }) => name === QUERY.name) ? position : [...position, QUERY];

export const allConditions = (words: Words): readonly Condition[] => [...words.headers, ...positionConditions(words)];

/** Leave out what says nothing: empty texts and lists. */
export const tidy = (conditions: Readonly<Record<string, Value | false | undefined>>): Conditions => {
  const kept: Record<string, Value> = {};
  for (const [name, value] of Object.entries(conditions)) {
    if (value === true) kept[name] = true;
    else if (typeof value === "string" && value.trim() !== "") kept[name] = value.trim();
    else if (Array.isArray(value)) {
      const texts = (value as string[]).map((text) => text.trim()).filter((text) => text !== "");
      if (texts.length > 0) kept[name] = texts;
    }
  }
  return kept;
};

/** Return conditions with one changed, or left out if nothing is asked any more. */
export const withCondition = (conditions: Conditions, name: string, value: Value | false): Conditions => {
  const { [name]: _, ...others } = conditions;
  return { ...others, ...tidy({ [name]: value }) };
};

export const textsOf = (value: Value | undefined): readonly string[] =>
  value === undefined || value === true ? [] : typeof value === "string" ? [value] : value;

/** What the field of a form shows; several texts are separated by `|`, which no condition uses itself. */
export const fieldText = (value: Value | undefined): string => textsOf(value).join(" | ");

/** The texts of a condition, also where a field holds them as one. */
export const partsOf = (value: Value | undefined): readonly string[] =>
  textsOf(value)
    .flatMap((text) => text.split("|"))
    .map((text) => text.trim())
    .filter(Boolean);

/** What is meant by the text of a field. */
export const fieldValue = (text: string, condition: Condition): Value =>
  takesSeveral(condition) ? text.split("|").map((part) => part.trim()) : text;

/** The conditions of one half of the vocabulary, as a request takes them: numbers are numbers, a query is JSON. */
export const requestOf = (conditions: Conditions, half: readonly Condition[]): Record<string, unknown> => {
  const asked: Record<string, unknown> = {};
  for (const { name, kind } of half) {
    const value = conditions[name];
    if (value === undefined) continue;
    asked[name] = kind === "number" ? Number(value) : name === "query" ? parsedJson(value) : MOVES.has(name) ? withEnglishLetters(value) : value;
  }
  return asked;
};

/** Conditions on moves, which may be typed with the letters of pieces that are chosen. */
export const MOVES: ReadonlySet<string> = new Set(["moves", "move", "white-move", "black-move"]);

/** Word by word: numbers of moves stay as they are. */
const moveText = (text: string): string => text.replace(/[^\s.,]+/g, (word) => inEnglish(word));
const withEnglishLetters = (value: Value): Value =>
  value === true ? value : typeof value === "string" ? moveText(value) : value.map(moveText);

/** JSON that cannot be parsed goes to the server as it is, which says what is wrong with it. */
const parsedJson = (value: Value): unknown => {
  const text = textsOf(value)[0] ?? "";
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};

/** As parameters of an address, and back: `white=carlsen&player=a&player=b&mate=`. */
export const toParameters = (conditions: Conditions): URLSearchParams => {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(conditions)) {
    if (value === true) parameters.append(name, "1");
    else for (const text of textsOf(value)) parameters.append(name, text);
  }
  return parameters;
};

export const fromParameters = (parameters: URLSearchParams, known: readonly Condition[]): Conditions => {
  const found: Record<string, Value> = {};
  for (const condition of known) {
    const texts = parameters.getAll(condition.name);
    if (texts.length === 0) continue;
    found[condition.name] = condition.kind === "flag" ? true : takesSeveral(condition) ? texts : texts[texts.length - 1]!;
  }
  return tidy(found);
};
