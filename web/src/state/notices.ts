/** Sentences for the user: at the foot of the page, read aloud by screen readers, gone after a while. */

import { signal } from "@preact/signals";
import { isAbort, sentenceOf } from "../api/client";
import { plainText } from "../shell/text";

export interface Notice {
  id: number;
  kind: "error" | "done";
  sentence: string;
}

export const notices = signal<readonly Notice[]>([]);

let last = 0;

export function notify(text: string, kind: Notice["kind"] = "done"): void {
  const sentence = plainText(text);
  const notice = { id: ++last, kind, sentence };
  notices.value = [...notices.peek().filter((other) => other.sentence !== sentence).slice(-2), notice];
  setTimeout(() => dismiss(notice.id), kind === "error" ? 12_000 : 4_000);
}

export function dismiss(id: number): void {
  notices.value = notices.peek().filter((notice) => notice.id !== id);
}

/** Show what went wrong; a question that was given up is no error. */
export function report(error: unknown): void {
  if (!isAbort(error)) {
    notify(sentenceOf(error), "error");
  }
}
