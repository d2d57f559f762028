/** The players of a database, and the page of one of them. */

import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import type { Players as Answer } from "../api/types";
import { PlayerLink, playerPlace } from "../reports/links";
import { Failure, Progress, Reading, ScoreBar, Share } from "../reports/parts";
import { separateNames } from "../reports/names";
import { useReport } from "../reports/report";
import { count } from "../shell/numbers";
import { go, route, setParameters, source, sourceFile } from "../state";
import { Welcome } from "../sources/Welcome";
import { t, tn } from "../translation";
import { Compare } from "./Compare";
import { Player } from "./Player";
import "./players.css";

const PAGE = 100;
const TYPING_MS = 200;
const ORDERS = (): readonly (readonly [name: string, title: string])[] => [
  ["games", t("most games first")],
  ["rating", t("highest rating first")],
  ["last", t("latest first")],
  ["name", t("by name")],
];

export function Players(): JSX.Element {
  const { name, with: other } = route.value.parameters;
  const names = separateNames(name);
  const others = separateNames(other);
  if (!source.value) {
    return <Welcome />;
  }
  if (names.length === 0) {
    return <PlayerList />;
  }
  return others.length > 0 ? <Compare names={names} others={others} /> : <Player names={names} />;
}

function PlayerList(): JSX.Element {
  const database = source.value!;
  const { text = "", by = "games" } = route.value.parameters;
  const limit = useSignal(PAGE);
  const typed = useSignal(text);
  const path = `/api/sources/${encodeURIComponent(database.id)}/players`;
  const { value, progress, error } = useReport<Answer>(path, { text, by, limit: Math.min(500, limit.value) }, sourceFile.value, true);
  useEffect(() => {
    const timer = setTimeout(() => setParameters({ text: typed.value || null }), TYPING_MS);
    return () => clearTimeout(timer);
  }, [typed.value]);
  return (
    <div class="report players">
      <header>
        <h1>{t("Players")}</h1>
        <p class="facts" role="status">
          {value && value.total > 0 ? tn(value.total, "{n} player in {name}", "{n} players in {name}", { n: count(value.total), name: database.name }) : database.name}
        </p>
      </header>
      <div class="find-tools" role="search">
        <input
          type="search"
          aria-label={t("Find a player")}
          placeholder={t("Find a player")}
          value={typed.value}
          onInput={(event) => (typed.value = event.currentTarget.value)}
          onKeyDown={({ key, currentTarget }) => {
            const [first] = value?.players ?? [];
            if (key === "Enter" && first && currentTarget.value && text === currentTarget.value) {
              go(playerPlace([first.name]));
            }
          }}
        />
        <select
          aria-label={t("Order")}
          value={by}
          onChange={({ currentTarget }) => setParameters({ by: currentTarget.value === "games" ? null : currentTarget.value })}
        >
          {ORDERS().map(([key, title]) => (
            <option key={key} value={key}>
              {title}
            </option>
          ))}
        </select>
      </div>
      <Progress progress={progress} />
      {error && <Failure sentence={error} />}
      {!value && !error && <Reading progress={progress} />}
      {value && (
        <table class="figures report-table player-list">
          <thead>
            <tr>
              <th scope="col" class="text">
                {t("Player")}
              </th>
              <th scope="col">{t("Games")}</th>
              <th scope="col" class="text bar-cell">
                {t("Won, drawn, lost")}
              </th>
              <th scope="col" class="wide-column">
                {t("Score")}
              </th>
              <th scope="col">{t("Rating")}</th>
              <th scope="col" class="wide-column">
                {t("Years")}
              </th>
            </tr>
          </thead>
          <tbody>
            {value.players.map((player) => (
              <tr key={player.name}>
                <th scope="row">
                  <PlayerLink name={player.name} />
                </th>
                <td>{count(player.games)}</td>
                <td>
                  <ScoreBar {...player} />
                </td>
                <td class="wide-column">
                  <Share {...player} />
                </td>
                <td title={t("The highest rating")}>{player.rating ?? ""}</td>
                <td class="wide-column">{yearsOf(player.first_year, player.last_year)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {value && value.total === 0 && value.complete && <p class="soft padded">{t("No player has such a name.")}</p>}
      {value && value.total > value.players.length && (
        <p class="more-rows">
          {value.players.length < 500 ? (
            <button type="button" onClick={() => (limit.value += PAGE)}>
              {t("Show more")}
            </button>
          ) : (
            <span class="soft">{t("Find the others by their names.")}</span>
          )}
        </p>
      )}
    </div>
  );
}

export const yearsOf = (first: number | null, last: number | null): string =>
  first === null || first === last ? String(last ?? "") : `${first}–${last}`;
