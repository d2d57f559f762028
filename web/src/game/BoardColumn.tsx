import type { JSX } from "preact";
import { MiniBoard } from "../board/MiniBoard";
import { fen, flipped } from "../state";

export function BoardColumn(): JSX.Element {
  return <MiniBoard fen={fen.value} flipped={flipped.value} />;
}
