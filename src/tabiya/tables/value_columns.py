"""Columns computed from the evaluations of games: accuracy, losses, judgements, phases."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pyarrow as pa

from tabiya.evaluations import Judgement, MoveValues, Phase, side_sums

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tabiya.evaluations import SideSums
    from tabiya.game import GameBatch

SIDES: Final = {"white": 0, "black": 1}
_WORDS: Final = pa.dictionary(pa.int8(), pa.string())
_JUDGEMENTS: Final = pa.array([each.name.lower() for each in Judgement])
_PHASES: Final = pa.array([each.name.lower() for each in Phase])

GAME_VALUES: Final = {
    "accuracy": (pa.float64(), "accuracy from 0 to 100"),
    "centipawn_loss": (pa.float64(), "average centipawn loss"),
    "inaccuracies": (pa.int32(), "number of inaccuracies"),
    "mistakes": (pa.int32(), "number of mistakes"),
    "blunders": (pa.int32(), "number of blunders"),
}
"""Values of each side of a game, with their types; null without evaluated moves."""

MOVE_VALUES: Final = {
    "accuracy": (pa.float64(), "accuracy of the move from 0 to 100"),
    "lost": (pa.float64(), "points of win chances that the move loses"),
    "chances": (pa.float64(), "White's chances to win after the move, in percent"),
    "judgement": (_WORDS, "`inaccuracy`, `mistake` or `blunder`; null for all other moves"),
    "phase": (_WORDS, "phase of the game before the move: `opening`, `middlegame`, `endgame`"),
}
"""Values of a move, with their types; null where it is not evaluated, except the phase."""


class ValueColumns:
    """The values of a batch as columns of a table."""

    def __init__(self, batch: GameBatch) -> None:
        self._values = MoveValues(batch)

    @cached_property
    def _sums(self) -> SideSums:
        return side_sums(self._values)

    def of_games(self, side: int, name: str) -> pa.Array:
        """Return a value of one side of each game."""
        if name == "accuracy":
            return _known(self._values.game_accuracies[:, side])
        sums = self._sums
        if name == "centipawn_loss":
            return _known(sums.mean_loss[:, side, 0])
        judged = sums.judged[:, side, 0, list(GAME_VALUES).index(name) - 1]
        return pa.array(judged.astype(np.int32), mask=sums.moves[:, side, 0] == 0)

    def of_moves(self, name: str, owners: NDArray[np.int64], plies: NDArray[np.int32]) -> pa.Array:
        """Return a value of the moves that lead to positions, given as games and plies; null for start positions."""
        values = self._values
        places = np.where(plies > 0, values.ends[owners] + plies - 1, -1)
        nulls = places < 0
        if name in ("judgement", "phase"):
            found: NDArray[Any] = values.judgements if name == "judgement" else values.phases
            chosen = found[places] if len(found) else np.zeros(len(places), np.int8)
            words, missing = (_JUDGEMENTS, chosen == 0) if name == "judgement" else (_PHASES, nulls)
            indices = pa.array(chosen.astype(np.int8), mask=nulls | missing)
            return pa.DictionaryArray.from_arrays(indices, words)
        numbers = {"accuracy": values.accuracies, "lost": values.lost, "chances": values.chances}[name]
        chosen = numbers[places] if len(numbers) else np.full(len(places), np.nan)
        return _known(np.where(nulls, np.nan, chosen))


def _known(numbers: NDArray[np.float64]) -> pa.Array:
    """Return numbers as a column with null for NaN."""
    return pa.array(numbers, mask=np.isnan(numbers))
