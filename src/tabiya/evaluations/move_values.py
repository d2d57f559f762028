"""The evaluations and clocks of all moves of a batch as columns, and what follows from them, move by move.

One pass of a kernel collects them; everything else is computed on whole columns when it is first used.
"""

from __future__ import annotations

import re
from enum import IntEnum
from functools import cached_property
from typing import TYPE_CHECKING, Final

import numpy as np
import pyarrow.compute as pc

from tabiya.evaluations.constants import constant
from tabiya.evaluations.formulas import centipawn_losses, chances_lost, game_accuracies, move_accuracies, win_chances
from tabiya.evaluations.judging import LICHESS, Thresholds, judgements
from tabiya.evaluations.scores import UNKNOWN
from tabiya.evaluations.values_kernel import collect_values
from tabiya.game import GameBatch
from tabiya.game.tag_texts import tag_texts
from tabiya.game.view import view_of

if TYPE_CHECKING:
    from typing import Self

    from numpy.typing import NDArray

    from tabiya.game import Game

_LIMITS: Final = ("middlegame_pieces", "endgame_pieces", "back_rank_pieces", "mixed_pieces")
_INCREMENT: Final = re.compile(r"\*?(?:[0-9]{1,4}/)?[0-9]{1,8}(?:\+([0-9]{1,6}))?(?::.*)?")
_LAG: Final = 1.0
"""Seconds by which a clock may seem to gain time: servers compensate for slow connections."""


class Phase(IntEnum):
    """The phase of a game."""

    OPENING = 0
    MIDDLEGAME = 1
    ENDGAME = 2


