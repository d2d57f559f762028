"""The words of a move stream (facts page, section 6), built from the printed rules.

A square is a number, file * 8 + rank: a1 is 0, a2 is 1, h8 is 63.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

NULL_MOVE: Final = 0xFFFA
START_SECTION: Final = 0xFFFB
MOVE_SECTION: Final = 0xFFFC
SIBLING: Final = 0xFFFD
"""The move before it has a later sibling."""
END_OF_LINE: Final = 0xFFFF

FIRST_MOVE: Final = 0x0001
FIRST_CASTLING: Final = 0xB129
FIRST_CHESS960_CASTLING: Final = 0xB12D
FIRST_PIECE: Final = 0xC02D
SETUP_MARK: Final = 1000
"""Word of a Chess960 start section before a set-up, where another game has the number of its start position."""

PIECES: Final = "KQNBR"
"""Order of the pieces among placed pieces; that of captured ones lacks the king and ends with the pawn."""
CAPTURES: Final = "-QNBRP"
PROMOTIONS: Final = "QNBR"

_BISHOP: Final = ((-1, -1), (1, -1), (1, 1), (-1, 1))
_ROOK: Final = ((-1, 0), (0, -1), (1, 0), (0, 1))
_DIRECTIONS: Final = {
    "K": ((-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)),
    "Q": _BISHOP + _ROOK,
    "N": ((-2, -1), (-2, 1), (2, -1), (2, 1), (-1, -2), (-1, 2), (1, -2), (1, 2)),
    "B": _BISHOP,
    "R": _ROOK,
}
_SLIDERS: Final = "QBR"
_EN_PASSANT: Final = "ep"


@dataclass(frozen=True, slots=True)
class MoveWord:
    """What one word means: a white piece in upper, a black one in lower case; ``captured`` is ``-`` for none."""

    piece: str
    source: int
    target: int
    captured: str = "-"
    """A letter of ``CAPTURES``, or ``ep`` for en passant."""
    promotion: str = ""


def _on_board(file: int, rank: int) -> bool:
    return 0 <= file < 8 and 0 <= rank < 8


def _targets(piece: str, source: int) -> list[int]:
    """The squares that a piece reaches on an empty board, in the order of the words."""
    found = []
    for step_file, step_rank in _DIRECTIONS[piece]:
        file, rank = source // 8 + step_file, source % 8 + step_rank
        while _on_board(file, rank):
            found.append(file * 8 + rank)
            if piece not in _SLIDERS:
                break
            file, rank = file + step_file, rank + step_rank
    return found


def _piece_words(piece: str, *, black: bool) -> list[MoveWord]:
    name = piece.lower() if black else piece
    return [
        MoveWord(name, source, target, captured)
        for source in range(64)
        for target in _targets(piece, source)
        for captured in CAPTURES
    ]


def _pawn_words(*, black: bool) -> list[MoveWord]:
    """The words of one colour: files a to h, ranks 2 to 7 for both colours."""
    name, ahead = ("p", -1) if black else ("P", 1)
    start, before_promotion, en_passant = (6, 1, 3) if black else (1, 6, 4)
    words = []
    for file in range(8):
        for rank in range(1, 7):
            source, forward = file * 8 + rank, file * 8 + rank + ahead
            if rank == before_promotion:
                words += [MoveWord(name, source, forward, "-", promotion) for promotion in PROMOTIONS]
            else:
                steps = (2, 1) if rank == start else (1,)
                words += [MoveWord(name, source, source + step * ahead) for step in steps]
            for beside in (file - 1, file + 1):
                if not 0 <= beside < 8:
                    continue
                target = beside * 8 + rank + ahead
                if rank == before_promotion:
                    words += [MoveWord(name, source, target, taken, new) for taken in "QNBR" for new in PROMOTIONS]
                    continue
                words += [MoveWord(name, source, target, captured) for captured in CAPTURES[1:]]
                if rank == en_passant:
                    words.append(MoveWord(name, source, target, _EN_PASSANT))
    return words


def _all_words() -> list[MoveWord]:
    words = []
    for black in (False, True):
        for piece in PIECES:
            words += _piece_words(piece, black=black)
    return words + _pawn_words(black=False) + _pawn_words(black=True)


MOVE_WORDS: Final = _all_words()
"""The meaning of the words from ``FIRST_MOVE`` up to the castling moves, in order."""
_NUMBERS: Final = {word: FIRST_MOVE + number for number, word in enumerate(MOVE_WORDS)}


def word_of(move: MoveWord) -> int:
    """The word of a move; KeyError if no word means it."""
    return _NUMBERS[move]


def castling_word(*, black: bool, short: bool, number: int | None = None) -> int:
    """The word of castling, in ordinary chess or from the Chess960 start position of this number."""
    first = FIRST_CASTLING if number is None else FIRST_CHESS960_CASTLING + 4 * number
    return first + 2 * black + short


def piece_word(piece: str, square: int) -> int:
    """The word that places a piece: a white one in upper case, a black one in lower case."""
    black = piece.islower()
    if piece in "Pp":
        return FIRST_PIECE + 10 * 64 + 48 * black + 6 * (square // 8) + square % 8 - 1
    return FIRST_PIECE + 64 * (PIECES.index(piece.upper()) + 5 * black) + square
