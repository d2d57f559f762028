/** The games of the list in numbers: a bar that is chosen filters the list, and with it all plots. */

import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { NumberClass, Outcomes, Statistics as Answer } from "../api/types";
import { Chips, QuickField } from "../games/Conditions";
import { ask, asked, isFiltered, list, NOTHING } from "../games/list";
import { Query } from "../games/query";
import { Bars, type BarItem } from "../plots/Bars";
import { Failure, Progress, Reading } from "../reports/parts";
import { percent } from "../figures";
import { shareOf } from "../reports/figures";
import { useReport } from "../reports/report";
import { tidy, type Conditions, type Value } from "../search/conditions";
import { count } from "../shell/numbers";
import { go, report as tellError, source } from "../state";
import { Welcome } from "../sources/Welcome";
import { t, tn } from "../translation";
import { groupsOf } from "./openings";
import "./statistics.css";

const partsOf = ({ white, draws, black }: Outcomes): readonly [number, number, number] => [white, draws, black];

/** Add conditions to those of the list; of one name the new one counts. Position and words stay. */
function filter(conditions: Readonly<Record<string, Value>>): void {
  ask({ conditions: tidy({ ...asked.peek().conditions, ...conditions }) as Conditions });
}

const classItem = (each: NumberClass, label: string, title: string): BarItem => ({
  key: String(each.first),
  label,
  title,
  games: each.games,
  parts: partsOf(each),
});

export function Statistics(): JSX.Element {
  const database = source.value;
  const status = list.status.value;
  const path = status && database && status.source === database.id ? `/api/queries/${status.query}/statistics` : null;
  const [read, setRead] = useState(0);
  const { value, progress, error } = useReport<Answer>(path, {}, [status?.query, read], true);
  if (!database) {
    return <Welcome />;
  }
  const failure = list.error.value ?? error;
  return (
    <div class="report statistics">
      <header>
        <h1>{t("Statistics")}</h1>
        <span class="buttons">
          <button type="button" onClick={() => go({ tab: "games", parameters: {} })}>
            {t("List the games")}
          </button>
          {isFiltered.value && (
            <button type="button" onClick={() => ask({ ...NOTHING, sort: asked.peek().sort })}>
              {t("All games of the database")}
            </button>
          )}
        </span>
        <p class="facts" role="status">
          {database.name}
          {value && ` · ${tn(value.games.games, "{n} game", "{n} games", { n: count(value.games.games) })}`}
        </p>
      </header>
      <div class="find-tools" role="search">
        <QuickField />
      </div>
      <Chips />
      <Progress progress={progress ?? list.progress.value} />
      {failure && <Failure sentence={failure} />}
      {!value && !failure && <Reading progress={progress} />}
      {value && <Plots value={value} again={() => setRead((before) => before + 1)} />}
    </div>
  );
}

function Plots({ value, again }: { value: Answer; again: () => void }): JSX.Element {
  const parts = [t("White"), t("Drawn"), t("Black")] as const;
  const note = t("Choose a bar to filter the games.");
  const groups = groupsOf(value.codes);
  const common = { parts, note, action: t("Only these games") };
  return (
    <div class="cards three">
      <section>
        <Results games={value.games} />
      </section>
      {value.years.length > 0 && (
        <section>
          <Bars
            {...common}
            title={t("Games by year")}
            items={everyClass(value.years, 1).map((each) => classItem(each, String(each.first), String(each.first)))}
            choose={({ key }) => filter({ since: key, until: key, date: "" })}
          />
        </section>
      )}
      {value.ratings.length > 0 && (
        <section>
          <Bars
            {...common}
            title={t("Ratings (mean of both players)")}
            items={everyClass(value.ratings, 100).map((each) => classItem(each, String(each.first), `${each.first}–${each.last}`))}
            choose={({ key }) => filter({ min_elo: key, max_elo: String(Number(key) + 99), elo_of: "mean" })}
          />
        </section>
      )}
      <section>
        {value.lengths ? (
          <Bars
            {...common}
            title={t("Number of moves")}
            items={value.lengths.map((each) => classItem(each, String(each.first), each.first === each.last ? String(each.first) : `${each.first}–${each.last}`))}
            choose={({ key }) => {
              const first = Number(key);
              filter({ min_plies: String(Math.max(0, 2 * first - 1)), max_plies: String(first ? 2 * (first + 9) : 0) });
            }}
          />
        ) : (
          <Lengths again={again} />
        )}
      </section>
      {groups.length > 0 && (
        <section class="broad">
          <Bars
            {...common}
            title={t("Openings (ECO)")}
            items={groups.map((group) => ({
              key: group.code,
              label: group.code,
              title: `${group.code} ${group.name}`,
              games: group.games,
              parts: partsOf(group),
            }))}
            choose={({ key }) => filter({ eco: key })}
          />
        </section>
      )}
    </div>
  );
}

