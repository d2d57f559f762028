/** The columns of the list of games. */

import type { ComponentChildren } from "preact";
import { dateOf, nameOf, resultOf } from "../figures";
import type { Row } from "./query";

export interface Column {
  readonly name: string;
  readonly title: string;
  /** Said by screen readers and shown on hovering, where the title is short. */
  readonly long?: string;
  readonly width: number;
  readonly align?: "right" | "center";
  /** Whether a wide list may give it more room. */
  readonly grows?: boolean;
  readonly text: (row: Row) => ComponentChildren;
}

const rating = (elo: number | null | undefined): string => (elo ? String(elo) : "");

export const COLUMNS: readonly Column[] = [
  { name: "number", title: "#", long: "Number", width: 58, align: "right", text: ({ number }) => number },
  { name: "white", title: "White", width: 138, grows: true, text: ({ white }) => nameOf(white) },
  { name: "white_elo", title: "Elo", long: "Rating of White", width: 52, align: "right", text: (row) => rating(row.white_elo) },
  { name: "black", title: "Black", width: 138, grows: true, text: ({ black }) => nameOf(black) },
  { name: "black_elo", title: "Elo", long: "Rating of Black", width: 52, align: "right", text: (row) => rating(row.black_elo) },
  { name: "result", title: "Result", width: 58, align: "center", text: ({ result }) => resultOf(result) },
  { name: "eco", title: "ECO", width: 52, align: "center", text: ({ eco }) => nameOf(eco) },
  { name: "date", title: "Date", width: 92, text: ({ date }) => dateOf(date) },
  { name: "event", title: "Event", width: 170, grows: true, text: ({ event }) => nameOf(event) },
  { name: "site", title: "Site", width: 120, grows: true, text: ({ site }) => nameOf(site) },
  { name: "round", title: "Round", width: 60, align: "center", text: ({ round }) => nameOf(round) },
  { name: "annotator", title: "Annotator", width: 120, grows: true, text: ({ annotator }) => nameOf(annotator) },
];

/** Where a search found its position first; only there if one was asked for. */
export const FOUND: Column = {
  name: "ply",
  title: "Move",
  long: "Move at which the position is found first",
  width: 56,
  align: "right",
  text: ({ move }) => move ?? "",
};

const COLUMNS_WITH_FOUND: readonly Column[] = [COLUMNS[0]!, FOUND, ...COLUMNS.slice(1)];

export function columnsOf(hasPlies: boolean): readonly Column[] {
  return hasPlies ? COLUMNS_WITH_FOUND : COLUMNS;
}

/** Narrower than this, records are shown in two lines instead of columns. */
export const COLUMNS_WIDTH = 460;

/** What a text or a record that could not be read shows in place of players. */
export function titleOf(row: Row): string {
  if (row.kind === "text") {
    return row.title || nameOf(row.white) || "Text";
  }
  return "This record could not be decoded";
}
