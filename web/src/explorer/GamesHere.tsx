/** All games of the database that reach the position on the board. */

import { effect } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { languageOf } from "../api/sentences";
import { chosenColumns, COLUMNS_WIDTH } from "../games/columns";
import { GameTable } from "../games/GameTable";
import { Query, type Row } from "../games/query";
import { useWidth } from "../shell/width";
import { fen, game, openGame, source, sourceFile } from "../state";
import { t } from "../translation";

const here = new Query();
const SETTLING_MS = 200;

function followBoard(): () => void {
  const stop = effect(() => {
    const shown = fen.value;
    if (!sourceFile.value) {
      here.close();
      return;
    }
    const { id } = source.peek()!;
    const timer = setTimeout(() => here.ask(id, { position: { fen: [shown] } }), SETTLING_MS);
    return () => clearTimeout(timer);
  });
  return () => {
    stop();
    here.close();
  };
}

function openRow({ number, ply }: Row): void {
  openGame(here.status.peek()!.source, number, ply ?? "0");
}

export function GamesHere(): JSX.Element {
  useEffect(followBoard, []);
  const [place, width] = useWidth<HTMLDivElement>();
  const database = source.value;
  const total = here.status.value?.total;
  if (here.error.value) {
    return (
      <p class="padded error" role="alert" lang={languageOf(here.error.value)}>
        {here.error.value}
      </p>
    );
  }
  return (
    <div class="games" ref={place}>
      {total === 0 && here.status.value?.complete && <p class="soft padded">{t("No game of this database reaches the position.")}</p>}
      <GameTable
        query={here}
        columns={chosenColumns(true)}
        label={t("Games of this position")}
        compact={width < COLUMNS_WIDTH}
        current={game.value.source === database?.id ? (game.value.number ?? null) : null}
        onOpen={openRow}
      />
    </div>
  );
}
