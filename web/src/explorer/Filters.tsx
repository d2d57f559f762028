/** Which games the explorer counts. */

import type { JSX } from "preact";
import { asked } from "../games/list";
import { fieldText, requestOf, textsOf, withCondition } from "../search/conditions";
import { nameOfChoice } from "../search/form";
import { vocabulary } from "../state";
import { t } from "../translation";
import { filters } from "./state";

const FIELDS: readonly (readonly [name: string, title: string, hint: string])[] = [
  ["player", t("Player"), t("name")],
  ["white", t("White"), t("name")],
  ["black", t("Black"), t("name")],
  ["min_elo", t("Rating from"), "2500"],
  ["since", t("Since"), "2015"],
  ["until", t("Until"), "2024"],
];
const CHOICES: readonly (readonly [name: string, title: string])[] = [
  ["results", t("Result")],
  ["time_controls", t("Time control")],
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
                <option value="">{t("any")}</option>
                {choices.map((choice) => (
                  <option key={choice} value={choice}>
                    {nameOfChoice(choice)}
                  </option>
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
          title={t("Count only the games that the list shows")}
          onClick={() => {
            const names = new Set(Object.keys(ofList));
            filters.value = Object.fromEntries(Object.entries(asked.peek().conditions).filter(([name]) => names.has(name)));
          }}
        >
          {t("As in the list")}
        </button>
        <button type="button" disabled={Object.keys(filters.value).length === 0} onClick={() => (filters.value = {})}>
          {t("All games")}
        </button>
      </div>
    </div>
  );
}
