/** What the form of the search holds until somebody presses “Find games”. */

import { effect, signal, untracked } from "@preact/signals";
import type { Condition } from "../api/types";
import { ask, asked } from "../games/list";
import { go, vocabulary } from "../state";
import { allConditions, fieldText, fieldValue, takesSeveral, tidy, type Conditions, type Value } from "./conditions";

/** By name of the condition. What is typed stays as it is typed: texts that are alternatives are one text here. */
export const draft = signal<Conditions>({});

/** The form begins with what is asked of the list; what is typed before the vocabulary is there stays. */
effect(() => {
  const { conditions } = asked.value;
  draft.value = untracked(() => typed(conditions));
});

function typed(conditions: Conditions): Conditions {
  const known = knownConditions();
  return Object.fromEntries(
    Object.entries(conditions).map(([name, value]) => {
      const condition = known.get(name);
      return [name, condition && takesSeveral(condition) && !condition.choices?.length ? fieldText(value) : value];
    }),
  );
}

function knownConditions(): ReadonlyMap<string, Condition> {
  const words = vocabulary.value;
  return new Map((words ? allConditions(words) : []).map((condition) => [condition.name, condition]));
}

export function setCondition(name: string, value: Value | false): void {
  const { [name]: _, ...others } = draft.peek();
  draft.value = value === false || value === "" ? others : { ...others, [name]: value };
}

/** What the form asks for. */
export function meant(): Conditions {
  const known = knownConditions();
  return tidy(
    Object.fromEntries(
      Object.entries(draft.peek()).map(([name, value]) => {
        const condition = known.get(name);
        return [name, condition && takesSeveral(condition) && typeof value === "string" ? fieldValue(value, condition) : value];
      }),
    ),
  );
}

export function findGames(): void {
  ask({ conditions: meant(), here: false });
  go({ tab: "games", parameters: {} });
}

/** Find the games with a position, whatever else the form said. */
export function searchPosition(fen: string): void {
  draft.value = { fen };
  findGames();
}

export function clearForm(): void {
  draft.value = {};
}
