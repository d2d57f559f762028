import type { JSX } from "preact";
import { t } from "../translation";
import { leadOf, lostBy } from "./material";
import { pieceName } from "./MiniBoard";

export interface CapturedProps {
  /** Who has captured. */
  by: "white" | "black";
  fen: string;
  start?: string | undefined;
}

/** The pieces that a player has captured, and by how much the player is ahead. */
export function Captured({ by, fen, start }: CapturedProps): JSX.Element {
  const side = by === "white" ? "w" : "b";
  const pieces = lostBy(side === "w" ? "b" : "w", fen, start);
  const lead = leadOf(side, fen);
  const names = pieces.map((piece) => pieceName(piece)).join(", ");
  return (
    <span class="captured" role="img" aria-label={names ? t("Captured: {pieces}", { pieces: names }) : t("Nothing captured")}>
      {pieces.map((piece, index) => (
        <svg key={index} viewBox="0 0 40 40" class={piece === pieces[index - 1] ? "same" : undefined} aria-hidden="true">
          <use href={`#${piece}`} />
        </svg>
      ))}
      {lead > 0 && <b aria-hidden="true">+{lead}</b>}
    </span>
  );
}
