"""Rows for a book: the games of a database, played in threads, as Arrow batches."""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pyarrow.compute as pc

from tabiya.books.build.rows_kernel import collect_rows
from tabiya.books.writer import lost
from tabiya.formats.losses import LossReport
from tabiya.formats.parallel import ordered_map
from tabiya.game import GameBatch
from tabiya.game.view import view_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    import pyarrow as pa
    from numpy.typing import NDArray

    from tabiya.books.build.tapes import Tapes
    from tabiya.formats.conversion import Where

__all__ = ["NO_MOVE", "Mode", "RowSource"]

NO_MOVE: Final = 0x7FFF
"""Behind the last move of a game."""

_ROW: Final = (("key", np.uint64), ("what", np.uint64), ("following", np.uint64), ("ratings", np.uint64))
"""What a row is made of; see ``collect_rows``."""

_LOSSES: Final = (
    ("chess960", "games of Chess960, which has no books"),
    ("setups", "games that do not begin with the usual position"),
    ("starts", "games whose start position makes no sense"),
    ("unplayable", "games that were taken only up to a move that cannot be played"),
)
"""By counter of the kernel, from 2 on."""
_COUNTERS: Final = 6


class Mode(IntEnum):
    """What a place of a book is known by."""

    KEY = 0
    """Polyglot's key."""
    LINE = 1
    """The moves that lead there from the start position."""
    FRAME = 2
    """The position as CTG sees it."""

    @property
    def row(self) -> np.dtype[Any]:
        """What a row is made of."""
        return np.dtype(list(_ROW[: self + 2]))


class RowSource:
    """Turns batches of games into rows, in order, with several threads at work.

    ``tapes``, for rows by frame, takes the moves of all games: from there the positions that end up in the book are
    played again.
    """

    def __init__(self, mode: Mode, max_ply: int, *, where: Where | None = None, tapes: Tapes | None = None) -> None:
        self._mode = mode
        self._max_ply = max_ply
        self._where = where
        self._tapes = tapes
        self._counters = np.zeros(_COUNTERS, np.int64)
        self.records = 0
        """Records that were played or passed over, so far."""
        self.rows = 0

    @property
    def games(self) -> int:
        """How many games have rows."""
        return int(self._counters[0] + self._counters[-1])

    @property
    def losses(self) -> LossReport:
        """Games that were left out, and why."""
        counts = zip(_LOSSES, self._counters[2:].tolist(), strict=True)
        return LossReport.of(lost(what, text, count) for (what, text), count in counts if count)

    def batches(self, games: Iterable[GameBatch], threads: int) -> Iterator[NDArray[Any]]:
        """The rows of all games."""
        for rows, counters, tapes, starts in ordered_map(self._collect, self._numbered(games), threads):
            self._counters += counters
            self.rows += len(rows)
            if self._tapes is not None:
                self._tapes.add(tapes, starts)
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


def _chosen(batch: GameBatch, where: Callable[[pa.RecordBatch], pa.BooleanArray] | Any | None) -> GameBatch:
    """The records to take: none that are marked as deleted, and those that ``where`` lets through."""
    records = batch.record_batch
    if records["deleted"].true_count:
        records = records.filter(pc.invert(records["deleted"]))
    if where is not None:
        records = records.filter(where if isinstance(where, pc.Expression) else where(records))
    return batch if records is batch.record_batch else GameBatch(records)
