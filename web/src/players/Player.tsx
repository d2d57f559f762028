/** The page of a player: results, ratings, openings, opponents, accuracy, games. */

import { useSignal } from "@preact/signals";
import type { ComponentChildren, JSX } from "preact";
import { useEffect } from "preact/hooks";
import type { PerformedScore, PhaseScore, PlayedLine, PlayerReport } from "../api/types";
import { decimal, percent } from "../figures";
import { Bars } from "../plots/Bars";
import { Lines } from "../plots/Lines";
import { Place, PlayerLink, playerPlace } from "../reports/links";
import { Failure, Progress, Reading, ScoreBar, Share } from "../reports/parts";
import { joinedNames, wholeNames } from "../reports/names";
import { useReport } from "../reports/report";
import { ListedGames } from "../reports/ListedGames";
import { count } from "../shell/numbers";
import { isolatedName, Name, plainName } from "../shell/text";
import { go, route, source, sourceFile } from "../state";
import { t, tn } from "../translation";
import { ask, NOTHING } from "../games/list";
import { LineTree } from "./LineTree";
import { PlayerChoice } from "./PlayerChoice";
import { yearsOf } from "./Players";
import { listGames, type Side } from "./state";

const OPPONENTS = 10;

/** A report on a player of the current database. */
export const usePlayer = (names: readonly string[], opponents: readonly string[] = []) =>
  useReport<PlayerReport>(
    source.value && `/api/sources/${encodeURIComponent(source.value.id)}/player`,
    { name: names, opponent: opponents },
    sourceFile.value,
  );

export function Player({ names }: { names: readonly string[] }): JSX.Element {
  const { value: report, progress, error } = usePlayer(names);
  useEffect(() => {
    const before = document.title;
    document.title = `${isolatedName(names[0]!)} · tabiya`;
    return () => void (document.title = before);
  }, [names.join()]);
  return (
    <article class="report player-page" aria-busy={progress !== null}>
      <header>
        <Place change={{ tab: "players", parameters: {} }} class="back">
          ← {t("All players")}
        </Place>
        <h1>
          <Name text={names[0]!} />
        </h1>
        {report && (
          <span class="buttons">
            <button type="button" onClick={() => listGames(names)}>
              {tn(report.total.games, "Show {n} game", "Show all {n} games", { n: count(report.total.games) })}
            </button>
            <PlayerChoice label={t("Compare with …")} except={names} choose={(name) => go({ parameters: { ...route.peek().parameters, with: name } })} />
          </span>
        )}
        {report && <p class="facts">{factsOf(report)}</p>}
      </header>
      <Progress progress={progress} />
      {error && <Failure sentence={error} />}
      {!report && !error && <Reading progress={progress} />}
      {report && <Spellings names={names} report={report} />}
      {report && <Cards names={names} report={report} />}
    </article>
  );
}

export function factsOf({ lowest_rating, highest_rating, years }: PlayerReport): string {
  const facts = [
    highest_rating === null
      ? ""
      : lowest_rating === highest_rating
        ? t("rated {rating}", { rating: highest_rating })
        : t("rated {lowest} to {highest}", { lowest: lowest_rating!, highest: highest_rating }),
    yearsOf(years[0]?.year ?? null, years.at(-1)?.year ?? null),
    source.value?.name ?? "",
  ];
  return facts.filter(Boolean).join(" · ");
}

/** Spellings that count, and others that may be of the same player. */
function Spellings({ names, report }: { names: readonly string[]; report: PlayerReport }): JSX.Element | null {
  if (names.length === 1 && report.spellings.length === 0) {
    return null;
  }
  const change = (next: readonly string[]): void => go({ parameters: { ...route.peek().parameters, name: joinedNames(next) } });
  return (
    <div class="spellings panel">
      {names.length > 1 && (
        <p>
          {t("Games of all these spellings are counted:")}{" "}
          {names.map((name) => (
            <button
              key={name}
              type="button"
              class="chip on"
              title={t("Do not count this spelling")}
              aria-label={t("Do not count the spelling {name}", { name: isolatedName(name) })}
              onClick={() => change(names.filter((other) => other !== name))}
            >
              <Name text={name} /> ×
            </button>
          ))}
        </p>
      )}
      {report.spellings.length > 0 && (
        <p>
          {t("Other names in this database that may be the same player:")}{" "}
          {report.spellings.map(({ name, games }) => (
            <button
              key={name}
              type="button"
              class="chip"
              title={t("Count the games of this spelling, too")}
              onClick={() => change([...names, name])}
            >
              + <Name text={name} /> ({count(games)})
            </button>
          ))}
        </p>
      )}
    </div>
  );
}