/** So many classes have a place each, with games or without. */
const MOST_CLASSES = 250;

/** Years or ratings without games have a place as well, unless they are too many. */
function everyClass(classes: readonly NumberClass[], step: number): readonly NumberClass[] {
  const [first, last] = [classes[0]!.first, classes.at(-1)!.first];
  const length = (last - first) / step + 1;
  if (length > MOST_CLASSES) {
    return classes;
  }
  const known = new Map(classes.map((each) => [each.first, each]));
  const none = { games: 0, white: 0, draws: 0, black: 0 };
  return Array.from({ length }, (_, index) => {
    const begin = first + index * step;
    return known.get(begin) ?? { first: begin, last: begin + step - 1, ...none };
  });
}

/** The results of all games, each with a way to list only those. */
function Results({ games }: { games: Outcomes }): JSX.Element {
  const others = games.games - games.white - games.draws - games.black;
  const rows: readonly (readonly [title: string, number: number, kind: string, result: string])[] = [
    [t("White wins"), games.white, "part0", "1-0"],
    [t("Draws"), games.draws, "part1", "1/2-1/2"],
    [t("Black wins"), games.black, "part2", "0-1"],
    [t("No result"), others, "part3", "*"],
  ];
  const share = shareOf(partsOf(games));
  const most = Math.max(1, ...rows.map(([, number]) => number));
  return (
    <>
      <h2>{t("Results")}</h2>
      <table class="figures outcome">
        <tbody>
          {rows
            .filter(([, number]) => number > 0)
            .map(([title, number, kind, result]) => (
              <tr key={kind}>
                <th scope="row">
                  <button type="button" class="plain more" title={t("Only these games")} onClick={() => filter({ results: [result] })}>
                    {title}
                  </button>
                </th>
                <td class="bar-cell">
                  <i class={kind} style={{ width: `${(100 * number) / most}%` }} />
                </td>
                <td>{percent(number / Math.max(1, games.games), 1)}</td>
                <td>{count(number)}</td>
              </tr>
            ))}
        </tbody>
      </table>
      {share !== null && <p class="soft">{t("White scores {share}.", { share: percent(share, 1) })}</p>}
    </>
  );
}

/** The lengths of games of some formats are known only after all moves are read. */
function Lengths({ again }: { again: () => void }): JSX.Element {
  const [query, setQuery] = useState<Query | null>(null);
  const read = (): void => {
    const own = new Query();
    setQuery(own);
    own.ask(source.peek()!.id, { sort: { by: "plies", descending: true } });
    const stop = own.status.subscribe((status) => {
      if (status?.complete) {
        queueMicrotask(() => {
          stop();
          own.close();
          setQuery(null);
          again();
        });
      }
    });
    own.error.subscribe((error) => error && tellError(new Error(error)));
  };
  return (
    <>
      <h2>{t("Number of moves")}</h2>
      <p class="soft">{t("The lengths of these games are known after all moves have been read.")}</p>
      <button type="button" disabled={query !== null} onClick={read}>
        {query ? t("Reading …") : t("Read the moves")}
      </button>
    </>
  );
}

