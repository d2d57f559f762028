/** Which games the explorer counts. */

import type { JSX } from "preact";
import { asked } from "../games/list";
import { fieldText, requestOf, textsOf, withCondition } from "../search/conditions";
import { vocabulary } from "../state";
import { filters } from "./state";

const FIELDS: readonly (readonly [name: string, title: string, hint: string])[] = [
  ["player", "Player", "name"],
  ["white", "White", "name"],
  ["black", "Black", "name"],
  ["min_elo", "Rating from", "2500"],
  ["since", "Since", "2015"],
  ["until", "Until", "2024"],
];
const CHOICES: readonly (readonly [name: string, title: string])[] = [
  ["results", "Result"],
  ["time_controls", "Time control"],
];

export function Filters(): JSX.Element {
  const words = vocabulary.value?.headers ?? [];
  const ofList = requestOf(asked.value.conditions, words);
  return (
    <div class="filters">
      <div class="fields">
        {FIELDS.map(([name, title, hint]) => (
          <label key={name} class="field">
            <span>{title}</span>
            <input
              value={fieldText(filters.value[name])}
              placeholder={hint}
              onChange={(event) => (filters.value = withCondition(filters.peek(), name, event.currentTarget.value))}
            />
          </label>
        ))}
        {CHOICES.map(([name, title]) => {
          const choices = words.find((condition) => condition.name === name)?.choices ?? [];
          return choices.length ? (
            <label key={name} class="field">
              <span>{title}</span>
              <select
                value={textsOf(filters.value[name])[0] ?? ""}
                onChange={(event) => {
                  const { value } = event.currentTarget;
                  filters.value = withCondition(filters.peek(), name, value ? [value] : false);
                }}
              >
                <option value="">any</option>
                {choices.map((choice) => (
                  <option key={choice}>{choice}</option>
                ))}
              </select>
            </label>
          ) : null;
        })}
      </div>
      <div class="button-row">
        <button
          type="button"
          disabled={Object.keys(ofList).length === 0}
          title="Count the games that the conditions of the list ask for"
          onClick={() => {
            const names = new Set(Object.keys(ofList));
            filters.value = Object.fromEntries(Object.entries(asked.peek().conditions).filter(([name]) => names.has(name)));
          }}
        >
          As in the list
        </button>
        <button type="button" disabled={Object.keys(filters.value).length === 0} onClick={() => (filters.value = {})}>
          All games
        </button>
      </div>
    </div>
  );
}
