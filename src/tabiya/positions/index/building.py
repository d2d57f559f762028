"""Builds a position index from batches of games, in bounded memory."""

from __future__ import annotations

from collections import deque
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from tabiya.errors import UnsupportedError
from tabiya.files.parallel import check_threads, ordered_map
from tabiya.game.view import view_of
from tabiya.positions.index.emit_kernel import emit
from tabiya.positions.index.layout import POSITIONS, VARIATIONS, Table
from tabiya.positions.index.writing import IndexWriter, sorted_rows
from tabiya.positions.row_spool import RowSpool, key_ranges

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path
    from typing import Self

    from numpy.typing import NDArray

    from tabiya.game import GameBatch

__all__ = ["IndexBuilder", "IndexCounts"]

MOST_RECORDS: Final = (1 << 31) - 1
_ROW: Final = np.dtype([("order", np.uint64), ("load", np.uint64)])
_COUNTERS: Final = 8
_WHOLE, _CHESS960, _NO_START, _UNPLAYABLE, _TOO_LONG = 0, 2, 4, 5, 7
"""Places of the counters of ``emit`` that are told."""
_MOST_ROWS: Final = 1 << 18
"""Of a range that is sorted, where the spool has a larger one."""


class IndexCounts(NamedTuple):
    """What an index is made of."""

    records: int
    """All that were looked at."""
    games: int
    """Those with rows."""
    rows: int
    """Positions of main lines: every one that a game has, once."""
    variation_rows: int
    chess960: int
    """Games without rows, because their positions are not told by a key alone."""
    bad_starts: int
    """Games without rows, because they begin with no position."""
    unplayable: int
    """Games with rows up to a move that is not legal."""
    too_long: int
    """Games with rows up to ply 32,767."""


class _Emitted(NamedTuple):
    rows: NDArray[np.uint64]
    variations: NDArray[np.uint64]
    counters: NDArray[np.int64]


