/** Links within a database: from a text to another one, to a game, or to a player. */

import { api } from "../api/client";
import type { Reference, Status } from "../api/types";
import type { Row } from "../games/query";
import { playerPlace } from "../reports/links";
import { game, go, isNarrow, notify, openGame, report } from "../state";
import { t } from "../translation";

const WAIT_MS = 1000;
const MOST_TEXTS = 500;

/** The records that satisfy conditions on headers, as soon as all are known. */
async function recordsOf(source: string, headers: Record<string, string | readonly string[]>): Promise<readonly Row[]> {
  let status = await api.post<Status>(`/api/sources/${encodeURIComponent(source)}/queries`, { headers });
  while (!status.complete && !status.error) {
    status = await api.get<Status>(`/api/queries/${status.query}`, { parameters: { wait: WAIT_MS } });
  }
  const parameters = { offset: "0", limit: MOST_TEXTS };
  const { rows } = await api.get<{ rows: Row[] }>(`/api/queries/${status.query}/rows`, { parameters });
  api.delete(`/api/queries/${status.query}`).catch(() => undefined);
  return rows;
}

/** The number of the record that a link means; null if it is not in the database. */
async function recordOf(source: string, { kind, names }: Reference): Promise<number | null> {
  if (kind === "text") {
    const texts = await recordsOf(source, { has: ["text"] });
    return texts.find(({ title }) => title?.trim() === names[0])?.number ?? null;
  }
  const given = Object.entries({ white: names[0], black: names[1], event: names[2] }).filter(([, name]) => name);
  const games = await recordsOf(source, Object.fromEntries(given.map(([name, text]) => [name, text!])));
  return games[0]?.number ?? null;
}

/** Go where a link of the open text leads. */
export async function followReference(to: Reference): Promise<void> {
  const { source } = game.peek();
  if (source === undefined) {
    return;
  }
  if (to.kind === "player") {
    go(playerPlace([to.names[0] ?? ""], source));
    return;
  }
  try {
    const number = await recordOf(source, to);
    if (number === null) {
      notify(t("“{name}” is not in this database.", { name: to.names.filter(Boolean).join(" – ") }), "error");
    } else if (to.kind === "text") {
      openGame(source, number);
    } else {
      go({ tab: isNarrow() ? "board" : "games", source, number, path: "0", parameters: {} });
    }
  } catch (error) {
    report(error);
  }
}
