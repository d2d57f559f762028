/** The table of moves: what was played, how often, how it went. */

import type { JSX } from "preact";
import { countOf, percent, short } from "../figures";
import { San } from "../game/San";
import { game, node, playMove } from "../state";
import { Bar, BarTitle } from "./Bar";
import type { Exploration, ExplorerMove } from "./state";

export function Moves({ answer }: { answer: Exploration }): JSX.Element {
  const next = node.value.children.map((child) => game.value.tree.nodes[child]?.uci);
  return (
    <table class="explored">
      <thead>
        <tr>
          <th>Move</th>
          <th class="right">Games</th>
          <th>
            <BarTitle />
          </th>
          <th class="right tight" title="Average rating of both players">
            Elo
          </th>
          <th class="right tight" title="The last year in which it was played">
            Last
          </th>
        </tr>
      </thead>
      <tbody>
        {answer.moves.map((move) => (
          <MoveRow key={move.uci} move={move} all={answer.games} isNext={next.includes(move.uci)} />
        ))}
        {answer.moves.length > 1 && (
          <tr class="sum">
            <td>Σ</td>
            <td class="right" title={countOf(answer.games, "game")}>
              {short(answer.games)}
            </td>
            <td>
              <Bar results={answer} />
            </td>
            <td class="tight" />
            <td class="tight" />
          </tr>
        )}
      </tbody>
    </table>
  );
}

function MoveRow({ move, all, isNext }: { move: ExplorerMove; all: number; isNext: boolean }): JSX.Element {
  const { san, uci, games, opening, performance } = move;
  const name = opening ? `${opening.eco} ${opening.name}` : undefined;
  return (
    <tr class={isNext ? "next" : undefined} onClick={() => void playMove(uci)} title={name}>
      <td>
        <button type="button" class="plain san" aria-label={`Play ${san}`}>
          <San san={san} />
        </button>
      </td>
      <td class="right" title={countOf(games, "game")}>
        <span class="share">{all > 0 ? percent(games / all) : ""}</span> {short(games)}
      </td>
      <td>
        <Bar results={move} />
      </td>
      <td class="right tight" title={performance ? `performance ${performance}` : undefined}>
        {move.average_rating ?? ""}
      </td>
      <td class="right tight">{move.last_year ?? ""}</td>
    </tr>
  );
}