class IndexBuilder:
    """Takes batches of games (``add``) and makes an index of them (``finish``).

    Args:
        first_game: the number of the first record, from 0.
        memory: how many bytes may be held, about; the rest goes to a temporary file.
        threads: how many threads play games, sort and encode.
        variations: whether positions of variations are wanted, too.
        folder: where the temporary file goes; that for temporary files by default.
    """

    def __init__(
        self,
        first_game: int = 0,
        *,
        memory: int = 1 << 29,
        threads: int = 1,
        variations: bool = False,
        folder: Path | None = None,
    ) -> None:
        self._next = first_game
        self._first = first_game
        self._threads = check_threads(threads)
        self._counters = np.zeros(_COUNTERS, np.int64)
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="tabiya") if threads > 1 else None
        self._pending: deque[Future[_Emitted]] = deque()
        # A third each for rows that are held, those that are read again, and those that are sorted and encoded.
        held = memory // (6 if variations else 3)
        self._spools = {POSITIONS.number: RowSpool(_ROW, memory=held, folder=folder)}
        if variations:
            self._spools[VARIATIONS.number] = RowSpool(_ROW, memory=held, folder=folder)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def add(self, batch: GameBatch) -> None:
        """Take the next records. All of them count, those without rows as well."""
        first, self._next = self._next, self._next + len(batch)
        if self._next > MOST_RECORDS:
            raise UnsupportedError(f"an index holds at most {MOST_RECORDS:,} records")
        if self._pool is None:
            self._take(self._emitted(first, batch))
            return
        self._pending.append(self._pool.submit(self._emitted, first, batch))
        while len(self._pending) > 2 * self._threads:
            self._take(self._pending.popleft().result())

    def _emitted(self, first: int, batch: GameBatch) -> _Emitted:
        moves = batch.record_batch["moves"]
        tokens = moves.offsets[-1].as_py() - moves.offsets[0].as_py() if len(batch) else 0
        rows = np.empty((tokens + len(batch), 2), np.uint64)
        variations = np.empty((tokens if VARIATIONS.number in self._spools else 0, 2), np.uint64)
        counters = np.zeros(_COUNTERS, np.int64)
        count, branches = emit(view_of(batch), first, rows, variations, counters)
        return _Emitted(rows[:count], variations[:branches], counters)

    def _take(self, emitted: _Emitted) -> None:
        self._counters += emitted.counters
        self._spools[POSITIONS.number].add(emitted.rows)
        if VARIATIONS.number in self._spools:
            self._spools[VARIATIONS.number].add(emitted.variations)

    def finish(
        self,
        positions: Path,
        fences: Path,
        variations: Path | None = None,
        *,
        progress: Callable[[float], None] | None = None,
    ) -> IndexCounts:
        """Write the files of the index, whole or not at all; files of these names are replaced.

        ``progress`` is called with the part that is done, from 0 to 1. Nothing can be added afterwards.
        """
        while self._pending:
            self._take(self._pending.popleft().result())
        with IndexWriter(positions, fences, variations, threads=self._threads) as writer:
            for table in (POSITIONS, VARIATIONS)[: len(self._spools)]:
                writer.write(table, ordered_map(sorted_rows, self._ranges(table, progress), self._threads))
            if progress is not None:
                progress(1)
            rows_of = writer.commit()
        self.close()
        counters = self._counters.tolist()
        return IndexCounts(
            self._next - self._first,
            counters[_WHOLE] + counters[_UNPLAYABLE] + counters[_TOO_LONG],
            rows_of[POSITIONS.holds],
            rows_of.get(VARIATIONS.holds, 0),
            counters[_CHESS960],
            counters[_NO_START],
            counters[_UNPLAYABLE],
            counters[_TOO_LONG],
        )

    def _ranges(self, table: Table, progress: Callable[[float], None] | None) -> Iterator[NDArray[np.uint64]]:
        spool = self._spools[table.number]
        total = sum(spool.count for spool in self._spools.values()) or 1
        done = 0 if table is POSITIONS else self._spools[POSITIONS.number].count
        for (pieces,) in key_ranges(spool):
            for rows in pieces if isinstance(pieces, list) else _cut_by_keys(pieces):
                yield rows.view(np.uint64).reshape(-1, 2)
                done += len(rows)
                if progress is not None:
                    progress(done / total)

    def close(self) -> None:
        """Forget everything that is not written. May be called twice."""
        if self._pool is not None:
            self._pool.shutdown(wait=True, cancel_futures=True)
        self._pending.clear()
        for spool in self._spools.values():
            spool.close()


def _cut_by_keys(pieces: Iterable[NDArray[Any]]) -> Iterator[NDArray[Any]]:
    """Yield the rows of a range that is too large to be in memory, by smaller ranges of keys.

    There is a position in it that very many games have. Cut at the middle again and again, it is a range of its own
    soon, and the others are small. All rows are read anew for each cut.
    """
    waiting = [(0, (1 << 64) - 1)]
    while waiting:
        least, most = waiting.pop()
        if least == most:
            yield from _of_one_key(pieces, least)
            continue
        found: list[NDArray[Any]] = []
        for part in _between(pieces, least, most):
            found.append(part)
            if sum(map(len, found)) > _MOST_ROWS:
                keys = np.concatenate([part["order"] for part in found])
                middle = int(np.partition(keys, len(keys) // 2)[len(keys) // 2])
                ranges = ((middle + 1, most), (middle, middle), (least, middle - 1))
                waiting += [(first, last) for first, last in ranges if first <= last]
                break
        else:
            yield from found and [np.concatenate(found)]


def _of_one_key(pieces: Iterable[NDArray[Any]], key: int) -> Iterator[NDArray[Any]]:
    """Yield the rows of a key, which are in the order of games, of each game in one piece only."""
    last = -1
    for part in _between(pieces, key, key):
        games = (part["load"] >> np.uint64(32)).astype(np.int64)
        yield part[games > last]
        last = int(games[-1])


def _between(pieces: Iterable[NDArray[Any]], least: int, most: int) -> Iterator[NDArray[Any]]:
    for piece in pieces:
        part = piece[(np.uint64(least) <= piece["order"]) & (piece["order"] <= np.uint64(most))]
        if len(part):
            yield part
