/**
 * The quick filter: one line of words that says what players, years, ratings, openings and results are wanted.
 *
 * `carlsen "new york" 2015-2020 2600+ B90 1-0 white:anand`: what is recognised becomes a condition, all other words are
 * looked for in players, event and site.
 */
import type { Conditions } from "../search/conditions";

export interface Quick {
  /** Words that must all occur somewhere in a record. */
  readonly text: string;
  readonly conditions: Conditions;
}

const FIRST_YEAR = 1400;
/** Numbers above it are ratings, not years. */
const LAST_YEAR = 2039;

const isYear = (text: string): boolean => Number(text) >= FIRST_YEAR && Number(text) <= LAST_YEAR;

interface Shape {
  readonly pattern: RegExp;
  /** What is meant, or null if the word only looks like it. */
  readonly meaning: (found: RegExpExecArray) => Conditions | null;
}

const years = (first: string | undefined, last: string | undefined): Conditions | null =>
  (first === undefined || isYear(first)) && (last === undefined || isYear(last))
    ? { ...(first === undefined ? {} : { since: first }), ...(last === undefined ? {} : { until: last }) }
    : null;

const SHAPES: readonly Shape[] = [
  { pattern: /^(1-0|0-1)$/, meaning: ([, result]) => ({ results: [result!] }) },
  { pattern: /^(?:½|½-½|1\/2|1\/2-1\/2)$/, meaning: () => ({ results: ["1/2-1/2"] }) },
  { pattern: /^([a-e]\d{2}-[a-e]\d{2}|[a-e]\d{1,2})$/i, meaning: ([, codes]) => ({ eco: codes!.toUpperCase() }) },
  { pattern: /^(\d{3,4})\+$/, meaning: ([, elo]) => ({ min_elo: elo! }) },
  { pattern: /^(\d{4})[-–](\d{4})$/, meaning: ([, a, b]) => years(a, b) ?? { min_elo: a!, max_elo: b! } },
  { pattern: /^(\d{4})[-–]$/, meaning: ([, year]) => years(year, undefined) },
  { pattern: /^[-–](\d{4})$/, meaning: ([, year]) => years(undefined, year) ?? null },
  { pattern: /^(\d{4})(-\d{2}){0,2}$/, meaning: ([date, year]) => (isYear(year!) ? { date } : null) },
];

/** Conditions that may be given as `name:text`. */
const NAMED: readonly string[] = ["white", "black", "player", "event", "site", "annotator", "eco", "comment"];

const meaningOf = (word: string): Conditions | null => {
  const colon = word.indexOf(":");
  const name = word.slice(0, colon).toLowerCase();
  if (colon > 0 && colon < word.length - 1 && NAMED.includes(name)) return { [name]: name === "player" ? [word.slice(colon + 1)] : word.slice(colon + 1) };
  for (const { pattern, meaning } of SHAPES) {
    const found = pattern.exec(word);
    const conditions = found && meaning(found);
    if (conditions) return conditions;
  }
  return null;
};

/** Words of a line; what stands in quotation marks is one. */
const wordsOf = (line: string): { word: string; quoted: boolean }[] =>
  Array.from(line.matchAll(/([a-z]+:)?"([^"]*)"?|(\S+)/gi), ([, name = "", quoted, plain]) => ({
    word: plain ?? name + quoted!,
    quoted: plain === undefined && name === "",
  })).filter(({ word }) => word !== "");

/** Join what several words ask for: lists grow, codes of openings are alternatives, of all else the last counts. */
const joined = (before: Conditions, after: Conditions): Conditions => {
  const all: Record<string, Conditions[string]> = { ...before };
  for (const [name, value] of Object.entries(after)) {
    const old = all[name];
    if (Array.isArray(old) && Array.isArray(value)) all[name] = [...old, ...value];
    else all[name] = name === "eco" && typeof old === "string" ? `${old},${value as string}` : value;
  }
  return all;
};

export const parseQuick = (line: string): Quick => {
  const rest: string[] = [];
  let conditions: Conditions = {};
  for (const { word, quoted } of wordsOf(line)) {
    const meant = quoted ? null : meaningOf(word);
    if (meant) conditions = joined(conditions, meant);
    else rest.push(quoted && word.includes(" ") ? `"${word}"` : word);
  }
  return { text: rest.join(" "), conditions };
};
