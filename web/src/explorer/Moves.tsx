/** The table of moves: what was played, how often, how it went. */

import type { JSX } from "preact";
import { gamesText, part, short } from "../figures";
import { sanText } from "../game/letters";
import { San } from "../game/San";
import { game, node, playMove } from "../state";
import { t } from "../translation";
import { Bar, BarTitle } from "./Bar";
import type { Exploration, ExplorerMove } from "./state";

export function Moves({ answer }: { answer: Exploration }): JSX.Element {
  const next = node.value.children.map((child) => game.value.tree.nodes[child]?.uci);
  return (
    <table class="explored">
      <thead>
        <tr>
          <th>{t("Move")}</th>
          <th class="right">{t("Games")}</th>
          <th>
            <BarTitle />
          </th>
          <th class="right tight" title={t("Average rating of both players")}>
            {t("Elo")}
          </th>
          <th class="right tight" title={t("The last year in which it was played")}>
            {t("Last")}
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
            <td class="right" title={gamesText(answer.games)}>
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
        <button type="button" class="plain san" aria-label={t("Play {move}", { move: sanText(san) })}>
          <San san={san} />
        </button>
      </td>
      <td class="right" title={gamesText(games)}>
        <span class="share">{all > 0 ? part(games / all) : ""}</span> {short(games)}
      </td>
      <td>
        <Bar results={move} />
      </td>
      <td class="right tight" title={performance ? t("Performance {rating}", { rating: performance }) : undefined}>
        {move.average_rating ?? ""}
      </td>
      <td class="right tight">{move.last_year ?? ""}</td>
    </tr>
  );
}
