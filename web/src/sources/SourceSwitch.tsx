/** Which database is looked at: a button in the header, and behind it all databases and books. */

import { batch, useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { languageOf } from "../api/sentences";
import { useLayoutEffect, useRef } from "preact/hooks";
import { api } from "../api/client";
import type { Source } from "../api/types";
import { count } from "../shell/numbers";
import { books, chooseSource, databases, go, loadSources, looking, report, route, skipped, source, sources } from "../state";
import { canCreate, purpose } from "../collect/state";
import { factsOf } from "./facts";
import { t } from "../translation";
import { OpenButton, PasteButton } from "./OpenButton";
import "./sources.css";

/** Above so many a field to find one by name is worth its place. */
const MANY = 8;

export function SourceSwitch(): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null);
  const current = source.value;
  const records = current?.records;
  useLayoutEffect(() => dialog.current!.close(), [route.value.source]);
  return (
    <>
      <button type="button" class="plain source-switch" aria-haspopup="dialog" onClick={() => dialog.current!.showModal()}>
        <span>{current?.name ?? t("Open a database")}</span>
        {records != null && (
          <span class="records">
            {" · "}
            {count(records)}
            {current!.complete ? "" : "…"}
          </span>
        )}
        <span aria-hidden="true"> ▾</span>
      </button>
      <dialog
        ref={dialog}
        class="sources card"
        aria-label={t("Databases and books")}
        onClick={(event) => event.target === event.currentTarget && event.currentTarget.close()}
      >
        <SourceList close={() => dialog.current!.close()} />
      </dialog>
    </>
  );
}

function SourceList({ close }: { close: () => void }): JSX.Element {
  const wanted = useSignal("");
  const all = [...databases.value, ...books.value];
  const shown = all.filter(({ name, path }) => `${path ?? ""} ${name}`.toLowerCase().includes(wanted.value.toLowerCase()));
  return (
    <>
      <div class="dialog-head">
        <h2>{t("Databases and books")}</h2>
        <OpenButton />
        <PasteButton close={close} />
        {canCreate() && (
          <button
            type="button"
            onClick={() => {
              close();
              purpose.value = "nothing";
            }}
          >
            {t("New database …")}
          </button>
        )}
        <button type="button" class="plain" aria-label={t("Close")} onClick={close}>
          ×
        </button>
      </div>
      {all.length > MANY && (
        <input
          type="search"
          aria-label={t("Find a database")}
          placeholder={t("Find among {n}", { n: count(all.length) })}
          value={wanted.value}
          onInput={(event) => (wanted.value = event.currentTarget.value)}
        />
      )}
      <ul>
        {shown.map((one) => (
          <SourceItem key={one.id} item={one} close={close} />
        ))}
      </ul>
      {shown.length === 0 && <p class="soft padded">{all.length ? t("None has such a name.") : t("Nothing is open yet.")}</p>}
      {looking.value && <p class="soft padded">{t("Looking for more …")}</p>}
      {skipped.value.length > 0 && <p class="soft padded">{t("Not opened: {names}", { names: skipped.value.join(", ") })}</p>}
    </>
  );
}

function SourceItem({ item, close }: { item: Source; close: () => void }): JSX.Element {
  const isCurrent = item.id === source.value?.id;
  const choose = (): void => {
    if (item.kind === "book") {
      go({ tab: "books", parameters: {} });
    } else {
      chooseSource(item.id);
    }
    close();
  };
  return (
    <li class={isCurrent ? "current" : undefined}>
      <button type="button" class="plain" aria-current={isCurrent || undefined} onClick={choose}>
        <b>{item.name}</b>
        {item.path && item.path !== item.name && <span class="soft"> {item.path}</span>}
        <small class={item.error ? "error" : "soft"}>{factsOf(item)}</small>
        {(item.remarks ?? []).map((remark) => (
          <small key={remark} class="error" lang={languageOf(remark)}>
            {remark}
          </small>
        ))}
      </button>
      {item.origin === "upload" && (
        <button type="button" class="plain" aria-label={t("Close {name}", { name: item.name })} title={t("Close it")} onClick={() => void closeSource(item)}>
          ×
        </button>
      )}
    </li>
  );
}

/** Nobody may ask about it any more when the server closes it. */
async function closeSource({ id }: Source): Promise<void> {
  batch(() => {
    if (source.peek()?.id === id) {
      go({ source: null, number: null, path: "0", parameters: {} });
    }
    sources.value = sources.peek().filter((other) => other.id !== id);
  });
  await api.delete(`/api/sources/${encodeURIComponent(id)}`).catch(report);
  await loadSources();
}
