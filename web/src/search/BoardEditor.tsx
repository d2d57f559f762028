/** A board to put men on: by mouse, finger (click or drag) and keyboard. Used to set up positions and to draw patterns. */

import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useRef } from "preact/hooks";
import { pieceName } from "../board/MiniBoard";
import { t } from "../translation";
import { FILES, movedMan, placed, RANKS, SQUARES, type Men } from "./pattern";

export interface BoardEditorProps {
  men: Men;
  onChange: (men: Men) => void;
  /** Whether squares may also ask for any man, none, and so on. */
  pattern: boolean;
}

const NAMES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Array.from("KQRBNPkqrbnp", (letter) => [letter, pieceName((letter < "a" ? "w" : "b") + letter.toLowerCase())])),
  A: t("any white piece"), a: t("any black piece"), "?": t("any piece"), _: t("empty square"), "": t("nothing"),
};
const MEN = ["KQRBNP", "kqrbnp"];
const WILD = ["A", "a", "?", "_"];
/** Takes away what stands on the square. */
const NOTHING = "";

const nameOf = (symbol: string): string => NAMES[symbol] ?? t("one of {pieces}", { pieces: symbol });

/** A man of the sprite, or the sign of a pattern. */
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

export function BoardEditor({ men, onChange, pattern }: BoardEditorProps): JSX.Element {
  const tool = useSignal("P");
  const focused = useSignal("e4");
  const from = useRef<string | null>(null);
  const board = useRef<HTMLDivElement>(null);
  const squareAt = (event: PointerEvent): string | null =>
    document.elementFromPoint(event.clientX, event.clientY)?.closest<HTMLElement>("[data-square]")?.dataset["square"] ?? null;
  const put = (square: string): void => onChange(placed(men, square, tool.peek()));
  const walk = (event: KeyboardEvent, square: string): void => {
    const [dx, dy] = STEPS[event.key] ?? [0, 0];
    const file = FILES[Math.max(0, Math.min(7, FILES.indexOf(square[0]!) + dx))]!;
    const rank = RANKS[Math.max(0, Math.min(7, RANKS.indexOf(square[1]!) + dy))]!;
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
  return (
    <div class="board-editor">
      <div
        ref={board}
        class="squares"
        data-own-keys
        role="group"
        aria-label={t("Board. Arrow keys select a square, letters put pieces on it (capital letters: white pieces), Delete removes them.")}
        onPointerDown={(event) => {
          from.current = squareAt(event);
        }}
        onPointerUp={(event) => {
          const to = squareAt(event);
          const start = from.current;
          from.current = null;
          if (start && to !== start) {
            onChange(movedMan(men, start, to));
          }
        }}
      >
        {SQUARES.map((square, index) => {
          const symbol = men[square] ?? "";
          return (
            <button
              key={square}
              type="button"
              data-square={square}
              class={(index + (index >> 3)) % 2 ? "dark" : "light"}
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
                aria-label={symbol === NOTHING ? t("remove") : nameOf(symbol)}
                title={symbol === NOTHING ? t("remove") : nameOf(symbol)}
                aria-pressed={tool.value === symbol}
                onClick={() => (tool.value = symbol)}
              >
                <Symbol symbol={symbol} />
              </button>
            ))}
          </div>
        ))}
      </div>
    </div>
  );
}

const STEPS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};
