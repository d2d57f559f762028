"""Judgements of moves: inaccuracies, mistakes and blunders."""

from __future__ import annotations

from dataclasses import dataclass, fields
from enum import IntEnum
from typing import TYPE_CHECKING, Final

import numpy as np

from tabiya.errors import UsageError, shortened
from tabiya.evaluations.constants import constant
from tabiya.evaluations.formulas import chances_lost, uncapped_chances
from tabiya.evaluations.scores import MATES, UNKNOWN, score_of

if TYPE_CHECKING:
    from typing import Self

    from numpy.typing import ArrayLike, NDArray

    from tabiya.game.annotations import Evaluation


class Judgement(IntEnum):
    """What an evaluation says about a move; greater is worse."""

    NONE = 0
    INACCURACY = 1
    MISTAKE = 2
    BLUNDER = 3

    @property
    def nag(self) -> int | None:
        """The NAG for such a move: $6 (?!), $2 (?), $4 (??)."""
        return _NAGS[self]


_NAGS: Final = {Judgement.NONE: None, Judgement.INACCURACY: 6, Judgement.MISTAKE: 2, Judgement.BLUNDER: 4}


@dataclass(frozen=True, slots=True)
class Thresholds:
    """Points of win chances that a move must lose to be judged; those of Lichess by default."""

    inaccuracy: float = constant("inaccuracy")
    mistake: float = constant("mistake")
    blunder: float = constant("blunder")

    @classmethod
    def parse(cls, text: str) -> Self:
        """Return the thresholds of a text such as ``5,10,15``; the usual ones for those left out at its end.

        Raises:
            UsageError: The text is something else.
        """
        try:
            numbers = [float(part) for part in text.split(",")]
        except ValueError:
            numbers = []
        if not 1 <= len(numbers) <= len(fields(cls)):
            raise UsageError(
                f"thresholds are up to three numbers separated by commas, such as 5,10,15, not {shortened(repr(text))}"
            )
        return cls(*numbers)

    def __post_init__(self) -> None:
        if not 0 < self.inaccuracy <= self.mistake <= self.blunder <= 100:
            raise UsageError(
                "thresholds are points of win chances from 0 to 100, in ascending order: inaccuracy, mistake, blunder; "
                f"not {self.inaccuracy:g}, {self.mistake:g}, {self.blunder:g}"
            )


LICHESS: Final = Thresholds()


def judgements(
    before: ArrayLike, after: ArrayLike, black: ArrayLike, thresholds: Thresholds = LICHESS
) -> NDArray[np.int8]:
    """Return the ``Judgement`` of moves, given the scores before and after them; NONE where one is unknown.

    Between evaluations in centipawns the points of win chances lost decide. A mate that the opponent can now force, or
    that the mover could force and has lost, is a blunder, unless the game was decided before, or still is.
    """
    first, second = np.asarray(before, np.int64), np.asarray(after, np.int64)
    side = np.asarray(black, np.bool_)
    known = (first != UNKNOWN) & (second != UNKNOWN)
    had, has = np.where(side, -first, first), np.where(side, -second, second)
    plain = (np.abs(had) < MATES) & (np.abs(has) < MATES)
    lost = chances_lost(uncapped_chances(first), uncapped_chances(second), side)
    found = np.zeros(np.broadcast(first, second, side).shape, np.int8)
    for judged, least in zip(_JUDGED, (thresholds.inaccuracy, thresholds.mistake, thresholds.blunder), strict=True):
        found[known & plain & (np.nan_to_num(lost, nan=-1.0) >= least)] = judged
    created = known & (has <= -MATES) & (np.abs(had) < MATES)
    lost_mate = known & (had >= MATES) & (has < MATES)
    # What remains: of the mover before a mate was created, or after one was lost.
    remains = np.where(created, -had, np.where(has <= -MATES, 0, has))
    softened = np.where(remains > constant("mate_softened"), int(Judgement.MISTAKE), int(Judgement.BLUNDER))
    softened = np.where(remains > constant("mate_harmless"), int(Judgement.INACCURACY), softened)
    return np.where(created | lost_mate, softened, found).astype(np.int8)


_JUDGED: Final = (Judgement.INACCURACY, Judgement.MISTAKE, Judgement.BLUNDER)


def judgement(before: Evaluation, after: Evaluation, *, black: bool, thresholds: Thresholds = LICHESS) -> Judgement:
    """Return the judgement of a single move of White, or of Black; ``judgements`` is the same for many."""
    scores = score_of(before, black_moved=not black), score_of(after, black_moved=black)
    return Judgement(int(judgements(*scores, black, thresholds)))
