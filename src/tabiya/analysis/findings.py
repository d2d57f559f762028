"""Findings: what an engine found in a position, in the compact form that caches store."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Final, NamedTuple

from tabiya.chess import Move, Position
from tabiya.chess.basics import all_moves
from tabiya.errors import CorruptError
from tabiya.game.annotations import Evaluation

if TYPE_CHECKING:
    from tabiya.analysis.results import Analysis

_LINE: Final = struct.Struct("<hBhB")
"""Value, type and depth of an evaluation; number of moves, which follow as tokens."""
_LONGEST: Final = 40
"""Moves of a line that are kept."""
_COUNTED_CLOCK: Final = 40
"""Half-moves without progress from which the clock is part of a position: a search may now reach the fifty-move rule.
"""


class FoundLine(NamedTuple):
    """A line: its evaluation from White's point of view, and its moves."""

    evaluation: Evaluation
    moves: tuple[Move, ...]


def position_name(position: Position) -> str:
    """Return the text by which a position is found again.

    It is a FEN without counters, so that a position is the same in all games that reach it.
    """
    fen = position.fen(en_passant="legal")
    counters = 1 if position.halfmove_clock >= _COUNTED_CLOCK else 2
    name = fen.rsplit(" ", counters)[0]
    return f"960 {name}" if position.chess960 else name


def named_position(name: str) -> Position:
    """Return the position of a name, as engines receive it."""
    fen = name.removeprefix("960 ")
    return Position(fen if fen.count(" ") == 4 else f"{fen} 0", chess960=name.startswith("960 "))


def encode_lines(lines: tuple[FoundLine, ...]) -> bytes:
    """Return lines as bytes."""
    parts = []
    for evaluation, moves in lines:
        kept = moves[:_LONGEST]
        parts.append(_LINE.pack(evaluation.value, evaluation.type, evaluation.depth, len(kept)))
        parts.append(struct.pack(f"<{len(kept)}H", *kept))
    return b"".join(parts)


def decode_lines(data: bytes) -> tuple[FoundLine, ...]:
    """Return the lines in bytes.

    Raises:
        CorruptError: The bytes are damaged.
    """
    lines, place, known = [], 0, all_moves()
    try:
        while place < len(data):
            value, kind, depth, count = _LINE.unpack_from(data, place)
            place += _LINE.size
            moves = tuple(known[token] for token in struct.unpack_from(f"<{count}H", data, place))
            place += 2 * count
            lines.append(FoundLine(Evaluation(value, kind, depth), moves))
    except (struct.error, IndexError) as error:
        raise CorruptError("a line is damaged") from error
    return tuple(lines)


def found_lines(analysis: Analysis) -> tuple[FoundLine, ...]:
    """Return the lines of an analysis."""
    return tuple(FoundLine(line.evaluation, line.moves[:_LONGEST]) for line in analysis.lines)
