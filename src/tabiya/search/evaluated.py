"""Conditions on the evaluations and clocks of games: blunders, missed wins, swings, time trouble.

They look at values that the games contain, and hold nowhere in a game without them, nor in variations. Conditions on
evaluations are from White's point of view; those on moves look at the move played next, as all conditions do.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from math import isfinite
from typing import TYPE_CHECKING, Final

import numpy as np

from tabiya.errors import UsageError
from tabiya.search.boards import ToMove
from tabiya.search.conditions import Condition, Instruction, Operation

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from tabiya.chess import Color
    from tabiya.evaluations import Judgement, MoveValues


class Value(IntEnum):
    """A value of a position, or of the move played in it; the rows of the table that a program reads."""

    SCORE = 0
    """The score of the position."""
    LOST = 1
    """Hundredths of points of win chances that the move loses; below 0 if it gains."""
    JUDGEMENT = 2
    """The ``Judgement`` of the move."""
    MISSED = 3
    """1 if the move misses a win."""
    CLOCK = 4
    """Hundredths of a second on the clock of the side that moves, after the move."""
    TIME = 5
    """Hundredths of a second spent on the move."""


_MISSING: Final = -(1 << 31)
_MOST: Final = 0x3FFFFFFF
"""No value is greater."""
_JUDGEMENTS: Final = ("inaccuracy", "mistake", "blunder")


def _instruction(value: Value, low: float, high: float, scale: int = 100) -> Instruction:
    bounds = [int(max(-_MOST, min(_MOST, round(bound * scale)))) if isfinite(bound) else bound for bound in (low, high)]
    least, most = (int(bound) if isfinite(bound) else _MOST if bound > 0 else -_MOST for bound in bounds)
    return Instruction(Operation.VALUE, kind=value, low=least, high=most)


def _by(color: Color | str | None, instruction: Instruction) -> Condition:
    return instruction if color is None else ToMove(color) & instruction


def _check_range(low: float, high: float, what: str) -> None:
    if not low <= high:
        raise UsageError(f"there is no {what} from {low:g} to {high:g}")


@dataclass(frozen=True, slots=True)
class EvaluationBetween(Condition):
    """The position is evaluated from ``low`` to ``high`` pawns, for White; a mate is more than any number of pawns."""

    low: float = -float("inf")
    high: float = float("inf")

    def __post_init__(self) -> None:
        _check_range(self.low, self.high, "evaluation")

    def _plainer(self) -> Condition:
        return _instruction(Value.SCORE, self.low, self.high)


@dataclass(frozen=True, slots=True)
class Judged(Condition):
    """The move is an inaccuracy, a mistake or a blunder; or worse."""

    least: Judgement | str = "blunder"
    color: Color | str | None = None
    """The side that moves; None for either side."""

    def __post_init__(self) -> None:
        self._plainer()

    def _plainer(self) -> Condition:
        least = _JUDGEMENTS.index(self.least) + 1 if self.least in _JUDGEMENTS else self.least
        if isinstance(least, str) or not 1 <= least <= len(_JUDGEMENTS):
            raise UsageError(f"{self.least!r} is not a judgement: {', '.join(_JUDGEMENTS)}")
        return _by(self.color, _instruction(Value.JUDGEMENT, least, len(_JUDGEMENTS), scale=1))


@dataclass(frozen=True, slots=True)
class MissedWin(Condition):
    """The side to move has win chances of 80 % or more, and less than 60 % after its move."""

    color: Color | str | None = None

    def __post_init__(self) -> None:
        self._plainer()

    def _plainer(self) -> Condition:
        return _by(self.color, _instruction(Value.MISSED, 1, 1, scale=1))


@dataclass(frozen=True, slots=True)
class Swing(Condition):
    """The move changes the win chances of White by at least so many points, in either direction."""

    points: float

    def __post_init__(self) -> None:
        if not 0 < self.points <= 100:
            raise UsageError(f"a swing is a number of points of win chances up to 100, not {self.points:g}")

    def _plainer(self) -> Condition:
        return _instruction(Value.LOST, self.points, 100) | _instruction(Value.LOST, -100, -self.points)


@dataclass(frozen=True, slots=True)
class ClockBetween(Condition):
    """The side that moves has so many seconds on its clock, after its move."""

    low: float = 0
    high: float = float("inf")
    color: Color | str | None = None

    def __post_init__(self) -> None:
        _check_range(self.low, self.high, "time on a clock")
        self._plainer()

    def _plainer(self) -> Condition:
        return _by(self.color, _instruction(Value.CLOCK, max(self.low, 0), self.high))


@dataclass(frozen=True, slots=True)
class TimeSpent(Condition):
    """So many seconds are spent on the move."""

    low: float = 0
    high: float = float("inf")
    color: Color | str | None = None

    def __post_init__(self) -> None:
        _check_range(self.low, self.high, "time for a move")
        self._plainer()

    def _plainer(self) -> Condition:
        return _by(self.color, _instruction(Value.TIME, max(self.low, 0), self.high))


# --- the table that programs read ------------------------------------------------------------------------------------


def values_table(values: MoveValues, wanted: Iterable[int]) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """Return the values that a program reads: a row per ``Value``, a member per position, and the ends of the games.

    Rows that are not wanted are not filled. A game has a position more than it has moves.
    """
    from tabiya.evaluations.constants import constant  # noqa: PLC0415 - only for conditions on values

    games = values.games
    ends = values.ends.astype(np.int64) + np.arange(games + 1)
    places = np.arange(len(values.scores)) + values.owners  # of the positions before moves
    table = np.empty((len(Value), len(values.scores) + games), np.int32)
    for row in {*wanted}:
        table[row] = _MISSING
    for row in {*wanted}:
        match Value(row):
            case Value.SCORE:
                table[row, places + 1] = values.scores
                table[row, ends[:-1]] = _starts(values)
            case Value.LOST:
                table[row, places] = _hundredths(values.lost)
            case Value.JUDGEMENT:
                table[row, places] = values.judgements
            case Value.MISSED:
                table[row, places] = _missed(values, constant("won"), constant("not_won"))
            case Value.CLOCK:
                table[row, places] = _hundredths(values.clocks)
            case Value.TIME:
                table[row, places] = _hundredths(values.times)
    return table, ends


def _starts(values: MoveValues) -> NDArray[np.int32]:
    """Return the scores of start positions: the usual one counts only in games whose first move is evaluated."""
    found = np.full(values.games, _MISSING, np.int32)
    filled = np.flatnonzero(np.diff(values.ends))
    known = filled[values.scores[values.ends[filled]] != _MISSING]
    found[known] = values.starts[known]
    return found


def _missed(values: MoveValues, won: float, not_won: float) -> NDArray[np.bool_]:
    black = values.black
    had = np.where(black, 100 - values.chances_before, values.chances_before)
    has = np.where(black, 100 - values.chances, values.chances)
    missed: NDArray[np.bool_] = (had >= won) & (has < not_won)
    return missed


def _hundredths(numbers: NDArray[np.float64]) -> NDArray[np.int64]:
    known = ~np.isnan(numbers)
    found = np.full(len(numbers), _MISSING, np.int64)
    found[known] = np.minimum(np.rint(100 * numbers[known]), _MOST).astype(np.int64)
    return found
