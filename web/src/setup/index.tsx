/** A page to set up a position: pieces, side to move, castling, en passant; then to analyse it or search for it. */

import { signal, useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useLayoutEffect } from "preact/hooks";
import { api } from "../api/client";
import type { PositionAnswer } from "../api/types";
import { Tool } from "../game/Tool";
import { BoardEditor } from "../search/BoardEditor";
import { parseSetUp, searchedFen, type SetUp } from "../search/pattern";
import { searchPosition } from "../search/draft";
import { copy } from "../shell/clipboard";
import type { Panel } from "../shell/panel";
import { openPosition, positionOf, report, source } from "../state";
import { t } from "../translation";
import {
  change,
  chess960,
  EMPTY,
  followSetUp,
  isRefused,
  lostRights,
  passedSquares,
  RIGHTS,
  rightOf,
  setChess960,
  setUp,
  START,
  takeFromBoard,
  toggledRight,
  understood,
  verdict,
  whole,
  type Right,
} from "./state";
import "./setup.css";

const flipped = signal(false);
/** Why what is typed into the field is no position. */
const misspelt = signal<string | null>(null);

const RIGHT_NAMES: Readonly<Record<Right, string>> = {
  K: t("White O-O"),
  Q: t("White O-O-O"),
  k: t("Black O-O"),
  q: t("Black O-O-O"),
};

/** The position as text, both ways: what is typed is drawn as far as it can be. */
function FenField(): JSX.Element {
  const typed = useSignal<string | null>(null);
  async function take(text: string): Promise<void> {
    typed.value = text;
    misspelt.value = null;
    const known = parseSetUp(text.replaceAll("_", " "));
    if (known) {
      change({ ...known, toMove: known.toMove || "w" });
      return;
    }
    try {
      const answer = await positionOf(text, chess960.peek());
      if (typed.peek() === text) {
        change(parseSetUp(answer.fen)!);
      }
    } catch (error) {
      if (typed.peek() === text) {
        misspelt.value = text.trim() ? (error instanceof Error ? error.message : String(error)) : null;
      }
    }
  }
  return (
    <label class="fen-field">
      <span>FEN</span>
      <input
        value={typed.value ?? whole.value}
        spellcheck={false}
        autoComplete="off"
        aria-invalid={misspelt.value !== null}
        onFocus={(event) => event.currentTarget.select()}
        onInput={(event) => void take(event.currentTarget.value)}
        onBlur={() => {
          typed.value = null;
          misspelt.value = null;
        }}
      />
    </label>
  );
}

function Turn(): JSX.Element {
  const shown = setUp.value;
  return (
    <div class="segments" role="group" aria-label={t("Side to move")}>
      <button type="button" aria-pressed={shown.toMove !== "b"} onClick={() => change({ ...shown, toMove: "w" })}>
        {t("White to move")}
      </button>
      <button type="button" aria-pressed={shown.toMove === "b"} onClick={() => change({ ...shown, toMove: "b" })}>
        {t("Black to move")}
      </button>
    </div>
  );
}

function Castling(): JSX.Element {
  const shown = setUp.value;
  const given = new Set(Array.from(shown.castling, (letter) => rightOf(letter, shown)));
  return (
    <fieldset>
      <legend>{t("Castling")}</legend>
      <div class="rights">
        {RIGHTS.map((right) => (
          <label key={right} class="tick">
            <input type="checkbox" checked={given.has(right)} onChange={() => change(toggledRight(shown, right))} />
            {RIGHT_NAMES[right]}
          </label>
        ))}
      </div>
    </fieldset>
  );
}

function EnPassant(): JSX.Element {
  const shown = setUp.value;
  const squares = passedSquares(shown);
  return (
    <label class="line">
      <span>{t("En passant")}</span>
      <select
        value={shown.enPassant ?? ""}
        disabled={!squares.length}
        onChange={(event) => change({ ...shown, enPassant: event.currentTarget.value })}
      >
        <option value="">{t("not possible")}</option>
        {squares.map((square) => (
          <option key={square}>{square}</option>
        ))}
      </select>
    </label>
  );
}

/** Half-moves since the last capture or move of a pawn, and the number of the move. */
function Counters(): JSX.Element {
  const shown = setUp.value;
  const [halfMoves = "0", number = "1"] = (shown.counters ?? "0 1").split(" ");
  const field = (name: string, value: string, least: number, write: (value: number) => string): JSX.Element => (
    <label class="line">
      <span>{name}</span>
      <input
        type="number"
        min={least}
        max={9999}
        value={value}
        onChange={(event) => change({ ...shown, counters: write(Math.max(least, Math.trunc(Number(event.currentTarget.value)) || 0)) })}
      />
    </label>
  );
  return (
    <>
      {field(t("Move number"), number, 1, (value) => `${halfMoves} ${value}`)}
      {field(t("Halfmove clock"), halfMoves, 0, (value) => `${value} ${number}`)}
    </>
  );
}

