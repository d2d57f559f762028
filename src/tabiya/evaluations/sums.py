"""Sums over the evaluated moves of each game and side, as arrays, for reports, tables and views of players.

No object per move or game: each sum is one pass over the columns of :class:`MoveValues`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from tabiya.evaluations.judging import Judgement
from tabiya.evaluations.move_values import Phase

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tabiya.evaluations.move_values import MoveValues

SIDES: Final = ("white", "black")
_PHASES: Final = len(Phase)
_JUDGEMENTS: Final = len(Judgement)


@dataclass(frozen=True, slots=True)
class SideSums:
    """Sums by game, side (0 White, 1 Black) and phase; all phases are one if the moves were not played."""

    moves: NDArray[np.int64]
    """Number of evaluated moves."""
    accuracy: NDArray[np.float64]
    """Sum of their accuracies."""
    centipawns_lost: NDArray[np.float64]
    """Sum of the centipawns they lost."""
    judged: NDArray[np.int64]
    """Number of moves, with a fourth axis by ``Judgement``."""

    def totals(self) -> SideSums:
        """Return the sums over all phases, which have one member left."""
        return SideSums(*(sums.sum(axis=2, keepdims=True) for sums in self.columns()))

    def columns(self) -> tuple[NDArray[Any], ...]:
        """Return the arrays, in the order of their definition."""
        return self.moves, self.accuracy, self.centipawns_lost, self.judged

    @property
    def mean_accuracy(self) -> NDArray[np.float64]:
        """The mean of the accuracies of moves; NaN without moves."""
        return _mean(self.accuracy, self.moves)

    @property
    def mean_loss(self) -> NDArray[np.float64]:
        """The average centipawn loss; NaN without moves."""
        return _mean(self.centipawns_lost, self.moves)


def _mean(sums: NDArray[np.float64], counts: NDArray[np.int64]) -> NDArray[np.float64]:
    with np.errstate(divide="ignore", invalid="ignore"):
        found: NDArray[np.float64] = np.where(counts > 0, sums / counts, np.nan)
    return found


def side_sums(values: MoveValues, *, phases: bool = False) -> SideSums:
    """Return the sums of a batch; with ``phases`` its moves are played."""
    count = _PHASES if phases else 1
    shape = (values.games, 2, count)
    known = np.flatnonzero(~np.isnan(values.lost))
    group = (2 * values.owners[known] + values.black[known]) * count
    if phases:
        group = group + values.phases[known]
    size = values.games * 2 * count

    def total(members: NDArray[Any]) -> NDArray[Any]:
        return np.bincount(group, members, minlength=size).reshape(shape)

    judged = np.bincount(group * _JUDGEMENTS + values.judgements[known], minlength=size * _JUDGEMENTS)
    return SideSums(
        np.bincount(group, minlength=size).reshape(shape),
        total(values.accuracies[known]),
        total(values.centipawns_lost[known]),
        judged.reshape(*shape, _JUDGEMENTS),
    )
