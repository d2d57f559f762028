/** Numbers, dates and results as lists show them. */

import { count } from "./shell/numbers";
import { shortName } from "./shell/text";

/** `1 game`, `1,234 games`. */
export function countOf(number: number, one: string, many: string = `${one}s`): string {
  return `${count(number)} ${number === 1 ? one : many}`;
}

/** `12.3k`, `2.3M`: for narrow columns. */
export function short(number: number): string {
  if (number < 10_000) {
    return String(number);
  }
  if (number < 999_500) {
    return `${(number / 1000).toFixed(number < 99_950 ? 1 : 0)}k`;
  }
  return `${(number / 1_000_000).toFixed(number < 99_950_000 ? 1 : 0)}M`;
}

const UNITS = ["", "kB", "MB", "GB", "TB"];

/** `12.3 MB` */
export function sizeOf(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= 1000 && unit < UNITS.length - 1) {
    value /= 1000;
    unit++;
  }
  if (unit === 0) {
    return countOf(value, "byte");
  }
  return `${value >= 100 ? Math.round(value) : value.toFixed(1)} ${UNITS[unit]!}`;
}

/** A date of PGN without what is not known: `1858`, `2013-11-09`. */
export function dateOf(date: string | null | undefined): string {
  const [year = "", month = "", day = ""] = (date ?? "").split(/[.-]/);
  const known = [year, month, day].map((part) => (/^\d+$/.test(part) ? part : ""));
  const unknown = known.indexOf("");
  return known.slice(0, unknown < 0 ? 3 : unknown).join("-");
}

/** `½-½` is what people know. */
export function resultOf(result: string | null | undefined): string {
  return result === "1/2-1/2" ? "½-½" : (result ?? "");
}

export function percent(share: number): string {
  return `${Math.round(share * 100)}%`;
}

/** A name of `?` is none; others are cut where they are too long. */
export function nameOf(name: string | null | undefined): string {
  return name === "?" ? "" : shortName(name ?? "");
}
