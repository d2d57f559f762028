/** What is known about a database or a book, in a line. */

import type { Source } from "../api/types";
import { sizeOf } from "../figures";
import { count } from "../shell/numbers";
import { t, tn } from "../translation";

/** The title of a format as players call it. */
export const formatName = (title: string): string => (title === "Portable Game Notation" ? "PGN" : title);

export function factsOf({ format_title, format, records, kind, complete, size, indexed, error }: Source): string {
  if (error) {
    return error;
  }
  const facts = [formatName(format_title ?? format), countOf(kind, records, complete), size ? sizeOf(size) : "", indexed && kind === "database" ? t("fast") : ""];
  return facts.filter(Boolean).join(" · ");
}

function countOf(kind: Source["kind"], records: number | null | undefined, complete: boolean): string {
  if (records == null) {
    return "";
  }
  const n = count(records);
  if (kind === "book") {
    return complete ? tn(records, "{n} position", "{n} positions", { n }) : tn(records, "{n} position so far", "{n} positions so far", { n });
  }
  return complete ? tn(records, "{n} record", "{n} records", { n }) : tn(records, "{n} record so far", "{n} records so far", { n });
}
