/** A few games of the position: those of the strongest players, and the latest. */

import type { JSX } from "preact";
import { dateOf, nameOf, resultOf } from "../figures";
import { San } from "../game/San";
import { isolatedName } from "../shell/text";
import { openAt } from "./openAt";
import { explored, type ExplorerGame } from "./state";

const player = (name: string | null | undefined, elo: number | null | undefined): string =>
  `${isolatedName(nameOf(name) || "?")}${elo ? ` ${elo}` : ""}`;

export function FewGames({ title, games }: { title: string; games: readonly ExplorerGame[] }): JSX.Element | null {
  const { source, fen } = explored.value;
  if (games.length === 0) {
    return null;
  }
  return (
    <>
      <h3>{title}</h3>
      <ul class="few-games">
        {games.map((one) => (
          <li key={one.number}>
            <button type="button" class="plain" title={nameOf(one.event)} onClick={() => openAt(source, one.number, fen)}>
              <span class="san"><San san={one.san ?? ""} /></span>
              <span class="players">
                {player(one.white, one.white_elo)} – {player(one.black, one.black_elo)}
              </span>
              <span>{resultOf(one.result)}</span>
              <span class="year">{dateOf(one.date).slice(0, 4)}</span>
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}
