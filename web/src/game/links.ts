/** Addresses of positions, to be copied. */

import { at, chess960, formatRoute, game, lineOf, route } from "../state";
import { pathOf } from "./tree";

/** The address of a position of the open game; where the window is wide, the list is beside it. */
export function linkTo(id: number): string {
  const { source = route.peek().source, number = null, tree } = game.peek();
  const place = { tab: "board", source, number, path: pathOf(tree, id), line: lineOf(game.peek(), id), parameters: {} } as const;
  return new URL(formatRoute(place), location.href).href;
}

/** The address of the board editor with a position on it; without one, with what was there before. */
export function setUpAddress(fen: string): string {
  const parameters = { position: fen.replaceAll(" ", "_"), ...(chess960.peek() && { variant: "chess960" }) };
  return formatRoute({ ...route.peek(), tab: "setup", parameters });
}

/** The address of the position on the board. */
export const linkHere = (): string => linkTo(at.peek());