/** A start position of Chess960 by its number, or any. */
function Chess960(): JSX.Element {
  const number = useSignal("");
  async function draw(): Promise<void> {
    try {
      const parameters = number.peek().trim() ? { number: number.peek().trim() } : {};
      const { fen, number960 } = await api.get<PositionAnswer>("/api/position/chess960", { parameters });
      number.value = String(number960 ?? "");
      setChess960(true);
      change(parseSetUp(fen)!);
    } catch (error) {
      report(error);
    }
  }
  return (
    <div class="chess960">
      <label class="tick">
        <input type="checkbox" checked={chess960.value} onChange={(event) => setChess960(event.currentTarget.checked)} />
        Chess960
      </label>
      {chess960.value && (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            void draw();
          }}
        >
          <input
            type="number"
            min={0}
            max={959}
            aria-label={t("Number of the start position, 0 to 959")}
            placeholder="0–959"
            value={number.value}
            onInput={(event) => (number.value = event.currentTarget.value)}
          />
          <button>{number.value ? t("Start position") : t("Any start position")}</button>
        </form>
      )}
    </div>
  );
}

/** What the server says about the position. */
function Verdict(): JSX.Element {
  const { problem } = verdict.value;
  const lost = lostRights.value.map((right) => RIGHT_NAMES[right]).join(", ");
  const sentence = misspelt.value ?? problem ?? (lost ? t("Not possible here, and left out: {rights}.", { rights: lost }) : null);
  return (
    <p class={`verdict ${sentence ? "" : "fine"}`} role="status">
      {sentence ?? (verdict.value.answer ? t("The position can be played.") : "\u00a0")}
    </p>
  );
}

async function analyse(): Promise<void> {
  try {
    const { fen } = await understood();
    openPosition(fen, chess960.peek());
  } catch (error) {
    report(error);
  }
}

async function search(shown: SetUp): Promise<void> {
  try {
    const { fen } = await understood();
    searchPosition(searchedFen({ ...parseSetUp(fen)!, toMove: shown.toMove }));
  } catch (error) {
    report(error);
  }
}

const fenOf = (): Promise<string> => understood().then(({ fen }) => fen, () => whole.peek());

function Actions(): JSX.Element {
  const shown = setUp.value;
  return (
    <div class="actions">
      <button type="button" class="primary" disabled={isRefused.value} onClick={() => void analyse()}>
        {t("Analyse here")}
      </button>
      <button
        type="button"
        disabled={isRefused.value || !source.value}
        title={source.value ? t("Games of {database} with this position", { database: source.value.name }) : t("Open a database first.")}
        onClick={() => void search(shown)}
      >
        {t("Search this position")}
      </button>
      <button type="button" onClick={() => void copy(fenOf(), t("The position is in the clipboard as FEN."))}>
        {t("Copy FEN")}
      </button>
      <button type="button" onClick={() => void copy(location.href, t("The link to this position is in the clipboard."))}>
        {t("Copy the link")}
      </button>
    </div>
  );
}

function Board(): JSX.Element {
  return (
    <div class="setup-board">
      <div class="turn-board">
        <Tool icon="flip" name={t("Turn the board")} pressed={flipped.value} act={() => (flipped.value = !flipped.peek())} />
      </div>
      <BoardEditor men={setUp.value.men} onChange={(men) => change({ ...setUp.peek(), men })} pattern={false} flipped={flipped.value} />
      <div class="button-row">
        <button type="button" onClick={() => change(START)}>
          {t("Start position")}
        </button>
        <button type="button" onClick={() => change(EMPTY)}>
          {t("Clear the board")}
        </button>
        <button type="button" onClick={takeFromBoard}>
          {t("From the game")}
        </button>
      </div>
    </div>
  );
}

function Setup(): JSX.Element {
  useLayoutEffect(followSetUp, []);
  return (
    <div class="setup">
      <Board />
      <section class="setup-controls" aria-label={t("Position")}>
        <h1>{t("Set up a position")}</h1>
        <Turn />
        <Castling />
        <div class="lines">
          <EnPassant />
          <Counters />
        </div>
        <Chess960 />
        <FenField />
        <Verdict />
        <Actions />
        <p class="soft small">
          {t(
            "Choose a piece and click squares, or drag pieces to and from the board; the right mouse button removes one. By keyboard: arrow keys, letters as in FEN, Delete.",
          )}
        </p>
      </section>
    </div>
  );
}

export const panel: Panel = { tab: "setup", title: t("Set up"), place: "whole", Component: Setup };
