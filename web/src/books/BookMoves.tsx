/** The moves of a book in the position on the board. */

import type { JSX } from "preact";
import { languageOf } from "../api/sentences";
import { Bar, BarTitle } from "../explorer/Bar";
import { part, percent, short } from "../figures";
import { sanText } from "../game/letters";
import { San } from "../game/San";
import { game, node, playMove } from "../state";
import { t } from "../translation";
import { useBook, type BookMove } from "./state";

interface Column {
  readonly title: string;
  readonly long?: string;
  readonly align: "right" | "left";
  /** What goes first where there is little room. */
  readonly rank?: "tight" | "less" | "least";
  /** Undefined or null where the book does not know. */
  readonly value: (move: BookMove) => unknown;
  readonly show: (move: BookMove, whiteMoves: boolean) => JSX.Element | string;
}

const BARS = "bars";

/** Which of the columns are there depends on what the book knows: only those that say something are shown. */
const COLUMNS: readonly Column[] = [
  {
    title: t("Weight"),
    long: t("How often the book plays it"),
    align: "right",
    value: ({ weight }) => weight,
    show: ({ weight, share }) => (
      <>
        {share != null && part(share)}
        <span class="share">
          {share != null && " · "}
          {short(weight ?? 0)}
        </span>
      </>
    ),
  },
  { title: t("Games"), align: "right", rank: "tight", value: ({ games }) => games, show: ({ games }) => short(games ?? 0) },
  {
    title: BARS,
    align: "left",
    value: ({ wins, draws, losses }) => (wins ?? 0) + (draws ?? 0) + (losses ?? 0) || null,
    show: ({ wins, draws, losses }, whiteMoves) => {
      const [white, black] = whiteMoves ? [wins, losses] : [losses, wins];
      return <Bar results={{ white: white ?? 0, draws: draws ?? 0, black: black ?? 0 }} />;
    },
  },
  { title: t("Score"), align: "right", rank: "less", value: ({ score }) => score, show: ({ score }) => percent(score ?? 0) },
  { title: t("Elo"), long: t("Average rating"), align: "right", rank: "least", value: ({ rating }) => rating, show: ({ rating }) => String(rating) },
  {
    title: t("Perf."),
    long: t("Performance"),
    align: "right",
    rank: "least",
    value: ({ performance }) => performance,
    show: ({ performance }) => String(performance),
  },
  { title: t("Priority"), align: "right", rank: "least", value: ({ priority }) => priority, show: ({ priority }) => String(priority) },
  { title: t("Learning"), align: "right", rank: "least", value: ({ learning }) => learning || null, show: ({ learning }) => String(learning) },
];

const isKnown = (value: unknown): boolean => value !== undefined && value !== null;

export function BookMoves({ id, whole = false }: { id: string; whole?: boolean }): JSX.Element {
  const { answer, error } = useBook(id);
  if (error.value) {
    return (
      <p class="padded error" role="alert" lang={languageOf(error.value)}>
        {error.value}
      </p>
    );
  }
  const { moves, fen } = answer.value ?? { moves: [], fen: "" };
  if (moves.length === 0) {
    return <p class="soft padded">{answer.value ? t("This position is not in the book.") : "…"}</p>;
  }
  const shown = COLUMNS.filter(({ value }) => moves.some((move) => isKnown(value(move)))).slice(0, whole ? undefined : 4);
  const next = node.value.children.map((child) => game.value.tree.nodes[child]?.uci);
  const whiteMoves = fen.split(" ")[1] !== "b";
  return (
    <table class="explored">
      <thead>
        <tr>
          <th>{t("Move")}</th>
          {shown.map(({ title, long, align, rank }) => (
            <th key={title} class={`${align} ${rank ?? ""}`} title={long}>
              {title === BARS ? <BarTitle /> : title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {moves.map((move) => (
          <tr
            key={move.uci}
            class={[next.includes(move.uci) && "next", move.recommendation].filter(Boolean).join(" ")}
            onClick={() => void playMove(move.uci)}
          >
            <td>
              <button type="button" class="plain san" aria-label={t("Play {move}", { move: sanText(move.san) })} title={adviceOf(move)}>
                <San san={move.san} />
                {move.glyph ?? ""}
              </button>
              {move.comment_glyph && <span class="soft"> {move.comment_glyph}</span>}
              {move.recommendation === "main" && (
                <span class="good" title={t("Recommended for tournaments")}>
                  {" "}
                  ✓
                </span>
              )}
            </td>
            {shown.map(({ title, align, rank, value, show }) => (
              <td key={title} class={`${align} ${rank ?? ""}`}>
                {isKnown(value(move)) ? show(move, whiteMoves) : ""}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function adviceOf({ recommendation, transposition }: BookMove): string | undefined {
  if (transposition) {
    return t("Leads to a position of the book");
  }
  return recommendation === "avoid" ? t("The book advises against this move") : undefined;
}
