/** The columns of the list of games. */

import { computed } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { dateOf, nameOf, resultOf } from "../figures";
import { rowLinks } from "../reports/links";
import { t } from "../translation";
import { hiddenColumns, source } from "../state";
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

/** A name, and a way to the page of the player. */
const linked = (name: string | null | undefined): ComponentChildren =>
  nameOf(name) ? (
    <>
      {nameOf(name)}
      {rowLinks.player(name!)}
    </>
  ) : (
    ""
  );

/** Numbers of records; wide enough for that of the last one. */
export const numberColumn = (records: number): Column => ({
  name: "number",
  title: "#",
  long: t("Number"),
  width: Math.max(58, 17 + 9 * String(records).length),
  align: "right",
  text: ({ number }) => number,
});

export const COLUMNS: readonly Column[] = [
  numberColumn(0),
  { name: "white", title: t("White"), width: 138, grows: true, text: ({ white }) => linked(white) },
  { name: "white_elo", title: t("Elo"), long: t("Rating of White"), width: 52, align: "right", text: (row) => rating(row.white_elo) },
  { name: "black", title: t("Black"), width: 138, grows: true, text: ({ black }) => linked(black) },
  { name: "black_elo", title: t("Elo"), long: t("Rating of Black"), width: 52, align: "right", text: (row) => rating(row.black_elo) },
  { name: "result", title: t("Result"), width: 58, align: "center", text: ({ result }) => resultOf(result) },
  {
    name: "plies",
    title: t("Moves"),
    long: t("Number of moves"),
    width: 60,
    align: "right",
    text: ({ plies }) => (plies == null ? "" : Math.ceil(plies / 2)),
  },
  { name: "eco", title: t("ECO"), width: 52, align: "center", text: ({ eco }) => nameOf(eco) },
  { name: "date", title: t("Date"), width: 100, text: ({ date }) => dateOf(date) },
  { name: "event", title: t("Event"), width: 170, grows: true, text: ({ event, date }) => (nameOf(event) ? <>{nameOf(event)}{rowLinks.event(event!, date)}</> : "") },
  { name: "site", title: t("Site"), width: 120, grows: true, text: ({ site }) => nameOf(site) },
  { name: "round", title: t("Round"), width: 60, align: "center", text: ({ round }) => nameOf(round) },
  { name: "annotator", title: t("Annotator"), width: 120, grows: true, text: ({ annotator }) => nameOf(annotator) },
];

/** Where a search found its position first; only there if one was asked for. */
export const FOUND: Column = {
  name: "ply",
  title: t("Move"),
  long: t("Move at which the position is found first"),
  width: 56,
  align: "right",
  text: ({ move }) => move ?? "",
};

/** The numbers of records are always there. */
export const CHOICES: readonly Column[] = COLUMNS.slice(1);

/** The columns that a list has, but for those that its user does without. */
export function columnsOf(hasPlies: boolean, hidden: readonly string[], records = 0): readonly Column[] {
  return [numberColumn(records), ...(hasPlies ? [FOUND] : []), ...CHOICES.filter(({ name }) => !hidden.includes(name))];
}

const lastRecord = computed(() => 10 ** String(source.value?.records ?? 0).length - 1); // the same while a list grows
const usual = computed(() => columnsOf(false, hiddenColumns.value, lastRecord.value));
const withFound = computed(() => columnsOf(true, hiddenColumns.value, lastRecord.value));
/** The same, as chosen in this browser; the same list as long as nothing else is chosen, so that rows stay as they are. */
export const chosenColumns = (hasPlies: boolean): readonly Column[] => (hasPlies ? withFound : usual).value;

/** What is left out after one column was chosen or not. */
export const withColumn = (hidden: readonly string[], name: string, shown: boolean): readonly string[] =>
  [...hidden.filter((other) => other !== name), ...(shown ? [] : [name])];

/** Narrower than this, records are shown in two lines instead of columns. */
export const COLUMNS_WIDTH = 460;

/** What a study or an exercise is called, which has no players. */
export const titleWithoutPlayers = (row: Row): string => [nameOf(row.event), nameOf(row.site)].filter(Boolean).join(" · ") || "?";

/** What a text or a record that could not be read shows in place of players. */
export function titleOf(row: Row): string {
  if (row.kind === "text") {
    return row.title || nameOf(row.white) || t("Text");
  }
  return t("This record could not be decoded");
}
