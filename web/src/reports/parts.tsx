/** Parts of reports: bars of results, links to players and events, messages. */

import type { ComponentChildren, JSX } from "preact";
import { percentages } from "../explorer/bars";
import { Name } from "../shell/text";
import { formatRoute, go, route, source, type Route } from "../state";
import { t } from "../translation";
import { shareOf } from "./figures";
import { joinedNames } from "./names";
import "./reports.css";

/** The least percentage that has place for its figure. */
const LEAST_LABELLED = 15;

export interface Score {
  readonly games: number;
  readonly wins: number;
  readonly draws: number;
  readonly losses: number;
}

/** How a player scored: won, drawn, lost. */
export function ScoreBar({ wins, draws, losses }: Score): JSX.Element {
  const parts = percentages({ white: wins, draws, black: losses });
  return (
    <span class="score-bar" role="img" aria-label={t("won {won} %, drawn {drawn} %, lost {lost} %", { won: parts[0], drawn: parts[1], lost: parts[2] })}>
      {(["won", "drawn", "lost"] as const).map((name, index) => (
        <i key={name} class={name} style={{ width: `${parts[index]!}%` }}>
          {parts[index]! >= LEAST_LABELLED && `${parts[index]!}%`}
        </i>
      ))}
    </span>
  );
}

export function Share({ wins, draws, losses }: Score): JSX.Element {
  const share = shareOf([wins, draws, losses]);
  return <span class="share">{share === null ? "" : `${(100 * share).toFixed(1)} %`}</span>;
}

interface PlaceProps {
  change: Partial<Route>;
  class?: string | undefined;
  title?: string | undefined;
  children: ComponentChildren;
}

/** A link to another place of the page. */
export function Place({ change, children, class: kind, title }: PlaceProps): JSX.Element {
  return (
    <a
      class={kind}
      title={title}
      href={formatRoute({ ...route.value, ...change })}
      onClick={(event) => {
        if (!event.metaKey && !event.ctrlKey && !event.shiftKey) {
          event.preventDefault();
          event.stopPropagation();
          go(change);
        }
      }}
    >
      {children}
    </a>
  );
}

/** The address of a player; several names are spellings of one. */
export const playerPlace = (names: readonly string[], id?: string | null): Partial<Route> => ({
  tab: "players",
  source: id ?? source.peek()?.id ?? null,
  parameters: { name: joinedNames(names) },
});

export const eventPlace = (event: string, date?: string | null, id?: string | null): Partial<Route> => ({
  tab: "tournaments",
  source: id ?? source.peek()?.id ?? null,
  parameters: { event, ...(date && { date }) },
});

interface PlayerLinkProps {
  name: string;
  id?: string | null | undefined;
  class?: string;
}

export const PlayerLink = ({ name, id, class: kind }: PlayerLinkProps): JSX.Element => (
  <Place change={playerPlace([name], id)} class={`quiet ${kind ?? ""}`}>
    <Name text={name} />
  </Place>
);

export function Progress({ progress }: { progress: number | null }): JSX.Element {
  return (
    <div class="progress" hidden={progress === null}>
      <i style={{ width: `${Math.round((progress ?? 0) * 100)}%` }} />
    </div>
  );
}

export function Reading({ progress }: { progress: number | null }): JSX.Element {
  return (
    <p class="soft padded" role="status">
      {progress ? t("Reading the games … {percent} %", { percent: Math.floor(progress * 100) }) : t("Reading the games …")}
    </p>
  );
}

export const Failure = ({ sentence }: { sentence: string }): JSX.Element => (
  <p class="padded error" role="alert">
    {sentence}
  </p>
);
