/** A board to put pieces on: by mouse, finger (click or drag) and keyboard. Used to set up positions and to draw patterns. */

import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { t } from "../translation";
import { FILES, movedMan, placed, RANKS, SQUARES, type Men } from "./pattern";

export interface BoardEditorProps {
  men: Men;
  onChange: (men: Men) => void;
  /** Whether squares may also want any piece, none, and so on. */
  pattern: boolean;
  flipped?: boolean;
}

const NAMES: Readonly<Record<string, string>> = {
  K: t("white king"), Q: t("white queen"), R: t("white rook"), B: t("white bishop"), N: t("white knight"), P: t("white pawn"),
  k: t("black king"), q: t("black queen"), r: t("black rook"), b: t("black bishop"), n: t("black knight"), p: t("black pawn"),
  A: t("any white man"), a: t("any black man"), "?": t("any man"), _: t("empty square"), "": t("nothing"),
};
const MEN = ["kqrbnp", "KQRBNP"];
const WILD = ["A", "a", "?", "_"];
/** Takes away what is on the square. */
const NOTHING = "";

const nameOf = (symbol: string): string => NAMES[symbol] ?? t("one of {symbols}", { symbols: symbol });

/** A piece of the sprite, or the sign of a pattern. */
function Symbol({ symbol }: { symbol: string }): JSX.Element {
  if (/^[KQRBNPkqrbnp]$/.test(symbol)) {
    const color = symbol === symbol.toUpperCase() ? "w" : "b";
    return (
      <svg viewBox="0 0 40 40" aria-hidden="true">
        <use href={`#${color}${symbol.toLowerCase()}`} />
      </svg>
    );
  }
  if (symbol === NOTHING) {
    return <span class="sign">⌫</span>;
  }
  const kind = { A: "any-white", a: "any-black", "?": "any", _: "none" }[symbol] ?? "class";
  return <span class={`sign ${kind}`}>{kind === "class" ? symbol.slice(1, -1) : kind === "none" ? "∅" : "?"}</span>;
}

/** What is dragged: from a square, or from the palette. */
interface Dragged {
  symbol: string;
  from: string | null;
  size: number;
  x: number;
  y: number;
  /** A press without a movement is a click. */
  moving: boolean;
}

const squareAt = ({ clientX, clientY }: PointerEvent): string | null =>
  document.elementFromPoint(clientX, clientY)?.closest<HTMLElement>(".squares [data-square]")?.dataset["square"] ?? null;

const STILL_PIXELS = 5;

interface Dragging {
  dragged: { value: Dragged | null };
  begin: (event: PointerEvent & { currentTarget: Element }, symbol: string, from: string | null) => void;
}

/** Pieces that follow the pointer, from a square or the palette to a square, or off the board. */
function useDragging(drop: (dragged: Dragged, to: string | null) => void): Dragging {
  const dragged = useSignal<Dragged | null>(null);
  const dropped = useRef(drop);
  dropped.current = drop;
  useLayoutEffect(() => {
    const stop = new AbortController();
    const { signal } = stop;
    const follow = (event: PointerEvent): void => {
      const held = dragged.peek();
      if (held) {
        const isFar = Math.hypot(event.clientX - held.x, event.clientY - held.y) > STILL_PIXELS;
        if (held.moving || isFar) {
          dragged.value = { ...held, x: event.clientX, y: event.clientY, moving: true };
        }
      }
    };
    const finish = (event: PointerEvent): void => {
      const held = dragged.peek();
      dragged.value = null;
      if (held) {
        dropped.current(held, squareAt(event));
      }
    };
    addEventListener("pointermove", follow, { signal });
    addEventListener("pointerup", finish, { signal });
    addEventListener("pointercancel", () => (dragged.value = null), { signal });
    return () => stop.abort();
  }, []);
  const begin = (event: PointerEvent & { currentTarget: Element }, symbol: string, from: string | null): void => {
    if (event.button === 0 && symbol !== NOTHING) {
      const size = event.currentTarget.closest(".board-editor")?.querySelector(".squares button")?.clientWidth ?? 40;
      dragged.value = { symbol, from, size, x: event.clientX, y: event.clientY, moving: false };
    }
  };
  return { dragged, begin };
}

