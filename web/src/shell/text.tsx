/** Texts of files as the page shows them: separate from what stands beside them, and never too long to lay out. */

import { useSignal } from "@preact/signals";
import type { ComponentChildren, JSX } from "preact";
import { tn } from "../translation";
import { count } from "./numbers";

/** Characters that change the direction of what follows them, beyond the end of an element as well. */
const CONTROLS = /[\u202a-\u202e\u2066-\u2069]/g;
const LONGEST_NAME = 300;

const ISOLATES = "\u2066\u2067\u2068";
const CLOSERS = "\u202c\u2069";

/** A text whose changes of direction end with it: what it leaves open is closed, what it never opened is left out. */
export function balanced(text: string): string {
  const open: string[] = [];
  const kept = text.replace(CONTROLS, (control) => {
    if (!CLOSERS.includes(control)) {
      open.push(ISOLATES.includes(control) ? "\u2069" : "\u202c");
    } else if (open.at(-1) === control) {
      open.pop();
    } else {
      return "";
    }
    return control;
  });
  return kept + open.reverse().join("");
}

/** A name that is short enough for one line. */
export const shortName = (name: string): string => (name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME)}…` : name);

/** A text without characters that turn round what follows them. */
export const plainText = (text: string): string => text.replace(CONTROLS, "");

/** A name that is short and plain. */
export const plainName = (name: string): string => shortName(plainText(name));

/** The same between marks that keep its direction to itself, for texts that are no elements: titles, hints. */
export const isolatedName = (name: string): string => `\u2068${plainName(name)}\u2069`;

export const Name = ({ text }: { text: string }): JSX.Element => <bdi>{plainName(text)}</bdi>;

const FIRST_LETTERS = 3_000;
const MORE_LETTERS = 20_000;
/** The browser takes quadratic time for longer words that it may break anywhere. */
const LONG_WORD = /(\S{100})/u;

/** A text with places to break a line in its long words. */
export function breakable(text: string): ComponentChildren {
  const parts = text.split(LONG_WORD);
  return parts.length === 1 ? text : parts.flatMap((part, index) => (index % 2 ? [part, <wbr key={index} />] : [part]));
}

/** A text of any length: its beginning, and more of it for each click. */
export function LongText({ text }: { text: string }): JSX.Element {
  const shown = useSignal(FIRST_LETTERS);
  const rest = text.length - shown.value;
  return (
    <bdi>
      {breakable(balanced(text.slice(0, shown.value)))}
      {rest > 0 && (
        <>
          …{" "}
          <button type="button" class="plain more" onClick={() => (shown.value += MORE_LETTERS)}>
            {tn(rest, "show more ({n} letter)", "show more ({n} letters)", { n: count(rest) })}
          </button>
        </>
      )}
    </bdi>
  );
}
