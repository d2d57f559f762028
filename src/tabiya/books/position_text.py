"""A position in its usual notations: a FEN, or moves from the start position."""

from __future__ import annotations

import re

from tabiya.chess import Position
from tabiya.errors import FormatError

_NUMBER = re.compile(r"^\d+\.+")


def parse_line(text: str) -> Position:
    """Return the position of a text: ``rnbqkbnr/… w KQkq -``, ``1.e4 c5 2.Nf3``, ``e2e4 c7c5``; empty is the start.

    Raises:
        FormatError: The text is neither; the message names the wrong move or field.
    """
    if "/" in text:
        return Position.from_fen(text.strip())
    position = Position()
    for word in text.split():
        move = _NUMBER.sub("", word)
        if move:
            try:
                position = position.play(move)
            except FormatError as error:
                raise FormatError(f"{text!r} is neither a FEN nor a line of moves: {error.message}") from error
    return position
