/** The lines that the engine considers: pointing at a move shows its position, a click plays the line up to there. */

import { signal, useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { api } from "../api/client";
import type { EngineLine, PositionAnswer } from "../api/types";
import { cornerOf, MiniBoard } from "../board/MiniBoard";
import { evaluationText } from "../game/evaluation";
import { at, changeTree, chess960, editable, engineLines, fen, flipped, game, node, notify, report, select } from "../state";
import { nodeOf } from "../game/tree";
import { t } from "../translation";
import { evaluationFrom, nodesOf, numbered, withEvaluatedLine, withLine } from "./lines";
import { lines } from "./live";

const SHOWN_MOVES = 24;
const BOARD_PX = 208;
/** With its frame. */
const PREVIEW_PX = BOARD_PX + 10;
const GAP_PX = 6;

interface Pointed {
  readonly rank: number;
  readonly index: number;
  readonly left: number;
  readonly top: number;
}

/** The move of a line that one points at. */
const pointed = signal<Pointed | null>(null);

/** The server's answer about moves from the position on the board. */
async function played(from: string, moves: readonly string[]): Promise<PositionAnswer> {
  return api.get<PositionAnswer>("/api/position", { parameters: { fen: from, chess960: chess960.peek(), play: moves.join(",") } });
}

/** Do something with a line in the open game, unless the board has gone on meanwhile. */
async function withMoves(moves: readonly string[], act: (nodes: ReturnType<typeof nodesOf>) => void): Promise<void> {
  const [{ saved }, here] = [game.peek(), at.peek()];
  try {
    const answer = await played(fen.peek(), moves);
    if (game.peek().saved === saved && at.peek() === here) {
      act(nodesOf(answer.played ?? [], node.peek().ply ?? 0));
    }
  } catch (error) {
    report(error);
  }
}

/** Play a line up to one of its moves: along the game as far as it goes that way, else as a variation. */
function playLine(line: EngineLine, count: number): void {
  const moves = line.moves.slice(0, count);
  pointed.value = null;
  const { tree } = game.peek();
  let known = at.peek();
  for (const move of moves) {
    const next = nodeOf(tree, known).children.find((child) => nodeOf(tree, child).uci === move);
    if (next === undefined) {
      if (editable.peek()) {
        void withMoves(moves, (nodes) => changeTree(...withLine(game.peek().tree, at.peek(), nodes)));
      }
      return;
    }
    known = next;
  }
  select(known);
}

function insertLine(line: EngineLine): void {
  void withMoves(line.moves, (nodes) => {
    const before = game.peek().tree;
    const after = withEvaluatedLine(before, at.peek(), nodes, evaluationFrom(line.evaluation, line.depth));
    changeTree(after);
    notify(after === before ? t("The game has this line already.") : t("The line was added to the game."));
  });
}

/** What is under the pointer or has the focus. */
function pointAt(event: Event): void {
  const move = (event.target as Element).closest<HTMLElement>("[data-index]");
  if (!move) {
    pointed.value = null;
    return;
  }
  const { left } = move.getBoundingClientRect();
  const list = move.closest(".pvs")!.getBoundingClientRect(); // no line is covered
  const isBelow = list.bottom + GAP_PX + PREVIEW_PX <= innerHeight;
  pointed.value = {
    rank: Number(move.dataset["rank"]),
    index: Number(move.dataset["index"]),
    left: Math.max(GAP_PX, Math.min(left, innerWidth - PREVIEW_PX - GAP_PX)),
    top: isBelow ? list.bottom + GAP_PX : Math.max(GAP_PX, list.top - GAP_PX - PREVIEW_PX),
  };
}

/** Along the moves of a line, and to the lines beside it. */
function walk(event: KeyboardEvent): void {
  const move = (event.target as Element).closest<HTMLElement>("[data-index]");
  if (event.key === "Escape" && pointed.peek()) {
    pointed.value = null;
    event.preventDefault();
    return;
  }
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (!move || step === undefined || event.shiftKey || event.ctrlKey || event.altKey || event.metaKey) {
    return;
  }
  event.preventDefault();
  const moves = [...move.parentElement!.querySelectorAll<HTMLElement>("[data-index]")];
  moves[moves.indexOf(move) + step]?.focus();
}

interface RowProps {
  rank: number;
  line: EngineLine | undefined;
  from: string;
}

function Row({ rank, line, from }: RowProps): JSX.Element {
  const isOpen = useSignal(false);
  if (!line) {
    return <div class="pv" aria-hidden="true" />;
  }
  const evaluation = evaluationFrom(line.evaluation);
  const texts = numbered(from, line.san).slice(0, SHOWN_MOVES);
  const isBlacks = (evaluation.mate ?? evaluation.pawns ?? 0) < 0;
  return (
    <div class="pv" data-open={isOpen.value}>
      <b class={`pv-score ${isBlacks ? "of-black" : ""}`}>{evaluationText(evaluation)}</b>
      <span class="pv-moves">
        {texts.map((text, index) => (
          <button
            key={index}
            type="button"
            class="plain"
            data-rank={rank}
            data-index={index}
            tabIndex={index === 0 ? 0 : -1}
            onClick={() => playLine(line, index + 1)}
          >
            {text}
          </button>
        ))}
      </span>
      <button
        type="button"
        class="plain pv-tool"
        aria-expanded={isOpen.value}
        aria-label={t("Show the whole line")}
        title={t("Show the whole line")}
        onClick={() => (isOpen.value = !isOpen.peek())}
      >
        {isOpen.value ? "▴" : "▾"}
      </button>
      <button
        type="button"
        class="plain pv-tool"
        disabled={!editable.value}
        aria-label={t("Add this line to the game")}
        title={t("Add this line to the game")}
        onClick={() => insertLine(line)}
      >
        +
      </button>
    </div>
  );
}

const positions = new Map<string, string>();
const REMEMBERED = 300;

/** The position that one points at, on a small board. */
function Preview(): JSX.Element | null {
  const shown = useSignal<{ key: string; fen: string } | null>(null);
  const place = pointed.value;
  const moves = place ? (lines.value[place.rank]?.moves ?? []).slice(0, place.index + 1) : [];
  const from = fen.value;
  const key = place && moves.length === place.index + 1 ? `${from} ${moves.join(" ")}` : "";
  useEffect(() => {
    const known = positions.get(key);
    if (!key || known) {
      shown.value = key ? { key, fen: known! } : null;
      return;
    }
    let isWanted = true;
    played(from, moves).then(
      ({ fen: after }) => {
        positions.set(key, after);
        if (positions.size > REMEMBERED) {
          positions.delete(positions.keys().next().value!);
        }
        if (isWanted) {
          shown.value = { key, fen: after };
        }
      },
      () => undefined, // the position of the line is not worth a message
    );
    return () => {
      isWanted = false;
    };
  }, [key]);
  if (!place || !shown.value) {
    return null;
  }
  const last = moves.at(-1) ?? "";
  return (
    <div class="pv-board" style={{ left: `${place.left}px`, top: `${place.top}px` }} aria-hidden="true">
      <MiniBoard fen={shown.value.fen} flipped={flipped.value} size={`${BOARD_PX}px`}>
        {[last.slice(0, 2), last.slice(2, 4)].filter(Boolean).map((square) => {
          const [x, y] = cornerOf(square, flipped.value);
          return <rect key={square} class="moved" x={x} y={y} width={1} height={1} />;
        })}
      </MiniBoard>
    </div>
  );
}

export function LineList(): JSX.Element {
  const from = fen.value;
  useEffect(() => () => void (pointed.value = null), []);
  return (
    <div
      class="pvs"
      role="group"
      aria-label={t("Lines of the engine")}
      onMouseDown={(event) => event.preventDefault()}
      onPointerOver={(event) => event.pointerType === "mouse" && pointAt(event)}
      onPointerLeave={() => (pointed.value = null)}
      onFocusIn={pointAt}
      onFocusOut={() => (pointed.value = null)}
      onKeyDown={walk}
    >
      {Array.from({ length: engineLines.value }, (_, rank) => (
        <Row key={rank} rank={rank} line={lines.value[rank]} from={from} />
      ))}
      <Preview />
    </div>
  );
}
