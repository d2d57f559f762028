/** The events of a database, and the page of one of them. */

import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import type { Event, Events } from "../api/types";
import { nameOf } from "../figures";
import { eventPlace, Place } from "../reports/links";
import { Failure, Progress, Reading } from "../reports/parts";
import { useReport } from "../reports/report";
import { count } from "../shell/numbers";
import { Name } from "../shell/text";
import { route, setParameters, source, sourceFile } from "../state";
import { Welcome } from "../sources/Welcome";
import { t, tn } from "../translation";
import { Tournament } from "./Tournament";
import "./tournaments.css";

const PAGE = 100;
const TYPING_MS = 200;
const ORDERS = (): readonly (readonly [name: string, title: string])[] => [
  ["last", t("latest first")],
  ["rating", t("strongest first")],
  ["games", t("most games first")],
  ["players", t("most players first")],
  ["name", t("by name")],
];

export function Tournaments(): JSX.Element {
  const { event, date } = route.value.parameters;
  if (!source.value) {
    return <Welcome />;
  }
  return event ? <Tournament event={event} date={date ?? null} /> : <EventList />;
}

/** When an event was played: `2013-11-07 – 2013-11-22`. */
export const datesOf = ({ first, last }: Event): string => (first === last ? (first ?? "") : [first, last].filter(Boolean).join(" – "));

function EventList(): JSX.Element {
  const database = source.value!;
  const { text = "", by = "last" } = route.value.parameters;
  const limit = useSignal(PAGE);
  const typed = useSignal(text);
  const path = `/api/sources/${encodeURIComponent(database.id)}/events`;
  const { value, progress, error } = useReport<Events>(path, { text, by, limit: Math.min(500, limit.value) }, sourceFile.value, true);
  useEffect(() => {
    const timer = setTimeout(() => setParameters({ text: typed.value || null }), TYPING_MS);
    return () => clearTimeout(timer);
  }, [typed.value]);
  return (
    <div class="report tournaments">
      <header>
        <h1>{t("Tournaments")}</h1>
        <p class="facts" role="status">
          {value
            ? tn(value.total, "{n} tournament in {name}", "{n} tournaments in {name}", { n: count(value.total), name: database.name })
            : database.name}
        </p>
      </header>
      <div class="find-tools" role="search">
        <input
          type="search"
          aria-label={t("Find a tournament or a place")}
          placeholder={t("Find a tournament or a place")}
          value={typed.value}
          onInput={(event) => (typed.value = event.currentTarget.value)}
        />
        <select
          aria-label={t("Order")}
          value={by}
          onChange={({ currentTarget }) => setParameters({ by: currentTarget.value === "last" ? null : currentTarget.value })}
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
        <table class="figures report-table">
          <thead>
            <tr>
              <th scope="col" class="text">
                {t("Tournament")}
              </th>
              <th scope="col" class="text wide-column">
                {t("Place")}
              </th>
              <th scope="col" class="text">
                {t("Date")}
              </th>
              <th scope="col" class="wide-column">
                {t("Players")}
              </th>
              <th scope="col">{t("Games")}</th>
              <th scope="col" title={t("The mean of all ratings")}>
                {t("Rating")}
              </th>
            </tr>
          </thead>
          <tbody>
            {value.events.map((event) => (
              <tr key={`${event.name}\n${event.first}`}>
                <th scope="row">
                  <Place change={eventPlace(event.name, event.first)} class="quiet">
                    <Name text={nameOf(event.name) || t("Without a name")} />
                  </Place>
                </th>
                <td class="text wide-column">{nameOf(event.site)}</td>
                <td class="text">{datesOf(event)}</td>
                <td class="wide-column">{count(event.players)}</td>
                <td>{count(event.games)}</td>
                <td>{event.rating ?? ""}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {value && value.total === 0 && value.complete && <p class="soft padded">{t("No tournament has such a name.")}</p>}
      {value && value.total > value.events.length && (
        <p class="more-rows">
          {value.events.length < 500 ? (
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
