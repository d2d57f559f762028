/** The page of a tournament: its table, whose results lead to the games, and its games. */

import type { JSX } from "preact";
import type { Crosstable, Event, TableEntry, TableGame, TournamentReport } from "../api/types";
import { nameOf } from "../figures";
import { ask, NOTHING } from "../games/list";
import { ListedGames } from "../reports/ListedGames";
import { eventPlace, Place, PlayerLink } from "../reports/links";
import { Failure, Progress, Reading } from "../reports/parts";
import { pointsOf } from "../reports/figures";
import { wholeNames } from "../reports/names";
import { useReport } from "../reports/report";
import { count } from "../shell/numbers";
import { isolatedName, Name } from "../shell/text";
import { formatRoute, go, isNarrow, openGame, route, source, sourceFile } from "../state";
import { t, tn } from "../translation";
import { cellsOf, columnsOf, hasRounds, type Cell } from "./cells";
import { datesOf } from "./Tournaments";
import { useEffect } from "preact/hooks";

/** The conditions of the games of an event; of several with one name, those of its days. */
function conditionsOf({ event, others }: TournamentReport): { event: string; since?: string; until?: string } {
  const days = others.length > 0 && event.first && event.last ? { since: event.first, until: event.last } : {};
  return { event: wholeNames([event.name]), ...days };
}

export function Tournament({ event, date }: { event: string; date: string | null }): JSX.Element {
  const path = `/api/sources/${encodeURIComponent(source.value!.id)}/tournament`;
  const { value: report, progress, error } = useReport<TournamentReport>(path, { event, date }, sourceFile.value);
  useEffect(() => {
    const before = document.title;
    document.title = `${isolatedName(event)} · tabiya`;
    return () => void (document.title = before);
  }, [event]);
  return (
    <article class="report tournament" aria-busy={progress !== null}>
      <header>
        <Place change={{ tab: "tournaments", parameters: {} }} class="back">
          ← {t("All tournaments")}
        </Place>
        <h1>
          <Name text={nameOf(event) || t("Without a name")} />
        </h1>
        {report && (
          <span class="buttons">
            <button
              type="button"
              onClick={() => {
                ask({ ...NOTHING, conditions: conditionsOf(report) });
                go({ tab: "games", parameters: {} });
              }}
            >
              {tn(report.event.games, "{n} game", "{n} games", { n: count(report.event.games) })}
            </button>
          </span>
        )}
        {report && <p class="facts">{factsOf(report.event, report.table)}</p>}
      </header>
      <Progress progress={progress} />
      {error && <Failure sentence={error} />}
      {!report && !error && <Reading progress={progress} />}
      {report && report.others.length > 0 && <Editions report={report} />}
      {report?.table && <Table table={report.table} event={report.event} />}
      {report && !report.table && (
        <p class="soft">{t("This event is too large for one table, or its games have no players.")}</p>
      )}
      {report && (
        <section class="panel">
          <h2>{t("Games")}</h2>
          <ListedGames label={t("Games")} question={{ headers: conditionsOf(report), sort: { by: "round", descending: false } }} />
        </section>
      )}
    </article>
  );
}

function factsOf(event: Event, table: Crosstable | null): string {
  const kinds: Readonly<Record<Crosstable["kind"], string>> = {
    match: t("match"),
    "round-robin": t("round robin"),
    swiss: t("Swiss system"),
    team: t("teams"),
  };
  const facts = [
    nameOf(event.site),
    datesOf(event),
    table ? kinds[table.kind] : "",
    tn(event.players, "{n} player", "{n} players", { n: count(event.players) }),
    table && table.rounds > 1 ? tn(table.rounds, "{n} round", "{n} rounds") : "",
    event.rating ? t("mean rating {rating}", { rating: event.rating }) : "",
  ];
  return facts.filter(Boolean).join(" · ");
}