function Held({ symbol, size, x, y }: Dragged): JSX.Element {
  const place = { width: `${size}px`, height: `${size}px`, left: `${x - size / 2}px`, top: `${y - size / 2}px` };
  return (
    <div class="held" style={place} aria-hidden="true">
      <Symbol symbol={symbol} />
    </div>
  );
}

export function BoardEditor({ men, onChange, pattern, flipped = false }: BoardEditorProps): JSX.Element {
  const tool = useSignal("P");
  const focused = useSignal("e4");
  const board = useRef<HTMLDivElement>(null);
  /** A drag ends with a click on the square where it began, if it ends there. */
  const isDragged = useRef(false);
  const { dragged, begin } = useDragging(({ symbol, from, moving }, to) => {
    if (!moving) {
      return;
    }
    isDragged.current = true;
    setTimeout(() => (isDragged.current = false)); // the click comes before
    if (from !== null) {
      onChange(movedMan(men, from, to));
    } else if (to !== null) {
      onChange({ ...men, [to]: symbol });
    }
  });
  const put = (square: string): void => {
    if (!isDragged.current) {
      onChange(placed(men, square, tool.peek()));
    }
  };
  const walk = (event: KeyboardEvent, square: string): void => {
    const sense = flipped ? -1 : 1;
    const [dx, dy] = STEPS[event.key] ?? [0, 0];
    const file = FILES[Math.max(0, Math.min(7, FILES.indexOf(square[0]!) + sense * dx))]!;
    const rank = RANKS[Math.max(0, Math.min(7, RANKS.indexOf(square[1]!) + sense * dy))]!;
    if (dx || dy) {
      focused.value = file + rank;
      board.current!.querySelector<HTMLElement>(`[data-square="${file + rank}"]`)!.focus();
    } else if (event.key === "Delete" || event.key === "Backspace") {
      onChange(placed(men, square, ""));
    } else if (NAMES[event.key] && event.key !== "" && (pattern || !WILD.includes(event.key))) {
      onChange({ ...men, [square]: event.key });
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  };
  const held = dragged.value?.moving ? dragged.value : null;
  return (
    <div class="board-editor">
      <div
        ref={board}
        class="squares"
        data-own-keys
        role="group"
        aria-label={t("Board. Arrow keys walk, letters put pieces (capital letters white ones), Delete takes away.")}
        onPointerDown={(event) => {
          const square = squareAt(event);
          if (square !== null) {
            begin(event, men[square] ?? NOTHING, square);
          }
        }}
        onContextMenu={(event) => {
          const square = (event.target as Element).closest<HTMLElement>("[data-square]")?.dataset["square"];
          event.preventDefault();
          if (square !== undefined) {
            onChange(placed(men, square, NOTHING));
          }
        }}
      >
        {(flipped ? [...SQUARES].reverse() : SQUARES).map((square, index) => {
          const symbol = men[square] ?? "";
          return (
            <button
              key={square}
              type="button"
              data-square={square}
              class={`${(index + (index >> 3)) % 2 ? "dark" : "light"} ${held?.from === square ? "left" : ""}`}
              tabIndex={square === focused.value ? 0 : -1}
              aria-label={`${square}: ${nameOf(symbol)}`}
              onClick={() => {
                focused.value = square;
                put(square);
              }}
              onKeyDown={(event) => walk(event, square)}
            >
              {symbol && <Symbol symbol={symbol} />}
            </button>
          );
        })}
      </div>
      <div class="palette" role="group" aria-label={t("What to put on the board")}>
        {[...MEN.map((men) => Array.from(men)), [...(pattern ? WILD : []), NOTHING]].map((row, index) => (
          <div key={index}>
            {row.map((symbol) => (
              <button
                key={symbol}
                type="button"
                aria-label={symbol === NOTHING ? t("take away") : nameOf(symbol)}
                title={symbol === NOTHING ? t("take away") : nameOf(symbol)}
                aria-pressed={tool.value === symbol}
                onPointerDown={(event) => begin(event, symbol, null)}
                onClick={() => (tool.value = symbol)}
              >
                <Symbol symbol={symbol} />
              </button>
            ))}
          </div>
        ))}
      </div>
      {held && <Held {...held} />}
    </div>
  );
}

const STEPS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};
