/** Numbers, dates and results as lists show them. */

import { count } from "./shell/numbers";
import { language, t, tn } from "./translation";
import { shortName } from "./shell/text";

/** `1 game`, `1,234 games`. */
export const gamesText = (number: number): string => tn(number, "{n} game", "{n} games", { n: count(number) });
export const recordsText = (number: number): string => tn(number, "{n} record", "{n} records", { n: count(number) });

const FIXED = [0, 1, 2].map((digits) => {
  return new Intl.NumberFormat(language(), { minimumFractionDigits: digits, maximumFractionDigits: digits, useGrouping: false });
});
/** A number with so many decimals. */
export const decimal = (number: number, digits: 0 | 1 | 2): string => FIXED[digits]!.format(number);

/** `12.3k`, `2.3M`: for narrow columns. */
export function short(number: number): string {
  if (number < 10_000) {
    return String(number);
  }
  if (number < 999_500) {
    return t("{n}k", { n: decimal(number / 1000, number < 99_950 ? 1 : 0) });
  }
  return t("{n}M", { n: decimal(number / 1_000_000, number < 99_950_000 ? 1 : 0) });
}

const UNITS = ["", t("kB"), t("MB"), t("GB"), t("TB")];

/** `12.3 MB` */
export function sizeOf(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= 999.5 && unit < UNITS.length - 1) {
    value /= 1000;
    unit++;
  }
  if (unit === 0) {
    return tn(value, "{n} byte", "{n} bytes");
  }
  return `${decimal(value, value >= 100 ? 0 : 1)} ${UNITS[unit]!}`;
}

/** A date of PGN without what is not known: `1858`, `2013-11-09`. */
export function dateOf(date: string | null | undefined): string {
  const [year = "", month = "", day = ""] = (date ?? "").split(/[.-]/);
  const known = [year, month, day].map((part) => (/^\d+$/.test(part) ? part : ""));
  const unknown = known.indexOf("");
  return known.slice(0, unknown < 0 ? 3 : unknown).join("-");
}

/** `½-½` is what people know; what ChessBase calls a line is no game but an analysis. */
export function resultOf(result: string | null | undefined): string {
  return result === "1/2-1/2" ? "½-½" : result === "line" ? t("line") : (result ?? "");
}

const PERCENT = [0, 1].map((digits) => {
  return new Intl.NumberFormat(language(), { style: "percent", minimumFractionDigits: digits, maximumFractionDigits: digits });
});

/** `54%` in English, `54 %` in German; with a decimal `54.3%`, `54,3 %`. */
export const percent = (share: number, digits: 0 | 1 = 0): string => PERCENT[digits]!.format(share);

/** A part of all; what was played at all is not `0%` but `<1%`. */
export const part = (share: number): string => (share > 0 && share < 0.005 ? `<${percent(0.01)}` : percent(share));

/** A name of `?` is none; others are cut where they are too long. */
export function nameOf(name: string | null | undefined): string {
  return name === "?" ? "" : shortName(name ?? "");
}
