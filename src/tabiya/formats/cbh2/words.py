"""The words of moves in ``.2cbg``: every move that a piece can make on an empty board has a number of 16 bits.

A word determines the moving piece, both squares, the captured piece and the promotion, so reading needs no board.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

BLACK: Final = 8
"""What distinguishes the code of a black piece from that of a white one."""
PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING = range(1, 7)

NULL_MOVE: Final = 0xFFFA
START: Final = 0xFFFB
"""The start position follows."""
MOVES: Final = 0xFFFC
"""The moves follow."""
LATER: Final = 0xFFFD
"""There is an alternative to the move before, later."""
END: Final = 0xFFFF
"""The line ends."""

FIRST_MOVE: Final = 0x0001
FIRST_CASTLING: Final = 0xB129
"""White queen side, White king side, then Black."""
FIRST_CASTLING_960: Final = 0xB12D
"""The same for each number of a start position."""
FIRST_PIECE: Final = 0xC02D
"""Pieces on squares, for start positions."""
LAST_PIECE: Final = 0xC30C

_DIAGONALS: Final = ((-1, -1), (1, -1), (1, 1), (-1, 1))
_LINES: Final = ((-1, 0), (0, -1), (1, 0), (0, 1))
_STEPS: Final = {
    KING: ((-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)),
    QUEEN: _DIAGONALS + _LINES,
    KNIGHT: ((-2, -1), (-2, 1), (2, -1), (2, 1), (-1, -2), (-1, 2), (1, -2), (1, 2)),
    BISHOP: _DIAGONALS,
    ROOK: _LINES,
}
"""Files and ranks, in the order of the words; the pieces, too, are in this order."""
_SLIDERS: Final = (QUEEN, BISHOP, ROOK)
_CAPTURED: Final = (QUEEN, KNIGHT, BISHOP, ROOK, PAWN)
_PROMOTED: Final = (QUEEN, KNIGHT, BISHOP, ROOK)


class MoveWord(NamedTuple):
    """The meaning of a word; squares are a1 = 0, b1 = 1 … h8 = 63."""

    piece: int
    """Code of the moving piece: its type, plus ``BLACK``."""
    source: int
    target: int
    captured: int = 0
    """Type of the captured piece; 0 for none, and en passant."""
    promoted: int = 0
    """Type of the new piece."""
    en_passant: bool = False


def move_words() -> Iterator[MoveWord]:
    """Yield the meanings of the words from ``FIRST_MOVE`` up to castling."""
    for color in (0, BLACK):
        for kind in _STEPS:
            yield from _piece_words(kind, color)
    for color in (0, BLACK):
        yield from _pawn_words(color)


def _piece_words(kind: int, color: int) -> Iterator[MoveWord]:
    longest = 7 if kind in _SLIDERS else 1
    for number in range(64):
        file, rank = divmod(number, 8)
        for right, up in _STEPS[kind]:
            for length in range(1, longest + 1):
                to_file, to_rank = file + length * right, rank + length * up
                if not (0 <= to_file < 8 and 0 <= to_rank < 8):
                    break
                for captured in (0, *_CAPTURED):
                    yield MoveWord(color | kind, 8 * rank + file, 8 * to_rank + to_file, captured)


def _pawn_words(color: int) -> Iterator[MoveWord]:
    step, first, last, passing = (-1, 6, 1, 3) if color else (1, 1, 6, 4)
    piece = color | PAWN
    for file in range(8):
        for rank in range(1, 7):
            source, ahead = 8 * rank + file, 8 * (rank + step) + file
            if rank == first:
                yield MoveWord(piece, source, ahead + 8 * step)
            for promoted in _PROMOTED if rank == last else (0,):
                yield MoveWord(piece, source, ahead, 0, promoted)
            for side in (-1, 1):
                if not 0 <= file + side < 8:
                    continue
                if rank == last:
                    for captured in _PROMOTED:
                        for promoted in _PROMOTED:
                            yield MoveWord(piece, source, ahead + side, captured, promoted)
                else:
                    for captured in _CAPTURED:
                        yield MoveWord(piece, source, ahead + side, captured)
                    if rank == passing:
                        yield MoveWord(piece, source, ahead + side, en_passant=True)


def piece_words() -> Iterator[tuple[int, int]]:
    """Yield code and square of the pieces from ``FIRST_PIECE`` to ``LAST_PIECE``."""
    for color in (0, BLACK):
        for kind in _STEPS:
            for number in range(64):
                yield color | kind, 8 * (number % 8) + number // 8
    for color in (0, BLACK):
        for file in range(8):
            for rank in range(1, 7):
                yield color | PAWN, 8 * rank + file
