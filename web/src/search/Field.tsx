/** A condition in the form: by its kind a field, a choice, buttons, or a tick. */

import type { JSX } from "preact";
import type { Condition } from "../api/types";
import { sanText } from "../game/letters";
import { t } from "../translation";
import { fieldText, MOVES, partsOf, takesSeveral } from "./conditions";
import { draft, setCondition } from "./draft";
import { nameOfChoice, titleOfCondition } from "./form";

export function Field({ condition }: { condition: Condition }): JSX.Element {
  const { name, kind, help } = condition;
  const choices = condition.choices?.length ? condition.choices : WORDS[name];
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
    const chosen = partsOf(value);
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

const SIDES = ["white", "black"];
/** Conditions that the server takes as words, of which there are few. */
const WORDS: Readonly<Record<string, string[]>> = {
  outcome: ["won", "drawn", "lost"],
  "to-move": SIDES,
  "missed-win": SIDES,
  "isolated-queen-pawn": SIDES,
};
/** Examples that no help text ends with. */
const EXAMPLES: Readonly<Record<string, string>> = { captured: "QR", promotion: "QN" };

/** Examples follow the last colon of a help text: `… Black's extra pieces: PPvN, Qv, BvN.` */
function exampleOf({ name, kind, help = "", metavar }: Condition): string {
  return EXAMPLES[name] ?? (kind === "number" || metavar === "TEXT" ? "" : (/:\s([^:]*)\.$/.exec(help)?.[1] ?? ""));
}
