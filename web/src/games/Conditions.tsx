/** What is asked of the list: the line of the quick filter, and all conditions, each with a way to drop it. */

import type { JSX } from "preact";
import { withCondition } from "../search/conditions";
import { chipsOf } from "../search/form";
import { t } from "../translation";
import { ask, asked } from "./list";
import { parseQuick } from "./quick";
import "./games.css";

export function QuickField(): JSX.Element {
  return (
    <input
      type="search"
      aria-label={t("Quick filter")}
      placeholder={t("Player, event, B90, 2015-2020, 2600+, 1-0 …")}
      title={t(
        'Words are looked for in players, event and site. Years, ratings (2600+), ECO codes and results are understood; so are white:carlsen and "new york".',
      )}
      value={asked.value.quick}
      onInput={(event) => ask({ quick: event.currentTarget.value })}
    />
  );
}

/** What is asked besides the words of the quick filter, each with a way to drop it. */
export function Chips(): JSX.Element | null {
  const { conditions, quick } = asked.value;
  const parsed = chipsOf(parseQuick(quick).conditions);
  const chips = chipsOf(conditions);
  if (chips.length + parsed.length === 0) {
    return null;
  }
  return (
    <ul class="chips" aria-label={t("Conditions")}>
      {parsed.map(({ name, label }) => (
        <li key={`quick ${name}`} class="chip on" title={t("Understood from the quick filter")}>
          {label}
        </li>
      ))}
      {chips.map(({ name, label }) => (
        <li key={name} class="chip on">
          {label}
          <button
            type="button"
            class="plain"
            aria-label={t("Drop the condition: {label}", { label })}
            onClick={() => ask({ conditions: withCondition(conditions, name, false) })}
          >
            ×
          </button>
        </li>
      ))}
    </ul>
  );
}
