"""The tape: the moves of a game as 16-bit tokens, in PGN order (a variation follows the move it replaces).

A token below 0x8000 is a move; its value is that of ``tabiya.chess.Move``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tabiya.errors import CorruptError

if TYPE_CHECKING:
    from collections.abc import Iterable

BEGIN: Final = 0x8000
"""Start of a variation: an alternative to the move before it."""
END: Final = 0x8001
"""End of the variation."""
NULL: Final = 0
"""The null move."""

_PROMOTIONS: Final = 4


def is_move(token: int) -> bool:
    """Return whether a token is a move (the null move is one)."""
    return token < BEGIN


def count_moves(tape: Iterable[int]) -> int:
    """Return the number of moves on a tape, variations included."""
    return sum(1 for token in tape if token < BEGIN)


def main_line(tape: Iterable[int]) -> list[int]:
    """Return the moves of a sound tape without its variations."""
    moves = []
    depth = 0
    for token in tape:
        if token == BEGIN:
            depth += 1
        elif token == END:
            depth -= 1
        elif depth == 0:
            moves.append(token)
    return moves


def check_tape(tape: Iterable[int], *, game: int | None = None) -> None:
    """Raise CorruptError unless variations are balanced, not empty and follow a move, and every token is valid.

    The rules of chess are not checked.

    Args:
        tape: The tokens.
        game: The number of the record, for the error.
    """
    depth = 0
    line_has_move = False
    for index, token in enumerate(tape):
        if token < BEGIN:
            if token < 0 or token >> 12 > _PROMOTIONS:
                raise CorruptError(f"token {index} of the moves is not a move: {token:#06x}", game=game)
            line_has_move = True
        elif token == BEGIN:
            if not line_has_move:
                raise CorruptError(f"token {index} of the moves: a variation before any move", game=game)
            depth += 1
            line_has_move = False
        elif token == END:
            if depth == 0:
                raise CorruptError(f"token {index} of the moves: the end of a variation that did not begin", game=game)
            if not line_has_move:
                raise CorruptError(f"token {index} of the moves: an empty variation", game=game)
            depth -= 1
        else:
            raise CorruptError(f"token {index} of the moves is unknown: {token:#06x}", game=game)
    if depth:
        raise CorruptError(f"the moves end inside a variation (depth {depth})", game=game)
