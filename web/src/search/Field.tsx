/** A condition in the form: by its kind a field, a choice, buttons, or a tick. */

import type { JSX } from "preact";
import type { Condition } from "../api/types";
import { sanText } from "../game/letters";
import { t } from "../translation";
import { fieldText, MOVES, takesSeveral, textsOf } from "./conditions";
import { draft, setCondition } from "./draft";
import { nameOfChoice, titleOfCondition } from "./form";

export function Field({ condition }: { condition: Condition }): JSX.Element {
  const { name, kind, help, choices } = condition;
  const value = draft.value[name];
  const title = titleOfCondition(name);
  if (kind === "flag") {
    return (
      <label class="tick" data-condition={name} title={help}>
        <input type="checkbox" checked={value === true} onChange={(event) => setCondition(name, event.currentTarget.checked)} />
        {title}
      </label>
    );
  }
  if (choices?.length && takesSeveral(condition)) {
    const chosen = textsOf(value);
    return (
      <fieldset class="field wide" data-condition={name} title={help}>
        <legend>{title}</legend>
        <div class="choices">
          {choices.map((choice) => {
            const isChosen = chosen.includes(choice);
            const next = isChosen ? chosen.filter((other) => other !== choice) : [...chosen, choice];
            return (
              <button key={choice} type="button" class="chip" aria-pressed={isChosen} onClick={() => setCondition(name, next)}>
                {nameOfChoice(choice)}
              </button>
            );
          })}
        </div>
      </fieldset>
    );
  }
  if (choices?.length) {
    return (
      <label class="field" data-condition={name} title={help}>
        <span>{title}</span>
        <select value={fieldText(value)} onChange={(event) => setCondition(name, event.currentTarget.value)}>
          <option value="">{t("any")}</option>
          {choices.map((choice) => (
            <option key={choice} value={choice}>
              {nameOfChoice(choice)}
            </option>
          ))}
        </select>
      </label>
    );
  }
  return (
    <label class="field" data-condition={name} title={help}>
      <span>{title}</span>
      <input
        inputMode={kind === "number" ? "numeric" : undefined}
        value={fieldText(value)}
        placeholder={MOVES.has(name) ? exampleOf(condition).replace(/[^\s,]+/g, sanText) : exampleOf(condition)}
        onInput={(event) => setCondition(name, event.currentTarget.value)}
      />
    </label>
  );
}

/** Examples follow the last colon of a help text: `… Black's extra pieces: PPvN, Qv, BvN.` */
function exampleOf({ kind, help = "", metavar }: Condition): string {
  return kind === "number" || metavar === "TEXT" ? "" : (/:\s([^:]*)\.$/.exec(help)?.[1] ?? "");
}