/** Other events of the same name. */
function Editions({ report }: { report: TournamentReport }): JSX.Element {
  return (
    <nav class="editions" aria-label={t("Other years")}>
      {report.others.map((other) => (
        <Place
          key={other.first}
          change={eventPlace(other.name, other.first)}
          class={`chip ${other.first === report.event.first ? "on" : ""}`}
          title={datesOf(other)}
        >
          {other.first?.slice(0, 7) ?? t("no date")}
        </Place>
      ))}
    </nav>
  );
}

function Table({ table, event }: { table: Crosstable; event: Event }): JSX.Element {
  const columns = columnsOf(table);
  const rated = table.entries.some(({ rating }) => rating !== null);
  return (
    <section class="panel crosstable">
      <div class="scroll" tabIndex={0} role="region" aria-label={t("Table of {name}", { name: isolatedName(event.name) })}>
        <table>
          <thead>
            <tr>
              <th scope="col">#</th>
              <th scope="col" class="text name">
                {table.kind === "team" ? t("Team") : t("Player")}
              </th>
              {rated && (
                <th scope="col" class="elo">
                  {t("Elo")}
                </th>
              )}
              <th scope="col" class="points">
                {t("Points")}
              </th>
              {columns.map((column) => (
                <th scope="col" key={column} class="cell">
                  {column}
                </th>
              ))}
              {table.tie_breaks.map((name) => (
                <th scope="col" key={name}>
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {table.entries.map((entry, place) => (
              <tr key={place}>
                <td class="soft">{entry.rank}</td>
                <th scope="row" class="text name">
                  {table.kind === "team" ? <Name text={entry.name} /> : <PlayerLink name={entry.name} />}
                </th>
                {rated && <td class="soft elo">{entry.rating ?? ""}</td>}
                <td class="points">
                  <b>{pointsOf(entry.points)}</b>
                  <span class="soft">/{entry.games}</span>
                </td>
                {cellsOf(table, place).map((cell, column) => (
                  <ResultCell key={column} cell={cell} table={table} own={entry} />
                ))}
                {entry.tie_breaks.map((value, index) => (
                  <td key={index} class="soft">
                    {value === null ? "" : Number(value.toFixed(2))}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

function ResultCell({ cell, table, own }: { cell: Cell; table: Crosstable; own: TableEntry }): JSX.Element {
  if (cell === "self") {
    return <td class="cell self" aria-label={t("against themselves")} />;
  }
  return (
    <td class="cell">
      {cell.map((game) => (
        <ResultLink key={game.number} game={game} own={own} other={table.entries[game.opponent]!} byRound={hasRounds(table)} />
      ))}
    </td>
  );
}

interface LinkProps {
  game: TableGame;
  own: TableEntry;
  other: TableEntry;
  byRound: boolean;
}

/** A result that leads to its game; by rounds with colour and the place of the opponent. */
function ResultLink({ game, own, other, byRound }: LinkProps): JSX.Element {
  const colour = game.color === "w" ? t("White") : game.color === "b" ? t("Black") : "";
  const title = [`${isolatedName(own.name)} – ${isolatedName(other.name)} ${game.result}`, colour, game.round === null ? "" : t("round {n}", { n: game.round })];
  const kind = game.points === null ? "" : game.points >= 1 ? "won" : game.points > 0 ? "drawn" : "lost";
  const place = { tab: isNarrow() ? ("board" as const) : ("games" as const), number: game.number, path: "0", parameters: {} };
  return (
    <a
      class={`result ${kind}`}
      title={title.filter(Boolean).join(", ")}
      href={formatRoute({ ...route.value, ...place, line: null })}
      onClick={(event) => {
        if (!event.metaKey && !event.ctrlKey && !event.shiftKey) {
          event.preventDefault();
          openGame(source.peek()!.id, game.number);
        }
      }}
    >
      {game.result}
      {byRound && <small>{`${game.opponent + 1}${game.color === "w" ? "○" : game.color === "b" ? "●" : ""}`}</small>}
    </a>
  );
}
