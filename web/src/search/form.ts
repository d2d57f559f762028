/** How the form for all conditions is laid out: those that are known in sensible places, whatever else the server knows last. */

import type { Condition, Vocabulary } from "../api/types";
import { plainName } from "../shell/text";
import { resultOf } from "../figures";
import { readable } from "../reports/names";
import { t } from "../translation";
import { endingOf } from "./endings";
import { allConditions, textsOf, type Conditions } from "./conditions";

export interface Section {
  readonly title: string;
  readonly conditions: readonly Condition[];
}

/** Names as the command line spells them. */
const LAYOUT: readonly (readonly [title: string, names: readonly string[]])[] = [
  [t("Players and events"), ["player", "white", "black", "event", "site", "annotator"]],
  [
    t("When, how strong, how long"),
    ["date", "since", "until", "min-elo", "max-elo", "elo-of", "results", "eco", "time-controls", "min-plies", "max-plies"],
  ],
  [t("Position"), ["moves", "fen", "board", "to-move", "ignore-castling", "chess960"]],
  [t("Material"), ["material", "imbalance", "men", "opposite-bishops"]],
  [t("Pawns and kings"), ["passed", "isolated", "doubled", "isolated-queen-pawn", "pawn-files", "castled"]],
  [t("Moves"), ["move", "white-move", "black-move", "moved", "captured", "promotion", "sacrifice", "plies"]],
  [t("What happens"), ["check", "gives-check", "mate", "stalemate", "last", "outcome", "for"]],
  [t("Evaluations and clocks"), ["evaluation", "judged", "missed-win", "swing", "clock", "time-spent"]],
  [t("Meaning of the conditions"), ["lasting", "either-color", "mirrored", "in-variations", "exact"]],
  [t("Content of the record"), ["has", "without", "comment", "tags"]],
];
const REST = t("More");

/** Some names come with underscores. */
const hyphenated = (name: string): string => name.replaceAll("_", "-");

/** Every condition of the vocabulary, once. */
export function sectionsOf(words: Pick<Vocabulary, "headers" | "position">): Section[] {
  const rest = new Map(allConditions(words).map((condition) => [hyphenated(condition.name), condition]));
  const sections = LAYOUT.map(([title, names]) => ({
    title,
    conditions: names.flatMap((name) => {
      const condition = rest.get(name);
      rest.delete(name);
      return condition ? [condition] : [];
    }),
  }));
  return [...sections, { title: REST, conditions: [...rest.values()] }].filter(({ conditions }) => conditions.length > 0);
}

/** What the server calls `white-move` is “Move of White” to readers; a test compares the names with those of the server. */
const TITLES: Readonly<Record<string, string>> = {
  annotator: t("Annotator"),
  black: t("Black"),
  "black-move": t("Move of Black"),
  board: t("Pattern"),
  captured: t("Captured piece"),
  castled: t("Castled"),
  check: t("Check"),
  chess960: t("Chess960"),
  clock: t("Clock"),
  comment: t("Comment"),
  date: t("Date"),
  doubled: t("Doubled pawns"),
  eco: t("Opening"),
  "either-color": t("Either colour"),
  "elo-of": t("Rating of"),
  evaluation: t("Evaluation"),
  event: t("Event"),
  exact: t("Accents and punctuation count"),
  fen: t("FEN"),
  for: t("From the side of"),
  "gives-check": t("Gives check"),
  has: t("Has"),
  "ignore-castling": t("Ignore castling rights"),
  imbalance: t("Imbalance"),
  "in-variations": t("In variations"),
  isolated: t("Isolated pawn"),
  "isolated-queen-pawn": t("Isolated queen's pawn"),
  judged: t("Judgement"),
  last: t("Last position"),
  lasting: t("Positions in a row"),
  material: t("Material"),
  mate: t("Mate"),
  "max-elo": t("Rating to"),
  "max-plies": t("Half-moves to"),
  men: t("Number of pieces"),
  "min-elo": t("Rating from"),
  "min-plies": t("Half-moves from"),
  mirrored: t("Mirrored"),
  "missed-win": t("Missed win"),
  move: t("Move"),
  moved: t("Moved piece"),
  moves: t("Moves"),
  "opposite-bishops": t("Opposite-coloured bishops"),
  outcome: t("Outcome"),
  passed: t("Passed pawn"),
  "pawn-files": t("Pawn files"),
  player: t("Player"),
  plies: t("After so many half-moves"),
  promotion: t("Promotion"),
  query: t("Query (JSON)"),
  results: t("Result"),
  sacrifice: t("Sacrifice"),
  since: t("Since"),
  site: t("Site"),
  stalemate: t("Stalemate"),
  swing: t("Change of the win chances"),
  tags: t("Any tag"),
  "time-controls": t("Time control"),
  "time-spent": t("Time spent"),
  "to-move": t("To move"),
  until: t("Until"),
  white: t("White"),
  "white-move": t("Move of White"),
  without: t("Without"),
};

/** The title of a condition; one that the page does not know yet shows its name. */
export function titleOfCondition(name: string): string {
  const words = name.replace(/[-_]/g, " ");
  return TITLES[hyphenated(name)] ?? words[0]!.toUpperCase() + words.slice(1);
}

/** Words that the server offers as values of conditions. */
const CHOICES: Readonly<Record<string, string>> = {
  annotations: t("annotations"),
  black: t("Black"),
  blitz: t("blitz"),
  both: t("both"),
  bullet: t("bullet"),
  classical: t("classical"),
  clocks: t("clocks"),
  comments: t("comments"),
  correspondence: t("correspondence"),
  deleted: t("marked as deleted"),
  drawings: t("drawings"),
  either: t("either"),
  evaluations: t("evaluations"),
  mean: t("mean"),
  medals: t("medals"),
  media: t("media"),
  moves: t("moves"),
  problems: t("problems"),
  quotations: t("quotations"),
  rapid: t("rapid"),
  setup: t("own starting position"),
  symbols: t("symbols"),
  text: t("guiding text"),
  training: t("training"),
  won: t("won"),
  drawn: t("drawn"),
  lost: t("lost"),
  unknown: t("unknown"),
  variations: t("variations"),
  white: t("White"),
};

export const nameOfChoice = (choice: string): string => CHOICES[choice] ?? resultOf(choice);

export interface Chip {
  readonly name: string;
  readonly label: string;
}

/** How conditions are named above the list, one chip each. Several players must all be there, of other texts one. */
export function chipsOf(conditions: Conditions): Chip[] {
  return Object.entries(conditions).map(([name, value]) => {
    const texts = textsOf(value)
      .map((text) => nameOfChoice(plainName(readable(text))))
      .join(name === "player" ? t(" and ") : t(" or "));
    const ending = name === "material" ? endingOf(textsOf(value)) : "";
    return { name, label: ending || `${titleOfCondition(name)} ${texts}`.trim() };
  });
}
