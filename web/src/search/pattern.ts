/**
 * Boards that are set up or drawn by hand, and the texts they stand for: the first field of a FEN, and patterns of
 * `tabiya search --board` such as `Bb3,Nf3,[q_]d8`. Nothing here knows a rule of chess.
 */

/** What stands on a square: a letter of FEN; in patterns also `A a ? _`, or a class such as `[QR]`. */
export type Men = Readonly<Record<string, string>>;

export const FILES = "abcdefgh";
export const RANKS = "87654321";

/** All squares, as they are read: a8, b8 … h1. */
export const SQUARES: readonly string[] = Array.from(RANKS).flatMap((rank) => Array.from(FILES, (file) => file + rank));

const MAN = /^[KQRBNPkqrbnp]$/;
/** Besides the men: any white man, any black man, any man, an empty square, a class. */
const SYMBOL = /^(?:[KQRBNPkqrbnpAa?_]|\[\^?[KQRBNPkqrbnpAa?_]+\])$/;

export const START_BOARD = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";

/** The first field of a FEN. Symbols of patterns are left out. */
export const formatBoard = (men: Men): string =>
  Array.from(RANKS, (rank) =>
    Array.from(FILES, (file) => men[file + rank] ?? "")
      .map((man) => (MAN.test(man) ? man : "1"))
      .join("")
      .replace(/1+/g, (gap) => String(gap.length)),
  ).join("/");

/** The men of a FEN or of its first field; null if it is none. */
export const parseBoard = (fen: string): Men | null => {
  const ranks = (fen.trim().split(/\s+/)[0] ?? "").split("/");
  if (ranks.length !== 8) return null;
  const men: Record<string, string> = {};
  for (const [row, text] of ranks.entries()) {
    let column = 0;
    for (const letter of text) {
      if (/[1-8]/.test(letter)) column += Number(letter);
      else if (MAN.test(letter) && column < 8) men[FILES[column++]! + RANKS[row]!] = letter;
      else return null;
    }
    if (column !== 8) return null;
  }
  return men;
};

/** A pattern as a list of men with their squares. */
export const formatPattern = (men: Men): string =>
  SQUARES.filter((square) => SYMBOL.test(men[square] ?? ""))
    .map((square) => men[square]! + square)
    .join(",");

/** The men of a pattern that is a list; null if it is none, so that what was typed by hand stays as it is. */
export const parsePattern = (text: string): Men | null => {
  const men: Record<string, string> = {};
  if (text.trim() === "") return men;
  for (const part of text.trim().split(/\s*,\s*/)) {
    const found = /^(.+?)([a-h][1-8])$/.exec(part);
    if (!found || !SYMBOL.test(found[1]!)) return null;
    men[found[2]!] = found[1]!;
  }
  return men;
};

/** Put a symbol on a square, or take away what is the same there. */
export const placed = (men: Men, square: string, symbol: string): Men => {
  const { [square]: before, ...others } = men;
  return symbol === "" || before === symbol ? others : { ...others, [square]: symbol };
};

/** A man that is dragged from one square to another, or off the board. */
export const movedMan = (men: Men, from: string, to: string | null): Men => {
  const { [from]: man, ...others } = men;
  return man === undefined || to === from ? men : to === null ? others : { ...others, [to]: man };
};

/** A position as it is set up by hand: `w` or `b` to move, or either; rights to castle as letters of FEN. */
export interface SetUp {
  readonly men: Men;
  readonly toMove: "" | "w" | "b";
  readonly castling: string;
  /** The square behind a pawn that has just made two steps; none if it is left out. */
  readonly enPassant?: string;
  /** Half-moves since the last capture or move of a pawn, and the number of the move, as FEN has them. */
  readonly counters?: string;
}

/** The FEN to search for; it ends where nothing is asked any more. */
export const searchedFen = ({ men, toMove, castling }: SetUp): string =>
  [formatBoard(men), toMove, toMove && castling].filter(Boolean).join(" ");

/** The whole FEN, to look at the position; whether it is sound is for the server to say. */
export const wholeFen = ({ men, toMove, castling, enPassant, counters }: SetUp): string =>
  `${formatBoard(men)} ${toMove || "w"} ${castling || "-"} ${enPassant || "-"} ${counters ?? "0 1"}`;

export const parseSetUp = (fen: string): SetUp | null => {
  const men = parseBoard(fen);
  const [, toMove, castling, enPassant, halfMoves, number] = fen.trim().split(/\s+/);
  return (
    men && {
      men,
      toMove: toMove === "w" || toMove === "b" ? toMove : "",
      castling: (castling ?? "").replace(/[^A-Ha-hKQkq]/g, ""),
      ...(/^[a-h][36]$/.test(enPassant ?? "") && { enPassant: enPassant! }),
      ...(/^\d+ \d+$/.test(`${halfMoves} ${number}`) && { counters: `${halfMoves} ${number}` }),
    }
  );
};
