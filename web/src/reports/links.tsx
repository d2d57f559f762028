/** Links to players and events. */

import type { ComponentChildren, JSX } from "preact";
import { Name } from "../shell/text";
import { formatRoute, game, go, route, source, type Route } from "../state";
import { t } from "../translation";
import { joinedNames } from "./names";
import "./links.css";

interface PlaceProps {
  change: Partial<Route>;
  class?: string | undefined;
  title?: string | undefined;
  /** -1 for a link that Tab passes over. */
  tabIndex?: number;
  children: ComponentChildren;
}

/** A link to another place of the page. */
export function Place({ change, children, class: kind, title, tabIndex }: PlaceProps): JSX.Element {
  return (
    <a
      class={kind}
      title={title}
      {...(tabIndex === undefined ? {} : { tabIndex })}
      href={formatRoute({ ...route.value, ...change })}
      onClick={(event) => {
        event.stopPropagation();
        if (!event.metaKey && !event.ctrlKey && !event.shiftKey) {
          event.preventDefault();
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

/** The name of a player of the open game; of a record it leads to the player. */
export function PlayerName({ name = "?" }: { name?: string | undefined }): JSX.Element {
  const { source: id } = game.value;
  return id === undefined || name === "?" || name === "" ? <Name text={name || "?"} /> : <PlayerLink name={name} id={id} />;
}

interface EventLinkProps {
  name: string;
  date?: string | null | undefined;
  id?: string | null | undefined;
}

export const EventLink = ({ name, date, id }: EventLinkProps): JSX.Element => (
  <Place change={eventPlace(name, knownDate(date), id)} class="quiet">
    <Name text={name} />
  </Place>
);

/** A date of PGN as far as it is known: `2013.11.??` is `2013-11`. */
export const knownDate = (date: string | null | undefined): string | null => /^\d{4}(?:[.-]\d\d){0,2}/.exec(date ?? "")?.[0].replaceAll(".", "-") ?? null;

/** A mark in a row of a list that leads to a player or an event: the row itself opens its game.
 *
 * Tab passes over it, since there are many; the names above the opened game lead to the same places.
 */
export function RowLink({ change, title }: { change: Partial<Route>; title: string }): JSX.Element {
  return (
    <Place change={change} class="row-link" title={title} tabIndex={-1}>
      <span aria-hidden="true">↗</span>
      <span class="unseen">{title}</span>
    </Place>
  );
}

export const rowLinks = {
  player: (name: string): JSX.Element => <RowLink change={playerPlace([name])} title={t("The page of {name}", { name })} />,
  event: (name: string, date?: string | null): JSX.Element => (
    <RowLink change={eventPlace(name, knownDate(date))} title={t("The table of {name}", { name })} />
  ),
};
