"""Plays the games of a database in threads and returns rows: one per position, with the move and the result."""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pyarrow.compute as pc

from tabiya.files.parallel import ordered_map
from tabiya.game import GameBatch
from tabiya.game.view import view_of
from tabiya.game.where import chosen_of
from tabiya.positions.rows_kernel import collect_rows

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    import pyarrow as pa
    from numpy.typing import NDArray

    from tabiya.game.where import Where

    TakeMoves = Callable[[NDArray[np.uint16], pa.Array], None]
    """Receives the moves of the games of a batch, in the form of ``collect_rows``, and their start FENs or null."""

NO_MOVE: Final = 0x7FFF
"""After the last move of a game."""

_ROW: Final = (("key", np.uint64), ("what", np.uint64), ("following", np.uint64), ("ratings", np.uint64))
"""The fields of a row; see ``collect_rows``."""

_LEFT_OUT: Final = ("chess960", "setups", "starts", "unplayable")
"""By counter of the kernel, from 2 on."""
_COUNTERS: Final = 6


class Mode(IntEnum):
    """How a row identifies its position."""

    KEY = 0
    """Polyglot's key."""
    LINE = 1
    """By the moves that lead there from the start position."""
    FRAME = 2
    """By the position in its frame: White to move, mirrored if necessary; see ``frame.pxd``."""

    @property
    def row(self) -> np.dtype[Any]:
        """The type of a row."""
        return np.dtype(list(_ROW[: self + 2]))


class RowSource:
    """Turns batches of games into rows, in order, with several threads.

    For rows by frame, ``take_moves`` is called with the moves of all games, from which positions can be replayed.
    """

    def __init__(
        self, mode: Mode, max_ply: int, *, where: Where | None = None, take_moves: TakeMoves | None = None
    ) -> None:
        self._mode = mode
        self._max_ply = max_ply
        self._where = where
        self._take_moves = take_moves
        self._counters = np.zeros(_COUNTERS, np.int64)
        self.records = 0
        """Number of records played or skipped so far."""
        self.rows = 0

    @property
    def games(self) -> int:
        """Number of games with rows."""
        return int(self._counters[0] + self._counters[-1])

    @property
    def left_out(self) -> dict[str, int]:
        """Number of games without some or all of their rows, by reason.

        ``chess960``, ``setups`` (not from the usual start, if rows are by line), ``starts`` (invalid start position)
        and ``unplayable`` (rows up to an illegal move).
        """
        return dict(zip(_LEFT_OUT, self._counters[2:].tolist(), strict=True))

    def batches(self, games: Iterable[GameBatch], threads: int) -> Iterator[NDArray[Any]]:
        """Yield the rows of all games."""
        for rows, counters, tapes, starts in ordered_map(self._collect, self._numbered(games), threads):
            self._counters += counters
            self.rows += len(rows)
            if self._take_moves is not None:
                self._take_moves(tapes, starts)
            yield rows

    def _numbered(self, games: Iterable[GameBatch]) -> Iterator[tuple[int, GameBatch]]:
        for batch in games:
            chosen = _chosen(batch, self._where)
            yield self.records, chosen
            self.records += len(chosen)

    def _collect(
        self, item: tuple[int, GameBatch]
    ) -> tuple[NDArray[Any], NDArray[np.int64], NDArray[np.uint16], pa.Array]:
        first, batch = item
        row = self._mode.row
        rows = np.empty(len(batch) + len(batch.record_batch["moves"].flatten()), row)
        tapes = np.zeros((len(batch), self._max_ply) if self._mode is Mode.FRAME else (0, 0), np.uint16)
        counters = np.zeros(_COUNTERS, np.int64)
        words = rows.view(np.uint64).reshape(len(rows), row.itemsize // 8)
        count = collect_rows(view_of(batch), self._mode, self._max_ply, first, words, tapes, counters)
        return rows[:count], counters, tapes, batch.record_batch["start"]


def _chosen(batch: GameBatch, where: Where | None) -> GameBatch:
    """Return the records to take: those that are not marked as deleted and match ``where``."""
    if batch.record_batch["deleted"].true_count:
        batch = chosen_of(batch, lambda records: pc.invert(records["deleted"]))
    return batch if where is None else chosen_of(batch, where)
