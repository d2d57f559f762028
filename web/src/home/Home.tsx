/** The start page: what is open, what was open before, and all ways to open more. */

import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { languageOf } from "../api/sentences";
import type { RecentSource, Source } from "../api/types";
import classics from "../../../examples/classics.pgn?url";
import { percent as percentText, sizeOf } from "../figures";
import { canCreate, purpose } from "../collect/state";
import { count } from "../shell/numbers";
import { OpenButton } from "../sources/OpenButton";
import { kindOf, openText } from "../sources/paste";
import { openFiles } from "../sources/upload";
import { factsOf, formatName } from "../sources/facts";
import { about, books, databases, formatRoute, looking, openPosition, report, route, skipped, sources, sourcesLoaded } from "../state";
import { t, tn } from "../translation";
import { builds, forgetAll, forgetRecent, loadRecent, makeFast, openRecent, openSource, opening, recent, recentLoaded, stopMaking } from "./state";
import "./home.css";

/** What can be pasted: a game, or a position. */
const PASTED = "1. e4 e5 2. Nf3 …\nr1bqkbnr/pppp1ppp/2n5/… w KQkq - 2 3";

/** Above so many databases a field to find one by name is worth its place. */
const MANY = 9;
/** Smaller databases are fast as they are. */
const LARGE_BYTES = 5_000_000;
const LARGE_RECORDS = 10_000;

export function Home(): JSX.Element {
  useEffect(() => void loadRecent(), [about.value, sources.value.length]);
  const isEmpty = sources.value.length === 0;
  if (!sourcesLoaded.value) {
    return <div class="home" />; // so that nothing moves when they are known
  }
  return (
    <div class={`home ${isEmpty ? "first" : ""}`}>
      {isEmpty ? <Introduction /> : <Databases />}
      <div class="home-columns">
        <OpenMore />
        <PasteText />
      </div>
      <RecentList />
      {isEmpty && recentLoaded.value && <Examples />}
    </div>
  );
}

function Introduction(): JSX.Element {
  return (
    <header class="introduction">
      <h1>{looking.value ? t("Looking for databases …") : t("Open your chess games")}</h1>
      <p>
        {t(
          "PGN, ChessBase, Scid and other databases, and opening books. Everything stays on this machine: files change only when you save, and are never sent anywhere.",
        )}
      </p>
    </header>
  );
}

function Databases(): JSX.Element {
  const wanted = useSignal("");
  const all = [...databases.value, ...books.value];
  const shown = all.filter(({ name, path }) => `${path ?? ""} ${name}`.toLowerCase().includes(wanted.value.toLowerCase()));
  return (
    <section aria-labelledby="home-databases">
      <div class="home-head">
        <h1 id="home-databases">{t("Databases and books")}</h1>
        {all.length > MANY && (
          <input
            type="search"
            aria-label={t("Find a database")}
            placeholder={t("Find among {n}", { n: count(all.length) })}
            value={wanted.value}
            onInput={(event) => (wanted.value = event.currentTarget.value)}
          />
        )}
      </div>
      <ul class="home-cards">
        {shown.map((one) => (
          <SourceCard key={one.id} item={one} />
        ))}
      </ul>
      {shown.length === 0 && <p class="soft">{t("None has such a name.")}</p>}
      {looking.value && <p class="soft">{t("Looking for more …")}</p>}
      {skipped.value.length > 0 && <p class="soft">{t("Not opened: {names}", { names: skipped.value.join(", ") })}</p>}
    </section>
  );
}

const isLarge = ({ size, records }: Source): boolean => (size ?? 0) > LARGE_BYTES || (records ?? 0) > LARGE_RECORDS;

function SourceCard({ item }: { item: Source }): JSX.Element {
  const isBook = item.kind === "book";
  const place = isBook ? { tab: "books" as const } : { tab: "games" as const, source: item.id, number: null, path: "0" };
  return (
    <li class="home-card">
      <a
        class="card-link"
        href={formatRoute({ ...route.value, ...place, line: null, parameters: {} })}
        onClick={(event) => {
          if (!event.metaKey && !event.ctrlKey && !event.shiftKey) {
            event.preventDefault();
            openSource(item);
          }
        }}
      >
        <span class={`kind ${item.kind}`} aria-hidden="true">
          {isBook ? <BookIcon /> : <BoardIcon />}
        </span>
        <span class="card-text">
          <b>{item.name}</b>
          {item.path && item.path !== item.name && <small class="soft path">{item.path}</small>}
          <small class={item.error ? "error" : "soft"} lang={item.error ? languageOf(item.error) : undefined}>{factsOf(item)}</small>
        </span>
      </a>
      {(item.remarks ?? []).map((remark) => (
        <small key={remark} class="error" lang={languageOf(remark)}>
          {remark}
        </small>
      ))}
      {!isBook && !item.error && (
        <p class="card-links">
          {(["players", "tournaments", "statistics"] as const).map((tab) => (
            <a key={tab} href={formatRoute({ ...route.value, tab, source: item.id, number: null, path: "0", line: null, parameters: {} })}>
              {{ players: t("Players"), tournaments: t("Tournaments"), statistics: t("Statistics") }[tab]}
            </a>
          ))}
        </p>
      )}
      <MakeFast item={item} />
    </li>
  );
}

