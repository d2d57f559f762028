/** Places that the page of a player leads to. */

import { START_FEN } from "../game/tree";
import { ask, NOTHING } from "../games/list";
import { wholeNames } from "../reports/names";
import { flipped, go, isNarrow } from "../state";

export type Side = "white" | "black";

/** Show the position after some moves, with the games in which the player had it. */
export function openLine(names: readonly string[], side: Side, moves: readonly string[]): void {
  ask({ ...NOTHING, conditions: { [side]: wholeNames(names) }, here: true });
  flipped.value = side === "black"; // as the player sees the board
  go({
    tab: isNarrow() ? "board" : "games",
    number: null,
    path: "0",
    line: { start: START_FEN, chess960: false, moves: [...moves], ply: moves.length },
    parameters: {},
  });
}

/** List the games of a player; of two players, those between them. */
export function listGames(...players: (readonly string[])[]): void {
  ask({ ...NOTHING, conditions: { player: players.map(wholeNames) }, sort: { by: "date", descending: true } });
  go({ tab: "games", parameters: {} });
}
