/** The board: pieces and their movement are cm-chessboard's, everything drawn beside them is ours.
 *
 * It knows no rules: which moves there are comes with `moves`, and a move is only reported (`onMove`).
 */

import { useSignal } from "@preact/signals";
import { Chessboard, type InputEvent, type VisualMoveInput } from "cm-chessboard/src/Chessboard.js";
import { render, type JSX } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import type { Arrow, LegalMove, Marked } from "../api/types";
import "./board.css";
import { Arrows, Ground, type Hint } from "./marks";
import { cornerOf, piecesOf, spoken } from "./MiniBoard";

export interface BoardProps {
  fen: string;
  flipped: boolean;
  /** Squares of the last move. */
  moved: readonly string[];
  /** Square of a king in check. */
  check: string | null;
  /** The legal moves; none while they are not known. */
  moves: readonly LegalMove[];
  squares: readonly Marked[];
  arrows: readonly Arrow[];
  /** Moves of an engine, best first. */
  hints: readonly Hint[];
  coordinates: boolean;
  /** Milliseconds that a piece takes from square to square. */
  pace: number;
  /** Colour that the first button draws with; null if it moves pieces. */
  pen: string | null;
  onMove: (uci: string) => Promise<boolean>;
  /** An arrow, or a square if both are the same, was drawn. */
  onDraw: (color: string, from: string, to: string) => void;
}

interface Promotion {
  moves: readonly LegalMove[];
  square: string;
}

/** Colours by keys held down, as on Lichess. */
function penOf(event: MouseEvent): string {
  const red = event.shiftKey || event.ctrlKey;
  const blue = event.altKey || event.metaKey;
  return red && blue ? "yellow" : red ? "red" : blue ? "blue" : "green";
}

/** Let the dragged piece be placed through the object model: attributes called style are forbidden by the page's policy. */
function obeyPolicy(input: VisualMoveInput): void {
  input.createDraggablePiece = (piece) => {
    const { squareWidth } = input.view;
    const holder = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    holder.setAttribute("class", "dragged-piece");
    holder.setAttribute("viewBox", "0 0 40 40");
    holder.style.width = holder.style.height = `${squareWidth}px`;
    const use = document.createElementNS("http://www.w3.org/2000/svg", "use");
    use.setAttribute("href", `#${piece}`);
    holder.append(use);
    document.body.append(holder);
    input.draggablePiece = holder;
  };
  input.moveDraggablePiece = (x, y) => {
    const { style } = input.draggablePiece!;
    style.left = `${x - input.view.squareWidth / 2}px`;
    style.top = `${y - input.view.squareWidth / 2}px`;
  };
}

/** The square under the pointer. */
function squareUnder(place: HTMLElement, event: MouseEvent, flipped: boolean): string | null {
  const { left, top, width, height } = place.getBoundingClientRect();
  const x = Math.floor((8 * (event.clientX - left)) / width);
  const y = Math.floor((8 * (event.clientY - top)) / height);
  if (!(x >= 0 && x <= 7 && y >= 0 && y <= 7)) {
    return null;
  }
  return flipped ? "hgfedcba"[x]! + (y + 1) : "abcdefgh"[x]! + (8 - y);
}

