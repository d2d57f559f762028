/** Parts of reports: bars of results, progress, messages. */

import type { JSX } from "preact";
import { languageOf } from "../api/sentences";
import { LEAST_LABELLED, percentages } from "../explorer/bars";
import { percent } from "../figures";
import { t } from "../translation";
import { shareOf } from "./figures";
import "./reports.css";

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
    <span class="score-bar" role="img" aria-label={t("won {won}%, drawn {drawn}%, lost {lost}%", { won: parts[0], drawn: parts[1], lost: parts[2] })}>
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
  return <span class="share">{share === null ? "" : percent(share, 1)}</span>;
}

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
      {progress ? t("Reading the games … {percent}%", { percent: Math.floor(progress * 100) }) : t("Reading the games …")}
    </p>
  );
}

export const Failure = ({ sentence }: { sentence: string }): JSX.Element => (
  <p class="padded error" role="alert" lang={languageOf(sentence)}>
    {sentence}
  </p>
);
