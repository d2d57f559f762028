/** Under the notation: what was played from the position on the board, in the database and in books. */

import { signal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { BookMoves } from "../books/BookMoves";
import { ReportView } from "../engine";
import { reportWanted } from "../engine/shown";
import { countOf } from "../figures";
import { books, game, source } from "../state";
import { t } from "../translation";
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
    ...(source.value ? [["moves", "Explorer"], ["games", "Games here"]] : []),
    ...(game.value.kind === "game" ? [["report", t("Report")]] : []),
    ...books.value.map(({ id, name }) => [id, name]),
  ] as [string, string][];
  const tab = tabs.some(([id]) => id === chosen.value) ? chosen.value : (tabs[0]?.[0] ?? "moves");
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
        <div role="tablist" aria-label="About this position">
          {tabs.map(([id, title]) => (
            <button
              key={id}
              type="button"
              role="tab"
              class="plain"
              aria-selected={id === tab}
              title={title}
              onClick={() => (chosen.value = id)}
            >
              {title}
            </button>
          ))}
        </div>
        {tab === "moves" && (
          <button
            type="button"
            class="plain"
            aria-pressed={showsFilters.value}
            onClick={() => (showsFilters.value = !showsFilters.peek())}
          >
            filters{active > 0 && ` (${active})`}
          </button>
        )}
      </div>
      <div class="pane" role="tabpanel" aria-label={tabs.find(([id]) => id === tab)?.[1] ?? "Explorer"}>
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
      <p class="padded error" role="alert">
        {failure.value}
      </p>
    );
  }
  if (mustBeAllowed.value) {
    return (
      <div class="padded">
        <p class="soft">
          {source.value!.name} has no index, so all its {countOf(source.value!.records ?? 0, "game")} are read for every position.
          Converted to a library it answers at once.
        </p>
        <button type="button" onClick={allowReading}>
          Read them
        </button>
      </div>
    );
  }
  if (progress.value !== null) {
    return <p class="soft padded">Reading games … {Math.floor(progress.value * 100)} %</p>;
  }
  if (!answer) {
    return <p class="soft padded">{source.value ? "…" : "Open a database to see what was played."}</p>;
  }
  if (answer.games === 0) {
    return <p class="soft padded">No game {Object.keys(filters.value).length ? "that counts " : ""}reaches this position.</p>;
  }
  return (
    <>
      {answer.moves.length > 0 ? (
        <Moves answer={answer} />
      ) : (
        <p class="soft padded">{countOf(answer.games, "game")} reached this position and ended here.</p>
      )}
      {answer.games <= answer.recent_games.length ? (
        <FewGames title="Games" games={answer.recent_games} />
      ) : (
        <>
          <FewGames title="Highest ratings" games={answer.top_games} />
          <FewGames title="Latest" games={answer.recent_games} />
        </>
      )}
    </>
  );
}
