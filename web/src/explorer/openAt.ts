/** Opening a game where it reaches a position. */

import { effect } from "@preact/signals";
import { mainLine } from "../game/tree";
import { game, openGame, select } from "../state";

/** Board, side to move, castling rights: what makes a position, without en passant and the counters. */
const essence = (fen: string | null | undefined): string => (fen ?? "").split(" ").slice(0, 3).join(" ");

let waiting: (() => void) | undefined;

/** Open a record; as soon as it is there, go to the position. */
export function openAt(source: string, number: number, fen: string): void {
  waiting?.();
  openGame(source, number);
  waiting = effect(() => {
    if (game.value.source !== source || game.value.number !== number) {
      return;
    }
    const found = mainLine(game.value.tree).find((node) => essence(node.fen) === essence(fen));
    queueMicrotask(() => {
      waiting?.();
      waiting = undefined;
      if (found) {
        select(found.id);
      }
    });
  });
}
