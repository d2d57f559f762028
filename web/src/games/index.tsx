/** The list of games: quick filter, what the form asks for, the rows, and what can be done with all of them. */

import type { JSX } from "preact";
import { languageOf } from "../api/sentences";
import { percent } from "../figures";
import { count } from "../shell/numbers";
import { Choice, Dialog } from "../shell/Dialog";
import { go, hiddenColumns, looking, openGame, source, sourcesLoaded, vocabulary } from "../state";
import type { Panel } from "../shell/panel";
import { useWidth } from "../shell/width";
import { t, tn } from "../translation";
import { canCreate, purpose } from "../collect/state";
import { Welcome } from "../sources/Welcome";
import { CHOICES, chosenColumns, COLUMNS, COLUMNS_WIDTH, withColumn } from "./columns";
import { Chips, QuickField } from "./Conditions";
import { firstSort, GameTable } from "./GameTable";
import { ask, asked, currentRecord, followAsked, isFiltered, list, NOTHING, wide } from "./list";
import type { Row } from "./query";
import "./games.css";

followAsked();

function Games(): JSX.Element {
  const database = source.value;
  const [place, width] = useWidth<HTMLDivElement>();
  if (!database) {
    return sourcesLoaded.value && !looking.value ? <Welcome /> : <p class="soft padded">{t("Looking for databases …")}</p>;
  }
  const compact = width < COLUMNS_WIDTH;
  return (
    <div class="games" ref={place}>
      <Tools compact={compact} />
      <Chips />
      <Progress />
      {list.error.value && (
        <p class="padded error" role="alert" lang={languageOf(list.error.value)}>
          {list.error.value}
        </p>
      )}
      {(database.remarks ?? []).map((remark) => (
        <p key={remark} class="padded soft" lang={languageOf(remark)}>
          {remark}
        </p>
      ))}
      {isFiltered.value && list.status.value?.complete && list.status.value.total === 0 && (
        <p class="padded soft">{t("No game fits. Fewer conditions, or other spellings, find more.")}</p>
      )}
      <GameTable
        query={list}
        columns={chosenColumns(list.status.value?.has_plies === true)}
        label={t("Games of {name}", { name: database.name })}
        current={currentRecord.value}
        compact={compact}
        sort={asked.value.sort}
        sortable={vocabulary.value?.sort ?? []}
        onSort={(sort) => ask({ sort })}
        onOpen={openRow}
      />
      <Foot />
    </div>
  );
}

function openRow({ number, ply }: Row): void {
  wide.value = false;
  openGame(list.status.peek()!.source, number, ply ?? "0");
}

function Tools({ compact }: { compact: boolean }): JSX.Element {
  return (
    <div class="list-tools" role="search">
      <QuickField />
      <button
        type="button"
        class="chip wide-only"
        aria-pressed={wide.value}
        aria-label={t("All columns, over the whole page")}
        title={t("All columns, over the whole page")}
        onClick={() => (wide.value = !wide.peek())}
      >
        ⤢
      </button>
      <button
        type="button"
        class="chip"
        aria-pressed={asked.value.here}
        title={t("Only games that reach the position on the board")}
        onClick={() => ask({ here: !asked.peek().here })}
      >
        {t("Position")}
      </button>
      <button type="button" class="chip" title={t("All conditions")} onClick={() => go({ tab: "search", parameters: {} })}>
        {t("Filters")}
      </button>
      {compact ? <SortChoice /> : <ColumnChoice />}
    </div>
  );
}

function ColumnChoice(): JSX.Element {
  const hidden = hiddenColumns.value;
  return (
    <Dialog
      title={t("Columns")}
      button={(open) => (
        <button type="button" class="chip" title={t("Which columns are shown")} onClick={open}>
          {t("Columns")}
        </button>
      )}
    >
      <div class="column-choice">
        {CHOICES.map(({ name, title, long }) => (
          <Choice
            key={name}
            name={long ?? title}
            chosen={!hidden.includes(name)}
            choose={(shown) => (hiddenColumns.value = withColumn(hidden, name, shown))}
          />
        ))}
      </div>
      <p class="buttons">
        <button type="button" disabled={!hidden.length} onClick={() => (hiddenColumns.value = [])}>
          {t("All columns")}
        </button>
        <button class="primary">{t("Done")}</button>
      </p>
    </Dialog>
  );
}

/** Where there are no heads of columns to click at. */
function SortChoice(): JSX.Element {
  const { sort } = asked.value;
  const choices = COLUMNS.filter(({ name }) => vocabulary.value?.sort.includes(name));
  return (
    <select
      class="sort chip"
      aria-label={t("Order")}
      value={sort?.by ?? ""}
      onChange={({ currentTarget }) => {
        const { value } = currentTarget;
        ask({ sort: value === "number" ? null : firstSort(value) });
        currentTarget.value = asked.peek().sort?.by ?? "";
      }}
    >
      <option value="" hidden>
        {t("Sort")}
      </option>
      {choices.map(({ name, title, long }) => (
        <option key={name} value={name}>
          {name === "number" ? t("As stored") : t("Sort: {column}", { column: long ?? title })}
        </option>
      ))}
    </select>
  );
}

function Progress(): JSX.Element {
  const progress = list.progress.value;
  const busy = list.asking.value || progress !== null;
  return (
    <div class="progress" hidden={!busy}>
      <i style={{ width: `${Math.round((progress ?? 0) * 100)}%` }} />
    </div>
  );
}

function Foot(): JSX.Element {
  const status = list.status.value;
  const progress = list.progress.value;
  const records = source.value?.records;
  const total = status?.total ?? 0;
  const reading = progress !== null || list.asking.value;
  return (
    <footer class="foot">
      <span role="status">
        {isFiltered.value && records != null
          ? tn(records, "{found} of {n} record", "{found} of {n} records", { found: count(total), n: count(records) })
          : tn(total, "{n} record", "{n} records", { n: count(total) })}
        {reading && ` · ${list.asking.value && asked.value.sort ? t("sorting") : t("reading")} ${progress ? percent(Math.floor(progress * 100) / 100) : "…"}`}
      </span>
      {isFiltered.value && (
        <button type="button" class="plain" onClick={() => ask({ ...NOTHING, sort: asked.peek().sort })}>
          {t("Show all")}
        </button>
      )}
      {status && total > 0 && (
        <div class="foot-actions">
          <button
            type="button"
            class="plain"
            title={t("Convert what the list shows into another format")}
            onClick={() => go({ tab: "convert", parameters: {} })}
          >
            {t("Convert")}
          </button>
          {canCreate() && (
            <button type="button" class="plain" title={t("Add what the list shows to another database")} onClick={() => (purpose.value = "list")}>
              {t("Add to …")}
            </button>
          )}
          <a href={`/api/queries/${status.query}/pgn`} download title={t("Download what the list shows, as PGN")}>
            {t("Download PGN")}
          </a>
        </div>
      )}
    </footer>
  );
}

export const panel: Panel = { tab: "games", title: t("Games"), place: "side", Component: Games };
