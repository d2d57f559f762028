/** Opening a game where it reaches a position. */

import { effect } from "@preact/signals";
import { mainLine } from "../game/tree";
import { game, openGame, route, select } from "../state";

/** Board, side to move, castling rights: what makes a position, without en passant and the counters. */
const essence = (fen: string | null | undefined): string => (fen ?? "").split(" ").slice(0, 3).join(" ");

let waiting: (() => void) | undefined;

/** Open a record; as soon as it is there, go to the position, unless another one is asked for meanwhile. */
export function openAt(source: string, number: number, fen: string): void {
  waiting?.();
  openGame(source, number);
  const isIt = (one: { source?: string | null | undefined; number?: number | null | undefined }): boolean =>
    one.source === source && one.number === number;
  waiting = effect(() => {
    const isWanted = isIt(route.value);
    if (isWanted && !isIt(game.value)) {
      return;
    }
    const found = isWanted && mainLine(game.value.tree).find((node) => essence(node.fen) === essence(fen));
    queueMicrotask(() => {
      waiting?.();
      waiting = undefined;
      if (found) {
        select(found.id);
      }
    });
  });
}
