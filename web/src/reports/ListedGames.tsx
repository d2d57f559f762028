/** A list of games inside a report. */

import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { chosenColumns, COLUMNS_WIDTH } from "../games/columns";
import { GameTable } from "../games/GameTable";
import { Query, type Question, type Row } from "../games/query";
import { useWidth } from "../shell/width";
import { openGame, source, sourceFile } from "../state";
import { tn } from "../translation";
import { count } from "../shell/numbers";
import { Failure } from "./parts";

const ROW = { wide: 30, compact: 52 };
const HEAD = 32;
const MOST_HEIGHT = 420;

export function ListedGames({ label, question }: { label: string; question: Question }): JSX.Element {
  const [query] = useState(() => new Query());
  const [place, width] = useWidth<HTMLDivElement>();
  const key = JSON.stringify([sourceFile.value, question]);
  useEffect(() => {
    const database = source.peek();
    if (database) {
      query.ask(database.id, question);
    }
  }, [key]);
  useEffect(() => () => query.close(), []);
  const compact = width < COLUMNS_WIDTH;
  const total = query.status.value?.total ?? 0;
  const needed = compact ? total * ROW.compact : HEAD + total * ROW.wide;
  return (
    <div class="listed-games games" ref={place} style={{ height: `${Math.min(MOST_HEIGHT, Math.max(120, needed + 4))}px` }}>
      {query.error.value && <Failure sentence={query.error.value} />}
      <span class="unseen" role="status">
        {tn(total, "{n} game", "{n} games", { n: count(total) })}
      </span>
      {width > 0 && (
        <GameTable
          query={query}
          columns={chosenColumns(false)}
          label={label}
          current={null}
          compact={compact}
          onOpen={({ number, ply }: Row) => openGame(query.status.peek()!.source, number, ply ?? "0")}
        />
      )}
    </div>
  );
}
