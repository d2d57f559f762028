/** The ways out of the page: always in sight while one annotates. Nothing is written but by these buttons. */

import type { JSX } from "preact";
import { languageOf } from "../api/sentences";
import { about, changed } from "../state";
import { t } from "../translation";
import {
  canReplace,
  chosenTarget,
  conflict,
  copyPgn,
  downloadPgn,
  notReplaced,
  reload,
  replaceGame,
  saveAsNew,
  saving,
  target,
  targets,
} from "./save";

function Conflict({ sentence }: { sentence: string }): JSX.Element {
  return (
    <div class="conflict" role="alert">
      <p lang={languageOf(sentence)}>{sentence}</p>
      <p class="buttons">
        <button type="button" onClick={() => void reload()}>
          {t("Discard mine and load the file")}
        </button>
        <button type="button" onClick={() => void downloadPgn()}>
          {t("Keep mine as PGN")}
        </button>
      </p>
    </div>
  );
}

/** Which database a new game goes to, if there are several. */
function Target({ id }: { id: string }): JSX.Element {
  return (
    <select
      class="small"
      aria-label={t("Where to save a new game")}
      title={t("Where to save a new game")}
      value={id}
      onChange={(event) => (chosenTarget.value = event.currentTarget.value)}
    >
      {targets.value.map((each) => (
        <option key={each.id} value={each.id}>
          {each.name}
        </option>
      ))}
    </select>
  );
}

export function Saving(): JSX.Element {
  return (
    <div class="saving">
      {conflict.value !== null && <Conflict sentence={conflict.value} />}
      <div class="buttons">
        {canReplace.value && (
          <button type="button" class="primary" disabled={!changed.value || saving.value} onClick={() => void replaceGame()}>
            {t("Save")}
          </button>
        )}
        {target.value && (
          <button type="button" disabled={saving.value} onClick={() => void saveAsNew(target.peek()!.id)}>
            {t("Save as a new game")}
          </button>
        )}
      </div>
      <div class="buttons lesser">
        {target.value && targets.value.length > 1 && <Target id={target.value.id} />}
        <button type="button" class="plain" onClick={() => void downloadPgn()}>
          {t("Download PGN")}
        </button>
        <button type="button" class="plain" onClick={() => void copyPgn()}>
          {t("Copy PGN")}
        </button>
      </div>
      {notReplaced.value !== null && <p class="soft small">{notReplaced.value}</p>}
      {about.value && !about.value.write && (
        <p class="soft small">{t("Nothing is written into your files. To save into them, start “tabiya serve” with --write.")}</p>
      )}
    </div>
  );
}
