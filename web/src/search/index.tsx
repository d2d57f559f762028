/** All conditions of `tabiya search`: a board to set up or draw, and fields for the rest. The answer is the list of games. */

import type { JSX } from "preact";
import { source, vocabulary } from "../state";
import type { Panel } from "../shell/panel";
import { t, tn } from "../translation";
import { BoardCondition } from "./BoardCondition";
import { partsOf } from "./conditions";
import { clearForm, draft, findGames, setCondition } from "./draft";
import { ENDINGS, endingOf } from "./endings";
import { Field } from "./Field";
import { sectionsOf, type Section } from "./form";
import "./search.css";

/** These stand open from the start. */
const OPEN = new Set([t("Players and events"), t("When, how strong, how long"), t("Material")]);

function Search(): JSX.Element {
  const words = vocabulary.value;
  const asks = Object.keys(draft.value).length;
  return (
    <form
      class="search"
      onSubmit={(event) => {
        event.preventDefault();
        findGames();
      }}
    >
      <div class="scroll">
        <BoardCondition />
        {words ? sectionsOf(words).map((section) => <Fields key={section.title} section={section} />) : null}
      </div>
      <footer class="foot">
        <button type="submit" class="primary" disabled={!source.value}>
          {t("Find games")}
        </button>
        <button type="button" onClick={clearForm} disabled={asks === 0}>
          {t("Clear")}
        </button>
        <span role="status">{asks === 0 ? t("No conditions yet") : tn(asks, "{n} condition", "{n} conditions")}</span>
      </footer>
    </form>
  );
}

function Fields({ section: { title, conditions } }: { section: Section }): JSX.Element {
  const asked = conditions.filter(({ name }) => draft.value[name] !== undefined).length;
  return (
    <details open={OPEN.has(title) || asked > 0}>
      <summary>
        {title}
        {asked > 0 && <span class="badge">{asked}</span>}
      </summary>
      <div class="fields">
        {conditions.some(({ name }) => name === "material") && <EndingChoice />}
        {conditions.map((condition) => (
          <Field key={condition.name} condition={condition} />
        ))}
      </div>
    </details>
  );
}

/** Endings by name, which fill the field for material. */
function EndingChoice(): JSX.Element {
  return (
    <label class="field wide">
      <span>{t("Ending")}</span>
      <select
        value={endingOf(partsOf(draft.value["material"]))}
        onChange={({ currentTarget: { value } }) => {
          const material = ENDINGS.find(([name]) => name === value)?.[1];
          setCondition("material", material?.join(" | ") ?? "");
        }}
      >
        <option value="">{t("any")}</option>
        {ENDINGS.map(([name]) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}

export const panel: Panel = { tab: "search", title: t("Search"), place: "side", Component: Search };