function MakeFast({ item }: { item: Source }): JSX.Element | null {
  const job = builds.value.get(item.id);
  if (job) {
    const percent = job.progress == null ? null : Math.floor(job.progress * 100);
    return (
      <p class="make-fast" role="status">
        <progress max="100" {...(percent === null ? {} : { value: percent })} aria-label={t("Making a library of {name}", { name: item.name })} />
        <span class="soft">{percent === null ? count(job.records ?? 0) : percentText(percent / 100)}</span>
        <button type="button" onClick={() => stopMaking(item.id)}>
          {t("Cancel")}
        </button>
      </p>
    );
  }
  if (item.kind === "book" || item.indexed || !item.complete || !isLarge(item)) {
    return null;
  }
  if (item.library) {
    return (
      <p class="make-fast">
        <button type="button" onClick={() => void makeFast(item)}>
          {t("Make this fast")}
        </button>
        <span class="soft">{t("Writes a library beside it, in which every position is found at once.")}</span>
      </p>
    );
  }
  return about.value?.write || item.origin === "upload" ? null : (
    <p class="make-fast soft">{t("Started with --write, tabiya can make a library of it, in which every position is found at once.")}</p>
  );
}

function OpenMore(): JSX.Element {
  return (
    <section class="drop-area" aria-label={t("Open files")}>
      <DropIcon />
      <p>
        <b>{t("Drop files here")}</b>
      </p>
      <p class="soft">{t("or anywhere on the page; the files of a ChessBase base all together")}</p>
      <p class="buttons">
        <OpenButton class="primary" />
        <button type="button" onClick={() => openPosition()}>
          {t("Empty board")}
        </button>
        {canCreate() && (
          <button type="button" onClick={() => (purpose.value = "nothing")}>
            {t("New database …")}
          </button>
        )}
      </p>
    </section>
  );
}

function PasteText(): JSX.Element {
  const text = useSignal("");
  const kind = kindOf(text.value);
  return (
    <form
      class="paste-area"
      onSubmit={(event) => {
        event.preventDefault();
        void openText(text.peek());
      }}
    >
      <label for="home-paste">
        <b>{t("Paste games or a position")}</b>
      </label>
      <textarea
        id="home-paste"
        spellcheck={false}
        placeholder={PASTED}
        value={text.value}
        onInput={(event) => (text.value = event.currentTarget.value)}
      />
      <p class="buttons">
        <button type="submit" class="primary" disabled={kind === null}>
          {kind?.kind === "position" ? t("Show the position") : t("Open the games")}
        </button>
        <span class="soft">{text.value.trim() && kind === null ? t("This is neither PGN nor FEN.") : t("PGN or FEN")}</span>
      </p>
    </form>
  );
}

function RecentList(): JSX.Element | null {
  if (recent.value.length === 0) {
    return null;
  }
  return (
    <section aria-labelledby="home-recent">
      <div class="home-head">
        <h2 id="home-recent">{t("Opened before")}</h2>
        <button type="button" class="plain" onClick={() => void forgetAll()}>
          {t("Forget all")}
        </button>
      </div>
      <ul class="recent">
        {recent.value.map((each) => (
          <RecentItem key={each.recent} item={each} />
        ))}
      </ul>
    </section>
  );
}

function RecentItem({ item }: { item: RecentSource }): JSX.Element {
  const facts = [
    formatName(item.format_title),
    item.records === null ? "" : tn(item.records, "{n} record", "{n} records", { n: count(item.records) }),
    item.size ? sizeOf(item.size) : "",
    item.opened.slice(0, 10),
  ];
  return (
    <li>
      <button type="button" class="plain" disabled={item.missing || opening.value !== null} onClick={() => void openRecent(item)}>
        <b>{item.name}</b>
        <span class="soft path">{item.path}</span>
        <small class="soft">{item.missing ? t("This file is gone.") : facts.filter(Boolean).join(" · ")}</small>
      </button>
      <button
        type="button"
        class="plain"
        title={t("Forget it; the file stays")}
        aria-label={t("Forget {name}", { name: item.name })}
        onClick={() => void forgetRecent(item)}
      >
        ×
      </button>
    </li>
  );
}

function Examples(): JSX.Element {
  const open = async (): Promise<void> => {
    const response = await fetch(classics);
    await openFiles([new File([await response.blob()], "classics.pgn")]);
  };
  return (
    <section class="examples">
      <div>
        <h2>{t("Nothing at hand?")}</h2>
        <p class="soft">{t("Six classic games and two studies, with notes: the Immortal and the Evergreen Game, Morphy at the opera …")}</p>
      </div>
      <button type="button" onClick={() => void open().catch(report)}>
        {t("Open the examples")}
      </button>
    </section>
  );
}

const BoardIcon = (): JSX.Element => (
  <svg viewBox="0 0 32 32" width="32" height="32">
    <rect x="1" y="1" width="30" height="30" rx="5" class="light" />
    {[0, 1, 2, 3].flatMap((row) =>
      [0, 1, 2, 3].map((column) =>
        (row + column) % 2 ? <rect key={`${row}${column}`} x={4 + 6 * column} y={4 + 6 * row} width="6" height="6" class="dark" /> : null,
      ),
    )}
  </svg>
);

const BookIcon = (): JSX.Element => (
  <svg viewBox="0 0 32 32" width="32" height="32">
    <path class="light" d="M3 6c5-2 9-2 13 1c4-3 8-3 13-1v20c-5-2-9-2-13 1c-4-3-8-3-13-1z" />
    <path class="dark" d="M15.2 7h1.6v20h-1.6z" />
  </svg>
);

const DropIcon = (): JSX.Element => (
  <svg viewBox="0 0 48 48" width="44" height="44" aria-hidden="true" class="drop-icon">
    <path d="M24 6v22M15 20l9 9l9-9M8 32v7a3 3 0 0 0 3 3h26a3 3 0 0 0 3-3v-7" />
  </svg>
);
