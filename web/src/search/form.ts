/** How the form for all conditions is laid out: those that are known in sensible places, whatever else the server knows last. */

import type { Condition, Vocabulary } from "../api/types";
import { readable } from "../reports/names";
import { allConditions, textsOf, type Conditions } from "./conditions";

export interface Section {
  readonly title: string;
  readonly conditions: readonly Condition[];
}

/** Names as the command line spells them. */
const LAYOUT: Readonly<Record<string, readonly string[]>> = {
  "Players and events": ["player", "white", "black", "event", "site", "annotator"],
  "When, how strong, how long": [
    "date", "since", "until", "min-elo", "max-elo", "elo-of", "results", "eco", "time-controls", "min-plies", "max-plies",
  ],
  "Position": ["moves", "fen", "board", "to-move", "ignore-castling", "chess960"],
  "Material": ["material", "imbalance", "men", "opposite-bishops"],
  "Pawns and kings": ["passed", "isolated", "doubled", "isolated-queen-pawn", "pawn-files", "castled"],
  "Moves": ["move", "white-move", "black-move", "moved", "captured", "promotion", "sacrifice", "plies"],
  "What happens": ["check", "gives-check", "mate", "stalemate", "last"],
  "How it is looked for": ["lasting", "either-color", "mirrored", "in-variations", "exact"],
  "What the record holds": ["has", "without", "comment", "tags"],
};
const REST = "More";

/** Some names come with underscores. */
const hyphenated = (name: string): string => name.replaceAll("_", "-");

/** Every condition of the vocabulary, once. */
export function sectionsOf(words: Pick<Vocabulary, "headers" | "position">): Section[] {
  const rest = new Map(allConditions(words).map((condition) => [hyphenated(condition.name), condition]));
  const sections = Object.entries(LAYOUT).map(([title, names]) => ({
    title,
    conditions: names.flatMap((name) => {
      const condition = rest.get(name);
      rest.delete(name);
      return condition ? [condition] : [];
    }),
  }));
  return [...sections, { title: REST, conditions: [...rest.values()] }].filter(({ conditions }) => conditions.length > 0);
}

const TITLES: Readonly<Record<string, string>> = {
  "min-elo": "Rating from",
  "max-elo": "Rating to",
  "elo-of": "Rating of",
  eco: "Opening",
  fen: "FEN",
  board: "Pattern",
  men: "Number of men",
  "min-plies": "Half-moves from",
  "max-plies": "Half-moves to",
  "time-controls": "Time control",
  last: "Last position",
  lasting: "Positions in a row",
  exact: "Accents and punctuation count",
  tags: "Any tag",
  query: "Query (JSON)",
  plies: "After so many half-moves",
  "either-color": "Either colour",
};

export function titleOfCondition(name: string): string {
  const words = name.replace(/[-_]/g, " ");
  return TITLES[hyphenated(name)] ?? words[0]!.toUpperCase() + words.slice(1);
}

export interface Chip {
  readonly name: string;
  readonly label: string;
}

/** How conditions are named above the list, one chip each. Several players must all be there, of other texts one. */
export function chipsOf(conditions: Conditions): Chip[] {
  return Object.entries(conditions).map(([name, value]) => {
    const texts = textsOf(value).map(readable).join(name === "player" ? " and " : " or ");
    return { name, label: `${titleOfCondition(name)} ${texts}`.trim() };
  });
}
