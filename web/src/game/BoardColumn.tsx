/** The board with everything around it: players, clocks, evaluation, buttons, graph. */

import { useComputed } from "@preact/signals";
import type { JSX } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { Arrow, Marked } from "../api/types";
import { Board } from "../board/Board";
import { Captured } from "../board/Captured";
import { piecesOf } from "../board/MiniBoard";
import { engine } from "../engine/engines";
import { arrows as engineHints, liveEvaluation, on as engineOn } from "../engine/live";
import { nameOf } from "../figures";
import { PlayerName } from "../reports/links";
import { clockText } from "../shell/numbers";
import { plainName } from "../shell/text";
import {
  animate,
  at,
  backward,
  chess960,
  editable,
  fen,
  flipped,
  forward,
  game,
  node,
  playMove,
  position,
  setRemarks,
  showCaptured,
  showCoordinates,
  showEvaluation,
} from "../state";
import { t } from "../translation";
import { pen } from "./editing";
import { evaluation, evaluationText, hasEvaluations, shareOf } from "./evaluation";
import "./game.css";
import { Graph } from "./Graph";
import { listenToKeys } from "./keyboard";
import { tagsOf } from "./tags";
import { Toolbar } from "./Toolbar";
import { lineTo } from "./tree";

const PACE_MS = 180;

/** A mark drawn again vanishes; in another colour it changes its colour. */
function toggleMark(color: string, from: string, to: string): void {
  if (!editable.peek()) {
    return;
  }
  const { squares, arrows } = node.peek();
  if (from === to) {
    const others = (squares ?? []).filter(({ square }) => square !== from);
    const same = squares?.some((mark: Marked) => mark.square === from && mark.color === color);
    setRemarks({ squares: same ? others : [...others, { color, square: from }] });
  } else {
    const others = (arrows ?? []).filter((arrow) => arrow.from !== from || arrow.to !== to);
    const same = arrows?.some((arrow: Arrow) => arrow.from === from && arrow.to === to && arrow.color === color);
    setRemarks({ arrows: same ? others : [...others, { color, from, to }] });
  }
}

/** The squares that a move went from and to. */
function squaresOf(uci: string | null | undefined): string[] {
  return uci && uci !== "0000" ? [uci.slice(0, 2), uci.slice(2, 4)] : [];
}

function kingInCheck(): string | null {
  if (!(position.value?.check ?? node.value.check)) {
    return null;
  }
  const king = fen.value.split(" ")[1] === "b" ? "bk" : "wk";
  return piecesOf(fen.value).find(({ piece }) => piece === king)?.square ?? null;
}

/** The clocks as they stand: the last known one of each side on the way to the current move. */
function clocks(): Record<"white" | "black", number | null> {
  const known: Record<"white" | "black", number | null> = { white: null, black: null };
  for (const { clock, color } of lineTo(game.value.tree, at.value)) {
    if (clock != null && color) {
      known[color] = clock;
    }
  }
  return known;
}

function Player({ side }: { side: "white" | "black" }): JSX.Element {
  const tags = tagsOf(game.value.tags);
  const tag = side === "white" ? "White" : "Black";
  const clock = clocks()[side];
  const toMove = fen.value.split(" ")[1] === side[0];
  const name = tags.get(tag);
  return (
    <div class="player" data-to-move={toMove}>
      <span class={`dot ${side}`} aria-hidden="true" />
      <span class="name">{nameOf(name) ? <PlayerName name={name} /> : side === "white" ? t("White") : t("Black")}</span>
      <span class="soft">{[tags.get(`${tag}Title`), tags.get(`${tag}Elo`)].map((text) => plainName(text ?? "")).filter(Boolean).join(" ")}</span>
      {showCaptured.value && <Captured by={side} fen={fen.value} start={game.value.start ?? undefined} />}
      <span class="clock">{clock === null ? "" : clockText(clock)}</span>
    </div>
  );
}

function EvaluationBar(): JSX.Element {
  const shown = liveEvaluation.value ?? evaluation.value;
  const share = shown ? shareOf(shown) : 0.5;
  const text = shown ? evaluationText(shown) : "";
  return (
    <div
      class={`evaluation ${flipped.value ? "flipped" : ""} ${shown ? "" : "unknown"}`}
      role="img"
      aria-label={shown ? t("Evaluation {text}", { text }) : t("No evaluation")}
      title={text || undefined}
    >
      <i style={{ height: `${100 * share}%` }} />
      <b class={share < 0.5 ? "of-black" : ""}>{text.replace(/^[+−](\d+\.\d)\d$/, "$1")}</b>
    </div>
  );
}

const ENDS = { mate: t("Checkmate"), stalemate: t("Stalemate"), playing: "" };

/** One line under the board: the name of the opening, or how the game ended. */
function Status(): JSX.Element {
  const name = useComputed(() => lineTo(game.value.tree, at.value).findLast((move) => move.opening)?.opening);
  const opening = name.value ?? position.value?.opening;
  const end = position.value ? ENDS[position.value.state] : "";
  return (
    <p class="status soft" title={fen.value}>
      {[end, opening && `${opening.eco} ${opening.name}`, chess960.value && "Chess960"].filter(Boolean).join(" · ") || "\u00a0"}
    </p>
  );
}

const WHEEL_STEP = 40;

/** The wheel over the board goes through the moves, as on Lichess. */
function listenToWheel(row: HTMLElement): () => void {
  let turned = 0;
  const listen = (event: WheelEvent): void => {
    if (event.ctrlKey || event.shiftKey) {
      return; // zooming, or scrolling sideways
    }
    event.preventDefault();
    turned += event.deltaMode === WheelEvent.DOM_DELTA_PIXEL ? event.deltaY : WHEEL_STEP * Math.sign(event.deltaY);
    if (Math.abs(turned) >= WHEEL_STEP) {
      if (turned > 0) {
        forward();
      } else {
        backward();
      }
      turned = 0;
    }
  };
  row.addEventListener("wheel", listen, { passive: false });
  return () => row.removeEventListener("wheel", listen);
}

export function BoardColumn(): JSX.Element {
  const row = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => listenToKeys(), []);
  useLayoutEffect(() => listenToWheel(row.current!), []);
  const [upper, lower] = flipped.value ? (["white", "black"] as const) : (["black", "white"] as const);
  const bar = showEvaluation.value && (hasEvaluations.value || (engineOn.value && engine.value !== null));
  return (
    <div class="board-column">
      <Player side={upper} />
      <div class="board-row" ref={row}>
        {bar ? <EvaluationBar /> : <div class="evaluation empty" />}
        <Board
          fen={fen.value}
          flipped={flipped.value}
          moved={squaresOf(node.value.uci)}
          check={kingInCheck()}
          moves={position.value?.moves ?? []}
          squares={node.value.squares ?? []}
          arrows={node.value.arrows ?? []}
          hints={engineHints.value}
          coordinates={showCoordinates.value}
          pace={animate.value ? PACE_MS : 0}
          pen={pen.value}
          onMove={playMove}
          onDraw={toggleMark}
        />
      </div>
      <Player side={lower} />
      <Toolbar />
      <Status />
      <Graph />
    </div>
  );
}