function Cards({ names, report }: { names: readonly string[]; report: PlayerReport }): JSX.Element {
  const years = report.years.map(({ year, games, wins, draws, losses }) => ({
    key: String(year),
    label: String(year),
    title: String(year),
    games,
    parts: [wins, draws, losses] as const,
  }));
  return (
    <div class="cards">
      <Card title={t("Results")}>
        <ResultTable report={report} />
      </Card>
      {report.ratings.length > 1 && (
        <section>
          <Lines title={t("Rating")} series={[{ name: plainName(names[0]!), values: report.ratings }]} />
        </section>
      )}
      {years.length > 1 && (
        <section>
          <Bars
            title={t("Games by year")}
            items={years}
            parts={[t("Won"), t("Drawn"), t("Lost")]}
            ofPlayer
            note={t("Choose a year to list its games.")}
            choose={({ key }) => {
              ask({ ...NOTHING, conditions: { player: [wholeNames(names)], since: key, until: key } });
              go({ tab: "games", parameters: {} });
            }}
          />
        </section>
      )}
      <Repertoire side="white" names={names} openings={report.white_openings} moves={report.white_moves} />
      <Repertoire side="black" names={names} openings={report.black_openings} moves={report.black_moves} />
      <Card title={t("Most frequent opponents")}>
        <Opponents names={names} report={report} />
      </Card>
      {report.play && <Accuracy report={report} />}
      <Card title={t("Latest games")} broad>
        <ListedGames label={t("Latest games")} question={{ headers: { player: [wholeNames(names)] }, sort: { by: "date", descending: true } }} />
      </Card>
    </div>
  );
}

export function Card({ title, broad, children }: { title: string; broad?: boolean; children: ComponentChildren }): JSX.Element {
  return (
    <section class={broad ? "broad" : undefined}>
      <h2>{title}</h2>
      {children}
    </section>
  );
}