export function Board(props: BoardProps): JSX.Element {
  const place = useRef<HTMLDivElement>(null);
  const board = useRef<Chessboard | null>(null);
  const latest = useRef(props);
  latest.current = props;
  const selected = useSignal<string | null>(null);
  const drawn = useSignal<(Arrow & { drawing: boolean }) | null>(null);
  const promotion = useSignal<Promotion | null>(null);
  /** Changes of the board that are not finished. Until then it ignores clicks, or takes them for other squares. */
  const changes = useSignal(0);

  function follow(change: Promise<unknown> | undefined): void {
    changes.value += 1;
    void Promise.resolve(change).catch(() => undefined).finally(() => (changes.value -= 1));
  }

  function movesBetween(from: string, to: string): LegalMove[] {
    return latest.current.moves.filter((move) => move.from === from && (move.to === to || move.rook === to));
  }

  async function play(uci: string): Promise<void> {
    if (!(await latest.current.onMove(uci))) {
      follow(board.current?.setPosition(latest.current.fen));
    }
  }

  function handle(event: InputEvent): boolean | void {
    const { moves, pen } = latest.current;
    if (event.type === "moveInputStarted") {
      promotion.value = null;
      const can = pen === null && moves.some(({ from }) => from === event.squareFrom);
      selected.value = can ? event.squareFrom : null;
      return can;
    }
    if (event.type === "validateMoveInput") {
      const to = event.squareTo ?? "";
      const fitting = movesBetween(event.squareFrom, to);
      if (fitting.length > 1) {
        promotion.value = { moves: fitting, square: to };
        return false; // the piece waits on its square until it is known what it becomes
      }
      if (fitting[0]) {
        void play(fitting[0].uci);
        return fitting[0].to === to;
      }
      return false;
    }
    if (event.type !== "movingOverSquare") {
      selected.value = null;
    }
  }

  useLayoutEffect(() => {
    const made = new Chessboard(place.current!, {
      position: props.fen,
      orientation: props.flipped ? "b" : "w",
      style: { cssClass: "", showCoordinates: false, animationDuration: props.pace, pieces: { tileSize: 40 } },
    });
    obeyPolicy(made.view.visualMoveInput);
    made.enableMoveInput(handle);
    made.view.svg.setAttribute("aria-hidden", "true");
    board.current = made;
    return () => {
      made.destroy();
      board.current = null; // a move may be answered later
    };
  }, []);

  useEffect(() => {
    const made = board.current!;
    made.props.style.animationDuration = props.pace;
    promotion.value = null;
    // Ends after a move that the board itself is making, because changes run one after another.
    follow(made.setPosition(props.fen, props.pace > 0 && !made.positionAnimationsQueue.workingOnPromise));
  }, [props.fen]);

  /** Turns run one after another, because the board ignores a turn while it is turning. */
  const lastTurn = useRef(Promise.resolve());
  useLayoutEffect(() => {
    lastTurn.current = lastTurn.current.then(() => {
      const side = latest.current.flipped ? "b" : "w";
      return board.current?.getOrientation() === side ? undefined : board.current?.setOrientation(side);
    }).catch(() => undefined);
    follow(lastTurn.current);
  }, [props.flipped]);

  const from = selected.value; // read here, so that the board is drawn again when they change
  const mark = drawn.value;
  useEffect(() => {
    const { view } = board.current!;
    const { flipped, moved, check, squares, coordinates } = props;
    const targets = from
      ? props.moves.filter((move) => move.from === from).map(({ to, capture }) => ({ square: to, capture: capture === true }))
      : [];
    const arrows = mark ? [...props.arrows, mark] : props.arrows;
    render(<Ground {...{ flipped, moved, check, squares, coordinates, targets }} selected={from} />, view.markersLayer);
    render(<Arrows arrows={arrows} hints={props.hints} flipped={flipped} />, view.markersTopLayer);
  });

  function startDrawing(event: MouseEvent): void {
    const pen = event.button === 2 ? penOf(event) : event.button === 0 ? latest.current.pen : null;
    const ground = place.current!; // the board may leave the page while it is drawn on
    const square = squareUnder(ground, event, latest.current.flipped);
    if (pen === null || square === null) {
      return;
    }
    event.preventDefault();
    board.current!.cancelMoveInput();
    drawn.value = { color: pen, from: square, to: square, drawing: true };
    const follow = (moving: MouseEvent): void => {
      const to = squareUnder(ground, moving, latest.current.flipped);
      if (to !== null && drawn.value && drawn.value.to !== to) {
        drawn.value = { ...drawn.value, to };
      }
    };
    const finish = (up: MouseEvent): void => {
      removeEventListener("pointermove", follow);
      removeEventListener("pointerup", finish);
      const mark = drawn.value;
      drawn.value = null;
      if (mark && squareUnder(ground, up, latest.current.flipped) !== null) {
        latest.current.onDraw(mark.color, mark.from, mark.to);
      }
    };
    addEventListener("pointermove", follow);
    addEventListener("pointerup", finish);
  }

  return (
    <div class="board-frame" data-pen={props.pen ?? undefined} data-ready={props.moves.length > 0 && changes.value === 0}>
      <div class="board-place" ref={place} onPointerDown={startDrawing} role="img" aria-label={boardName(props)} />
      {promotion.value && (
        <PromotionChoice
          {...promotion.value}
          flipped={props.flipped}
          onChoice={(move) => {
            promotion.value = null;
            if (move) {
              void play(move.uci);
            }
          }}
        />
      )}
    </div>
  );
}

/** The position in words. */
function boardName({ fen }: BoardProps): string {
  const pieces = piecesOf(fen).map(spoken);
  const turn = fen.split(" ")[1] === "b" ? "Black" : "White";
  const of = (side: string): string => pieces.filter((text) => text.startsWith(side)).map((text) => text.slice(6)).join(", ");
  return `Board, ${turn} to move. White: ${of("white")}. Black: ${of("black")}.`;
}

const PIECE_NAMES: Record<string, string> = { q: "Queen", r: "Rook", b: "Bishop", n: "Knight" };

interface PromotionChoiceProps extends Promotion {
  flipped: boolean;
  onChoice: (move: LegalMove | null) => void;
}

/** What the pawn becomes, asked above the square that it goes to. */
function PromotionChoice({ moves, square, flipped, onChoice }: PromotionChoiceProps): JSX.Element {
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => box.current?.querySelector("button")?.focus(), []);
  const [x, y] = cornerOf(square, flipped);
  const side = square[1] === "8" ? "w" : "b";
  const choices = ["q", "n", "r", "b"].flatMap((piece) => moves.find(({ promotion }) => promotion === piece) ?? []);
  return (
    <div
      class={`promotion ${y === 0 ? "down" : "up"}`}
      ref={box}
      role="dialog"
      aria-label="Promote to"
      style={{ left: `${x * 12.5}%` }}
      onKeyDown={(event) => event.key === "Escape" && onChoice(null)}
    >
      {choices.map((move) => (
        <button key={move.uci} type="button" aria-label={PIECE_NAMES[move.promotion!]} onClick={() => onChoice(move)}>
          <svg viewBox="0 0 40 40" aria-hidden="true">
            <use href={`#${side}${move.promotion}`} />
          </svg>
        </button>
      ))}
      <button type="button" class="cancel" aria-label="Take the move back" onClick={() => onChoice(null)}>
        ×
      </button>
    </div>
  );
}
