/** Under the notation: what was played from the position on the board, in the database and in books. */

import { signal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { languageOf } from "../api/sentences";
import { BookMoves } from "../books/BookMoves";
import { ReportView } from "../engine";
import { reportWanted } from "../engine/shown";
import { gamesText } from "../figures";
import { count } from "../shell/numbers";
import { books, game, source } from "../state";
import { t, tn } from "../translation";
import { Filters } from "./Filters";
import { FewGames } from "./Games";
import { GamesHere } from "./GamesHere";
import { Moves } from "./Moves";
import {
  allowReading,
  exploration,
  failure,
  filters,
  followBoard,
  mustBeAllowed,
  progress,
  working,
} from "./state";
import "./explorer.css";

/** `moves`, `games`, `report`, or the id of a book. */
const chosen = signal("moves");
const showsFilters = signal(false);

export function Explorer(): JSX.Element {
  const tabs = [
    ...(source.value ? [["moves", t("Explorer")], ["games", t("Games here")]] : []),
    ...(game.value.kind === "game" ? [["report", t("Report")]] : []),
    ...books.value.map(({ id, name }) => [id, books.value.length === 1 ? t("Book") : name, name]),
  ] as [id: string, title: string, long?: string][];
  const tab = tabs.some(([id]) => id === chosen.value) ? chosen.value : (tabs.find(([id]) => id !== "report")?.[0] ?? "moves");
  const card = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (reportWanted.value) {
      reportWanted.value = false;
      chosen.value = "report";
      card.current?.scrollIntoView({ block: "nearest" }); // on a phone it is below all moves
    }
  }, [reportWanted.value]);
  const active = Object.keys(filters.value).length;
  return (
    <div class="explorer" ref={card}>
      <div class="tabs">
        <div role="tablist" aria-label={t("About this position")}>
          {tabs.map(([id, title, long]) => (
            <button
              key={id}
              type="button"
              role="tab"
              class="plain"
              aria-selected={id === tab}
              title={long ?? title}
              onClick={() => (chosen.value = id)}
            >
              {title}
            </button>
          ))}
        </div>
        {tab === "moves" && source.value && (
          <button
            type="button"
            class="plain"
            aria-pressed={showsFilters.value}
            onClick={() => (showsFilters.value = !showsFilters.peek())}
          >
            {t("Filters")}
            {active > 0 && ` (${active})`}
          </button>
        )}
      </div>
      <div class="pane" role="tabpanel" aria-label={tabs.find(([id]) => id === tab)?.[1] ?? t("Explorer")}>
        {tab === "moves" ? <Played /> : tab === "report" ? <ReportView /> : tab === "games" ? <GamesHere /> : <BookMoves key={tab} id={tab} />}
      </div>
    </div>
  );
}

function Played(): JSX.Element {
  useEffect(followBoard, []);
  return (
    <div class={`played ${working.value ? "working" : ""}`}>
      {showsFilters.value && <Filters />}
      <Answer />
    </div>
  );
}

function Answer(): JSX.Element {
  const answer = exploration.value;
  if (failure.value) {
    return (
      <p class="padded error" role="alert" lang={languageOf(failure.value)}>
        {failure.value}
      </p>
    );
  }
  if (mustBeAllowed.value) {
    return (
      <div class="padded">
        <p class="soft">
          {t("{name} has no index, so every position requires reading the whole database ({games}). A library answers immediately.", {
            name: source.value!.name,
            games: gamesText(source.value!.records ?? 0),
          })}
        </p>
        <button type="button" onClick={allowReading}>
          {t("Read the games")}
        </button>
      </div>
    );
  }
  if (progress.value !== null) {
    return <p class="soft padded">{t("Reading games … {percent}%", { percent: Math.floor(progress.value * 100) })}</p>;
  }
  if (!answer) {
    return <p class="soft padded">{source.value ? "…" : t("Open a database to see what was played.")}</p>;
  }
  if (answer.games === 0) {
    return (
      <p class="soft padded">
        {Object.keys(filters.value).length ? t("No game that the filters admit reaches this position.") : t("No game reaches this position.")}
      </p>
    );
  }
  return (
    <>
      {answer.moves.length > 0 ? (
        <Moves answer={answer} />
      ) : (
        <p class="soft padded">{tn(answer.games, "{n} game reached this position and ended here.", "{n} games reached this position and ended here.", {
            n: count(answer.games),
          })}</p>
      )}
      {answer.games <= answer.recent_games.length ? (
        <FewGames title={t("Games")} games={answer.recent_games} />
      ) : (
        <>
          <FewGames title={t("Highest ratings")} games={answer.top_games} />
          <FewGames title={t("Latest")} games={answer.recent_games} />
        </>
      )}
    </>
  );
}
