/** Numbers as people read them. */

import { language } from "../translation";

const WHOLE = new Intl.NumberFormat(language());

/** 2300000 is “2,300,000” in English. */
export const count = (number: number): string => WHOLE.format(number);

/** 5394 seconds are “1:29:54”; below ten seconds with tenths. */
export function clockText(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  const two = (value: number): string => String(value).padStart(2, "0");
  const minutes = `${Math.floor(whole / 60) % 60}`;
  const tenths = seconds < 10 && seconds % 1 ? `.${Math.floor((seconds % 1) * 10)}` : "";
  return `${Math.floor(whole / 3600)}:${two(Number(minutes))}:${two(whole % 60)}${tenths}`;
}
