/** The board of the search: set up a position, or draw what must stand where. */

import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { said } from "../api/sentences";
import { useEffect } from "preact/hooks";
import { fen, openFen, positionOf } from "../state";
import { t } from "../translation";
import { BoardEditor } from "./BoardEditor";
import { fieldText } from "./conditions";
import { draft, setCondition } from "./draft";
import { formatPattern, parseBoard, parsePattern, parseSetUp, searchedFen, START_BOARD, wholeFen, type Men, type SetUp } from "./pattern";

const EMPTY: SetUp = { men: {}, toMove: "", castling: "" };

export function BoardCondition(): JSX.Element {
  const pattern = useSignal(draft.value["fen"] === undefined);
  return (
    <section class="board-condition">
      <div class="segments" role="group" aria-label={t("Meaning of the board")}>
        <button type="button" aria-pressed={pattern.value} onClick={() => (pattern.value = true)}>
          {t("Pattern")}
        </button>
        <button type="button" aria-pressed={!pattern.value} onClick={() => (pattern.value = false)}>
          {t("Whole position")}
        </button>
      </div>
      {pattern.value ? <PatternBoard /> : <SetUpBoard />}
    </section>
  );
}

/** What is drawn is the condition `board`; a text that cannot be drawn is left alone. */
function PatternBoard(): JSX.Element {
  const text = fieldText(draft.value["board"]);
  const men = parsePattern(text) ?? parseBoard(text);
  const change = (next: Men): void => setCondition("board", formatPattern(next));
  return (
    <>
      <BoardEditor men={men ?? {}} onChange={change} pattern />
      <div class="button-row">
        <button type="button" onClick={() => change(parseBoard(fen.peek()) ?? {})}>
          {t("From the board")}
        </button>
        <button type="button" onClick={() => change({})}>
          {t("Empty")}
        </button>
      </div>
      <p class="soft hint">
        {men === null
          ? t("This pattern is only in the field below.")
          : t("The position must contain these pieces; all other squares may have any content.")}
      </p>
    </>
  );
}

function SetUpBoard(): JSX.Element {
  const setUp = parseSetUp(fieldText(draft.value["fen"])) ?? EMPTY;
  const change = (next: SetUp): void => setCondition("fen", Object.keys(next.men).length ? searchedFen(next) : "");
  const castle = (letter: string): void => {
    const letters = setUp.castling.includes(letter) ? setUp.castling.replace(letter, "") : setUp.castling + letter;
    change({ ...setUp, castling: Array.from("KQkq").filter((one) => letters.includes(one)).join("") });
  };
  return (
    <>
      <BoardEditor men={setUp.men} onChange={(men) => change({ ...setUp, men })} pattern={false} />
      <div class="button-row">
        <button type="button" onClick={() => change(parseSetUp(fen.peek()) ?? EMPTY)}>
          {t("From the board")}
        </button>
        <button type="button" onClick={() => change({ ...EMPTY, men: parseBoard(START_BOARD)! })}>
          {t("Start")}
        </button>
        <button type="button" onClick={() => change(EMPTY)}>
          {t("Empty")}
        </button>
        <select
          aria-label={t("Side to move")}
          value={setUp.toMove}
          onChange={(event) => change({ ...setUp, toMove: event.currentTarget.value as SetUp["toMove"] })}
        >
          <option value="">{t("Either side to move")}</option>
          <option value="w">{t("White to move")}</option>
          <option value="b">{t("Black to move")}</option>
        </select>
      </div>
      {setUp.toMove && (
        <div class="button-row" role="group" aria-label={t("Castling rights; none chosen: any")}>
          {Object.entries({ K: t("White O-O"), Q: t("White O-O-O"), k: t("Black O-O"), q: t("Black O-O-O") }).map(([letter, name]) => (
            <button key={letter} type="button" class="chip" aria-pressed={setUp.castling.includes(letter)} onClick={() => castle(letter)}>
              {name}
            </button>
          ))}
        </div>
      )}
      <Verdict setUp={setUp} />
    </>
  );
}

const SETTLING_MS = 200;

/** What the server says about the position, and a way to put it on the large board. */
function Verdict({ setUp }: { setUp: SetUp }): JSX.Element {
  const whole = wholeFen(setUp);
  const problem = useSignal<string | null>("");
  const isEmpty = Object.keys(setUp.men).length === 0;
  useEffect(() => {
    problem.value = "";
    if (isEmpty) {
      return;
    }
    let isShown = true;
    const say = (sentence: string | null): unknown => isShown && (problem.value = sentence);
    const timer = setTimeout(() => {
      positionOf(whole).then(
        (answer) => say(answer.sound === false ? (answer.problems?.[0] ? said(answer.problems[0]) : t("This cannot arise in a game.")) : null),
        (error: unknown) => say(error instanceof Error ? error.message : String(error)),
      );
    }, SETTLING_MS);
    return () => {
      isShown = false;
      clearTimeout(timer);
    };
  }, [whole]);
  return (
    <div class="verdict">
      <p class="soft hint" role="status">
        {isEmpty ? t("Put pieces on the board, or take the position from the game.") : problem.value}
      </p>
      {!isEmpty && (
        <button type="button" onClick={() => void openFen(whole)}>
          {t("Show on the board")}
        </button>
      )}
    </div>
  );
}