export function ResultTable({ report }: { report: PlayerReport }): JSX.Element {
  const rows: readonly (readonly [string, PerformedScore])[] = [
    [t("All games"), report.total],
    [t("With White"), report.white],
    [t("With Black"), report.black],
  ];
  return (
    <table class="figures">
      <thead>
        <tr>
          <td />
          <th scope="col">{t("Games")}</th>
          <th scope="col" class="text bar-cell">
            {t("Won, drawn, lost")}
          </th>
          <th scope="col">{t("Score")}</th>
          <th scope="col" class="wide-column" title={t("The rating that is expected to score this against these opponents")}>
            {t("Perf.")}
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map(([title, score]) => (
          <tr key={title}>
            <th scope="row">{title}</th>
            <td title={`+${score.wins} =${score.draws} −${score.losses}`}>{count(score.games)}</td>
            <td>
              <ScoreBar {...score} />
            </td>
            <td>
              <Share {...score} />
            </td>
            <td class="wide-column">{score.performance ?? ""}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface RepertoireProps {
  side: Side;
  names: readonly string[];
  openings: readonly PlayedLine[];
  moves: readonly PlayedLine[];
}

function Repertoire({ side, names, openings, moves }: RepertoireProps): JSX.Element | null {
  const byMoves = useSignal(false);
  if (openings.length === 0) {
    return null;
  }
  const title = side === "white" ? t("Openings with White") : t("Openings with Black");
  return (
    <section>
      <div class="card-head">
        <h2>{title}</h2>
        <span class="switch" role="group" aria-label={title}>
          <button type="button" aria-pressed={!byMoves.value} onClick={() => (byMoves.value = false)}>
            {t("Names")}
          </button>
          <button type="button" aria-pressed={byMoves.value} onClick={() => (byMoves.value = true)}>
            {t("Moves")}
          </button>
        </span>
      </div>
      <LineTree key={String(byMoves.value)} lines={byMoves.value ? moves : openings} names={names} side={side} />
    </section>
  );
}

function Opponents({ names, report }: { names: readonly string[]; report: PlayerReport }): JSX.Element {
  const all = useSignal(false);
  const shown = all.value ? report.opponents : report.opponents.slice(0, OPPONENTS);
  return (
    <>
      <table class="figures opponents">
        <tbody>
          {shown.map((opponent) => (
            <tr key={opponent.name}>
              <th scope="row">
                <PlayerLink name={opponent.name} />
              </th>
              <td>
                <button
                  type="button"
                  class="plain more"
                  title={t("List the games between the two")}
                  aria-label={`${count(opponent.games)}: ${t("List the games against {name}", { name: isolatedName(opponent.name) })}`}
                  onClick={() => listGames(names, [opponent.name])}
                >
                  {count(opponent.games)}
                </button>
              </td>
              <td class="bar-cell">
                <ScoreBar {...opponent} />
              </td>
              <td>
                <Share {...opponent} />
              </td>
              <td class="wide-column">
                <Place
                  change={{ ...playerPlace(names), parameters: { ...route.value.parameters, with: opponent.name } }}
                  class="quiet soft"
                  title={t("Compare the two")}
                >
                  <span aria-hidden="true">{t("Compare")}</span>
                  <span class="unseen">{t("Compare with {name}", { name: isolatedName(opponent.name) })}</span>
                </Place>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {report.opponents.length > shown.length && (
        <button type="button" class="plain more" onClick={() => (all.value = true)}>
          {t("Show more")}
        </button>
      )}
    </>
  );
}

const PHASES = (): Readonly<Record<string, string>> => ({ opening: t("Opening"), middlegame: t("Middlegame"), endgame: t("Endgame") });

function Accuracy({ report }: { report: PlayerReport }): JSX.Element {
  const play = report.play!;
  const perGame = (number: number): string => decimal(number / play.games, 2);
  return (
    <Card title={t("Accuracy")}>
      <p class="big-figures">
        <span>
          <b>{play.accuracy == null ? "–" : percent(play.accuracy / 100, 1)}</b> {t("accuracy")}
        </span>
        <span>
          <b>{play.centipawn_loss?.toFixed(0) ?? "–"}</b> {t("centipawns lost per move")}
        </span>
        <span>
          <b>{perGame(play.inaccuracies)}</b> {t("inaccuracies per game")}
        </span>
        <span>
          <b>{perGame(play.mistakes)}</b> {t("mistakes per game")}
        </span>
        <span>
          <b>{perGame(play.blunders)}</b> {t("blunders per game")}
        </span>
      </p>
      <p class="soft">{tn(play.games, "From {n} game with evaluations.", "From {n} games with evaluations.", { n: count(play.games) })}</p>
      <PhaseTable title={t("Games that ended in the")} parts={play.phases} name={(name) => PHASES()[name] ?? name} />
      <PhaseTable title={t("Least time on the clock")} parts={play.clocks} name={(name) => name} />
    </Card>
  );
}

interface PhaseTableProps {
  title: string;
  parts: readonly PhaseScore[];
  name: (name: string) => string;
}

function PhaseTable({ title, parts, name }: PhaseTableProps): JSX.Element | null {
  if (parts.length === 0) {
    return null;
  }
  return (
    <table class="figures">
      <thead>
        <tr>
          <th scope="col" class="text">
            {title}
          </th>
          <th scope="col">{t("Games")}</th>
          <th scope="col">{t("Score")}</th>
          <th scope="col">{t("Accuracy")}</th>
          <th scope="col">{t("Blunders")}</th>
        </tr>
      </thead>
      <tbody>
        {parts.map((part) => (
          <tr key={part.name}>
            <th scope="row">{name(part.name)}</th>
            <td>{count(part.games)}</td>
            <td>
              <Share {...part} />
            </td>
            <td>{part.play.accuracy === null ? "" : percent(part.play.accuracy / 100, 1)}</td>
            <td>{part.play.moves ? count(part.play.blunders) : ""}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
