/** The position that is set up. It is in the address, as FEN, however unfinished it is. */

import { computed, effect, signal } from "@preact/signals";
import { chess960 as boardIsChess960, fen, positionOf, route, setParameters } from "../state";
import type { PositionAnswer } from "../api/types";
import { said } from "../api/sentences";
import { parseBoard, parseSetUp, START_BOARD, wholeFen, type SetUp } from "../search/pattern";

export const START: SetUp = { men: parseBoard(START_BOARD)!, toMove: "w", castling: "KQkq", counters: "0 1" };
export const EMPTY: SetUp = { men: {}, toMove: "w", castling: "", counters: "0 1" };

/** What the address says; a board in the start position without it. */
export const setUp = computed<SetUp>(() => {
  const { position } = route.value.parameters;
  return (position !== undefined && parseSetUp(position.replaceAll("_", " "))) || START;
});
export const chess960 = computed(() => route.value.parameters["variant"] === "chess960");
export const whole = computed(() => wholeFen(setUp.value));

export function change(next: SetUp): void {
  setParameters({ position: wholeFen({ ...next, enPassant: isPossible(next) ? next.enPassant! : "" }).replaceAll(" ", "_") });
}

export const setChess960 = (is: boolean): void => setParameters({ variant: is ? "chess960" : null });

/** Take the position of the game that is open. */
export function takeFromBoard(): void {
  setChess960(boardIsChess960.peek());
  change(parseSetUp(fen.peek()) ?? START);
}

/** Squares that a pawn may just have passed, by where pawns are: the choices of the field. */
export function passedSquares({ men, toMove }: SetUp): string[] {
  const [rank, from, pawn, mover] = toMove === "b" ? ["3", "4", "P", "2"] : ["6", "5", "p", "7"];
  return Array.from("abcdefgh", (file) => file).flatMap((file) =>
    men[file + from] === pawn && !men[file + rank] && !men[file + mover] ? [file + rank] : [],
  );
}

const isPossible = (next: SetUp): boolean => next.enPassant !== undefined && passedSquares(next).includes(next.enPassant);

/** The four rights to castle: on which wing of which side. */
export const RIGHTS = ["K", "Q", "k", "q"] as const;
export type Right = (typeof RIGHTS)[number];

/** Which of the four rights a letter of FEN is; Chess960 may name the file of the rook. */
export function rightOf(letter: string, { men }: SetUp): Right {
  if (/[KQkq]/.test(letter)) {
    return letter as Right;
  }
  const isWhite = letter === letter.toUpperCase();
  const king = Object.keys(men).find((square) => men[square] === (isWhite ? "K" : "k"));
  const wing = king === undefined || letter.toLowerCase() > king[0]! ? "K" : "Q";
  return (isWhite ? wing : wing.toLowerCase()) as Right;
}

/** The rights to castle with one of them given or taken. */
export function toggledRight(shown: SetUp, right: Right): SetUp {
  const letters = Array.from(shown.castling);
  const others = letters.filter((letter) => rightOf(letter, shown) !== right);
  const kept = others.length < letters.length ? others : [...letters, right];
  const place = (letter: string): number => RIGHTS.indexOf(rightOf(letter, shown));
  return { ...shown, castling: kept.sort((one, other) => place(one) - place(other)).join("") };
}

export interface Verdict {
  /** The position that it is about, as it was sent. */
  of: string;
  /** The position as the server understands it; null if it does not. */
  answer: PositionAnswer | null;
  /** Why it cannot be played from, or cannot arise in a game: a sentence of the server. */
  problem: string | null;
}

/** What the server said last. */
export const verdict = signal<Verdict>({ of: "", answer: null, problem: null });
/** Whether the server refuses the position that is set up. */
export const isRefused = computed(() => verdict.value.of === whole.value && verdict.value.answer === null);

const SETTLING_MS = 150;

/** Let the verdict follow the position, while the page is shown. */
export function followSetUp(): () => void {
  return effect(() => {
    const [of, variant] = [whole.value, chess960.value];
    let isShown = true;
    const say = (answer: PositionAnswer | null, problem: string | null): unknown =>
      isShown && (verdict.value = { of, answer, problem });
    const timer = setTimeout(() => {
      positionOf(of, variant).then(
        (answer) => say(answer, answer.sound === false && answer.problems?.[0] ? said(answer.problems[0]) : null),
        (error: unknown) => say(null, error instanceof Error ? error.message : String(error)),
      );
    }, SETTLING_MS);
    return () => {
      isShown = false;
      clearTimeout(timer);
    };
  });
}

/** Rights to castle that were given, but that the server does not find in the position. */
export const lostRights = computed<Right[]>(() => {
  const { of, answer } = verdict.value;
  const found = answer && of === whole.value ? parseSetUp(answer.fen) : null;
  if (!found) {
    return [];
  }
  const kept = Array.from(found.castling, (letter) => rightOf(letter, found));
  return RIGHTS.filter((right) => !kept.includes(right) && Array.from(setUp.value.castling).some((letter) => rightOf(letter, setUp.value) === right));
});

/** The position as the server understands it: with only those rights that there are. */
export const understood = async (): Promise<PositionAnswer> => positionOf(whole.peek(), chess960.peek());
