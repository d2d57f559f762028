/** Two players side by side, and their games against each other. */

import type { JSX } from "preact";
import type { PlayerReport } from "../api/types";
import { Lines } from "../plots/Lines";
import { ListedGames } from "../reports/ListedGames";
import { Place, PlayerLink } from "../reports/links";
import { Failure, Progress, Reading, ScoreBar } from "../reports/parts";
import { pointsOf } from "../reports/figures";
import { joinedNames, wholeNames } from "../reports/names";
import { Name, plainName } from "../shell/text";
import { t, tn } from "../translation";
import { LineTree } from "./LineTree";
import { Card, factsOf, ResultTable, usePlayer } from "./Player";
import { count } from "../shell/numbers";

const OTHER = { white: "black", black: "white" } as const;

interface CompareProps {
  names: readonly string[];
  others: readonly string[];
}

export function Compare({ names, others }: CompareProps): JSX.Element {
  const one = usePlayer(names);
  const other = usePlayer(others);
  const both = usePlayer(names, others);
  const pairs = [
    { names, ...one },
    { names: others, ...other },
  ];
  const ratings = pairs.flatMap(({ names: [name], value }) => (value && value.ratings.length > 0 ? [{ name: plainName(name!), values: value.ratings }] : []));
  return (
    <article class="report compare">
      <header>
        <Place change={{ tab: "players", parameters: { name: joinedNames(names) } }} class="back">
          ← <Name text={names[0]!} />
        </Place>
        <h1>
          <PlayerLink name={names[0]!} /> – <PlayerLink name={others[0]!} />
        </h1>
      </header>
      <Progress progress={one.progress ?? other.progress ?? both.progress} />
      <div class="cards">
        <section class="broad head-to-head">
          <h2>{t("Against each other")}</h2>
          {both.value && <HeadToHead names={names} others={others} report={both.value} />}
          {both.error && <p class="soft">{t("They have not played each other in this database.")}</p>}
          {!both.value && !both.error && <Reading progress={both.progress} />}
        </section>
        {pairs.map(({ names: own, value, error, progress }) => (
          <section key={joinedNames(own)}>
            <h2>
              <PlayerLink name={own[0]!} />
            </h2>
            {error && <Failure sentence={error} />}
            {!value && !error && <Reading progress={progress} />}
            {value && <p class="soft facts">{factsOf(value)}</p>}
            {value && <ResultTable report={value} />}
          </section>
        ))}
        {ratings.length > 0 && (
          <section class="broad">
            <Lines title={t("Rating")} series={ratings} height={280} />
          </section>
        )}
        {/* What they may play against each other stands side by side. */}
        {(["white", "black"] as const).flatMap((side) =>
          pairs.map(({ names: own, value }, index) => ({ own, value, side: index === 0 ? side : OTHER[side] })).map(({ own, value, side }) => (
            <Card
              key={`${side} ${joinedNames(own)}`}
              title={side === "white" ? t("{name} with White", { name: plainName(own[0]!) }) : t("{name} with Black", { name: plainName(own[0]!) })}
            >
              {value && <LineTree lines={side === "white" ? value.white_openings : value.black_openings} names={own} side={side} />}
            </Card>
          )),
        )}
        {both.value && (
          <Card title={t("Their games")} broad>
            <ListedGames
              label={t("Their games")}
              question={{ headers: { player: [wholeNames(names), wholeNames(others)] }, sort: { by: "date", descending: true } }}
            />
          </Card>
        )}
      </div>
    </article>
  );
}

function HeadToHead({ names, others, report }: CompareProps & { report: PlayerReport }): JSX.Element {
  const { wins, draws, losses, games } = report.total;
  return (
    <>
      <p class="score-line">
        <span>
          <Name text={names[0]!} />
        </span>
        <b>
          {pointsOf(wins + draws / 2)} : {pointsOf(losses + draws / 2)}
        </b>
        <span>
          <Name text={others[0]!} />
        </span>
      </p>
      <ScoreBar {...report.total} />
      <p class="soft">
        {tn(games, "{n} game", "{n} games", { n: count(games) })} ·{" "}
        {t("{won} won, {drawn} drawn, {lost} lost", { won: wins, drawn: draws, lost: losses })}
      </p>
    </>
  );
}
