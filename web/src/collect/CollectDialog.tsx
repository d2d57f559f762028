/** Where games go: into a database that is open, or into a new one. */

import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { api } from "../api/client";
import type { Format } from "../api/types";
import { recordsText } from "../figures";
import { addTo, targets } from "../game/save";
import { list } from "../games/list";
import { report } from "../state";
import { t } from "../translation";
import { addList, busy, canCreate, createDatabase, purpose, show, type Purpose } from "./state";
import "./collect.css";

/** The formats that people use most come first. */
const USUAL = ["pgn", "cbh", "scid5", "scid", "library"];

export function CollectDialog(): JSX.Element | null {
  return purpose.value === null ? null : <Open key={purpose.value} why={purpose.value} />;
}

function titleOf(why: Purpose): string {
  if (why === "list") {
    return t("Add what the list shows: {records}", { records: recordsText(list.status.peek()?.total ?? 0) });
  }
  return why === "game" ? t("Add this game to") : t("New database");
}

async function send(why: Purpose, target: string): Promise<void> {
  busy.value = true;
  if (why === "list" ? await addList(target) : await addTo(target).then(() => true)) {
    purpose.value = null;
  }
  busy.value = false;
}

function Open({ why }: { why: Purpose }): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current!.showModal(), []);
  const from = why === "list" ? list.status.peek()?.source : undefined;
  const takers = why === "nothing" ? [] : targets.value.filter(({ id }) => id !== from);
  return (
    <dialog
      ref={dialog}
      class="collect"
      aria-label={titleOf(why)}
      onClose={() => (purpose.value = null)}
      onClick={(event) => event.target === dialog.current && dialog.current!.close()}
    >
      <div class="dialog-head">
        <h2>{titleOf(why)}</h2>
        <button type="button" class="plain" aria-label={t("Close")} onClick={() => dialog.current!.close()}>
          ×
        </button>
      </div>
      {takers.length > 0 && (
        <ul>
          {takers.map(({ id, name, records }) => (
            <li key={id}>
              <button type="button" class="plain" disabled={busy.value} onClick={() => void send(why, id)}>
                <b>{name}</b>
                {records != null && <small class="soft">{recordsText(records)}</small>}
              </button>
            </li>
          ))}
        </ul>
      )}
      {canCreate() ? <NewDatabase why={why} /> : <p class="soft">{t("No open database takes games: start “tabiya serve” with --write.")}</p>}
    </dialog>
  );
}

function NewDatabase({ why }: { why: Purpose }): JSX.Element {
  const name = useSignal("");
  const format = useSignal("pgn");
  const formats = useSignal<readonly Format[]>([]);
  useEffect(() => {
    api.get<{ formats: Format[] }>("/api/formats").then(({ formats: all }) => {
      const taking = all.filter(({ append, book }) => append && !book);
      const rank = ({ name: each }: Format): number => (USUAL.indexOf(each) + 1 || USUAL.length + 1);
      formats.value = taking.sort((one, other) => rank(one) - rank(other));
    }, report);
  }, []);
  const make = async (): Promise<void> => {
    busy.value = true;
    const made = await createDatabase(name.peek(), format.peek());
    busy.value = false;
    if (!made) {
      return;
    }
    if (why === "nothing") {
      purpose.value = null;
      show(made);
    } else {
      await send(why, made.id);
    }
  };
  return (
    <form
      class="new-database"
      onSubmit={(event) => {
        event.preventDefault();
        void make();
      }}
    >
      {why !== "nothing" && <h3>{t("New database")}</h3>}
      <div class="new-fields">
        <label>
          <span>{t("Name")}</span>
          <input
            required
            maxLength={80}
            autofocus={why === "nothing"}
            value={name.value}
            onInput={(event) => (name.value = event.currentTarget.value)}
          />
        </label>
        <label>
          <span>{t("Format")}</span>
          <select value={format.value} onChange={(event) => (format.value = event.currentTarget.value)}>
            {formats.value.map((each) => (
              <option key={each.name} value={each.name}>
                {each.title} ({each.suffixes[0]})
              </option>
            ))}
          </select>
        </label>
        <button type="submit" class="primary" disabled={busy.value || !name.value.trim()}>
          {why === "nothing" ? t("Create") : t("Create and add")}
        </button>
      </div>
      <p class="soft small">{t("The file is made in the folder of the current database; nothing is replaced.")}</p>
    </form>
  );
}