class MoveValues:
    """The values of the moves of the main lines of a batch. All columns have a member per move, unless noted.

    Values of moves are those of their annotations; where a move has no evaluation, that of the game's profile counts.
    """

    ends: NDArray[np.int32]
    """The end of the moves of each record, after a 0."""
    starts: NDArray[np.int32]
    """The score of each start position."""
    black_begins: NDArray[np.bool_]
    """Whether Black makes the first move, per record."""
    scores: NDArray[np.int32]
    """The score after each move; ``UNKNOWN`` if there is none."""
    clocks: NDArray[np.float64]
    """Seconds on the clock of the side that moved, after its move; NaN if unknown."""

    def __init__(self, batch: GameBatch, thresholds: Thresholds = LICHESS) -> None:
        """Collect the values of a batch.

        Raises:
            CorruptError: The columns of the batch are inconsistent.
        """
        self._batch = batch
        self.thresholds = thresholds
        self._collect(phases=False)

    @classmethod
    def of_game(cls, game: Game, thresholds: Thresholds = LICHESS) -> Self:
        """Return the values of a single game."""
        return cls(GameBatch.from_games([game]), thresholds)

    def _collect(self, *, phases: bool) -> NDArray[np.uint8]:
        records = self._batch.record_batch
        offsets = records["moves"].offsets
        tokens = offsets[-1].as_py() - offsets[0].as_py() if len(records) else 0
        ends, starts = np.zeros(len(records) + 1, np.int32), np.empty(len(records), np.int32)
        black = np.empty(len(records), np.uint8)
        scores, clocks, times, plies = (np.empty(tokens, np.int32) for _ in range(4))
        found = np.empty(tokens if phases else 0, np.uint8)
        limits = np.array([constant(name) for name in _LIMITS], np.int32)
        moves = collect_values(view_of(self._batch), limits, ends, starts, black, scores, clocks, times, found, plies)
        if phases:
            return found[:moves]
        usual = records["start"].is_null().to_numpy(zero_copy_only=False) & (starts == UNKNOWN)
        starts[usual] = int(constant("start_centipawns"))
        self.ends, self.starts, self.black_begins = ends, starts, black.view(np.bool_)
        self.scores = scores[:moves]
        self.clocks = np.where(clocks[:moves] < 0, np.nan, clocks[:moves] / 100.0)
        self._stored_times = times[:moves]
        return found

    # Where a move is.

    @property
    def games(self) -> int:
        """Number of records."""
        return len(self.ends) - 1

    @cached_property
    def owners(self) -> NDArray[np.int64]:
        """The record of each move."""
        return np.repeat(np.arange(self.games), np.diff(self.ends))

    @cached_property
    def plies(self) -> NDArray[np.int32]:
        """The number of half-moves before each move in its game."""
        return np.arange(len(self.scores), dtype=np.int32) - self.ends[self.owners]

    @cached_property
    def black(self) -> NDArray[np.bool_]:
        """Whether Black makes the move."""
        moved: NDArray[np.bool_] = (self.plies % 2 == 1) != self.black_begins[self.owners]
        return moved

    @cached_property
    def phases(self) -> NDArray[np.uint8]:
        """The ``Phase`` of the position before each move; this plays all moves."""
        return self._collect(phases=True)

    # What evaluations say.

    @cached_property
    def before(self) -> NDArray[np.int32]:
        """The score before each move."""
        before = np.empty_like(self.scores)
        before[1:] = self.scores[:-1]
        filled = np.diff(self.ends) > 0
        before[self.ends[:-1][filled]] = self.starts[filled]
        return before

    @cached_property
    def chances_before(self) -> NDArray[np.float64]:
        """White's chances to win before each move, in percent; NaN if unknown."""
        return win_chances(self.before)

    @cached_property
    def chances(self) -> NDArray[np.float64]:
        """White's chances to win after each move, in percent; NaN if unknown."""
        return win_chances(self.scores)

    @cached_property
    def lost(self) -> NDArray[np.float64]:
        """Points of win chances that each move has lost; below 0 if it gained, NaN if unknown."""
        return chances_lost(self.chances_before, self.chances, self.black)

    @cached_property
    def centipawns_lost(self) -> NDArray[np.float64]:
        """Centipawns that each move has lost, at least 0; NaN if unknown."""
        return centipawn_losses(self.before, self.scores, self.black)

    @cached_property
    def accuracies(self) -> NDArray[np.float64]:
        """The accuracy of each move, from 0 to 100; NaN if unknown."""
        return move_accuracies(self.lost)

    @cached_property
    def judgements(self) -> NDArray[np.int8]:
        """The ``Judgement`` of each move."""
        return judgements(self.before, self.scores, self.black, self.thresholds)

    @cached_property
    def game_accuracies(self) -> NDArray[np.float64]:
        """The accuracy of White and of Black, as two columns with a row per record; NaN if unknown."""
        begins = (self.ends + np.arange(self.games + 1)).astype(np.int64)
        chances = np.empty(len(self.scores) + self.games, np.float64)
        chances[begins[:-1]] = win_chances(self.starts)
        chances[np.arange(len(self.scores)) + self.owners + 1] = self.chances
        return game_accuracies(chances, begins, self.black_begins)

    # What clocks say.

    @cached_property
    def times(self) -> NDArray[np.float64]:
        """Seconds spent on each move; NaN if unknown.

        Without a stored time it is the difference of two clocks of a side plus the increment, from the second move on.
        """
        stored = np.where(self._stored_times < 0, np.nan, self._stored_times)
        same = np.zeros(len(self.scores), np.bool_)
        same[2:] = self.owners[2:] == self.owners[:-2]
        earlier = np.full(len(self.scores), np.nan)
        earlier[2:] = self.clocks[:-2]
        spent = np.where(same, earlier, np.nan) - self.clocks + self._increments[self.owners]
        spent = np.where(spent < -_LAG, np.nan, np.maximum(spent, 0))
        return np.where(np.isnan(stored), spent, stored)

    @cached_property
    def _increments(self) -> NDArray[np.float64]:
        """Return the increment per move in seconds of each record, from its tag TimeControl."""
        if not len(self.scores) or np.isnan(self.clocks).all():
            return np.zeros(self.games)
        encoded = pc.fill_null(tag_texts(self._batch.record_batch, "TimeControl"), "").dictionary_encode()
        values: NDArray[np.float64] = np.array(
            [_increment(text) for text in encoded.dictionary.to_pylist()], np.float64
        )
        increments: NDArray[np.float64] = values[encoded.indices.to_numpy()]
        return increments


def _increment(control: str) -> float:
    """Return the increment of a time control such as ``300+3``; 0 if it has none."""
    found = _INCREMENT.fullmatch(control.strip())
    return float(found[1] or 0) if found else 0.0
