"""Builds a position index from batches of games, in bounded memory."""

from __future__ import annotations

import threading
from collections import deque
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from tabiya.errors import UnsupportedError, UsageError
from tabiya.files.closing import Closing
from tabiya.files.parallel import check_threads, ordered_map
from tabiya.game.view import view_of
from tabiya.positions.index.emit_kernel import emit
from tabiya.positions.index.layout import POSITIONS, VARIATIONS, Table
from tabiya.positions.index.writing import IndexWriter, sorted_ranges
from tabiya.positions.row_spool import KeyPart, RowSpool, Run, grown, key_parts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    from numpy.typing import NDArray

    from tabiya.game import GameBatch
    from tabiya.positions.index.writing import Watch

MOST_RECORDS: Final = (1 << 31) - 1
_ROW: Final = np.dtype([("order", np.uint64), ("load", np.uint64)])
_COUNTERS: Final = 8
_COMPLETE, _CHESS960, _NO_START, _UNPLAYABLE, _TOO_LONG = 0, 2, 4, 5, 7
"""Indices of the counters of ``emit`` that are reported."""
_MOST_ROWS: Final = 1 << 18
"""Maximum number of rows of a range to sort, if the spool has a larger one."""
_TASK_ROWS: Final = 1 << 18
"""Small batches are played together, up to this many rows."""


class IndexCounts(NamedTuple):
    """Statistics of an index."""

    records: int
    """All records examined."""
    games: int
    """Those with rows."""
    rows: int
    """Positions of main lines, each once per game."""
    variation_rows: int
    chess960: int
    """Those of Chess960, whose keys contain the rooks that may castle; see ``chess960_key``."""
    bad_starts: int
    """Games without rows, because their start position is invalid."""
    unplayable: int
    """Games with rows up to an illegal move."""
    too_long: int
    """Games with rows up to ply 32,767."""


class _Emitted(NamedTuple):
    runs: dict[int, list[Run]]
    """By the number of the table."""
    counters: NDArray[np.int64]


class IndexBuilder(Closing):
    """Takes batches of games (``add``) and builds an index of them (``finish``).

    Args:
        first_game: the number of the first record, from 0.
        memory: approximate memory in bytes; further data goes to temporary files.
        threads: number of threads that play games, sort and encode.
        variations: whether to include positions of variations.
        chess960: whether to include games of Chess960; indexes of earlier versions of tabiya lack them.
        folder: the folder for temporary files; that of the system by default.
    """

    def __init__(
        self,
        first_game: int = 0,
        *,
        memory: int = 1 << 29,
        threads: int = 1,
        variations: bool = False,
        chess960: bool = True,
        folder: Path | None = None,
    ) -> None:
        self._chess960 = chess960
        self._next = first_game
        self._first = first_game
        self._threads = check_threads(threads)
        self._counters = np.zeros(_COUNTERS, np.int64)
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="tabiya") if threads > 1 else None
        self._pending: deque[Future[_Emitted]] = deque()
        self._waiting: list[tuple[int, GameBatch]] = []
        self._waiting_rows = 0
        self._buffers = threading.local()
        # A third each for rows in memory, for rows read back, and for rows that are sorted and encoded.
        held = memory // (6 if variations else 3)
        self._spools = {POSITIONS.number: RowSpool(_ROW, memory=held, folder=folder)}
        if variations:
            self._spools[VARIATIONS.number] = RowSpool(_ROW, memory=held, folder=folder)

    def add(self, batch: GameBatch) -> None:
        """Add the next records. All of them are counted, including those without rows."""
        first, self._next = self._next, self._next + len(batch)
        if self._next > MOST_RECORDS:
            raise UnsupportedError(f"an index holds at most {MOST_RECORDS:,} records")
        self._waiting.append((first, batch))
        self._waiting_rows += _most_rows(batch)
        if self._waiting_rows >= _TASK_ROWS:
            self._play()

    def _play(self) -> None:
        """Play the waiting games."""
        games, rows = self._waiting, self._waiting_rows
        self._waiting, self._waiting_rows = [], 0
        if self._pool is None:
            self._take(self._emitted(games, rows))
            return
        self._pending.append(self._pool.submit(self._emitted, games, rows))
        while len(self._pending) > 2 * self._threads:
            self._take(self._pending.popleft().result())

    def _emitted(self, games: list[tuple[int, GameBatch]], most: int) -> _Emitted:
        """Play games, and distribute their rows to buckets while these are in the caches."""
        buffers = {number: self._buffer(number, most) for number in self._spools}
        none, counters = np.empty((0, 2), np.uint64), np.zeros(_COUNTERS, np.int64)
        lines, branches = buffers[POSITIONS.number], buffers.get(VARIATIONS.number, none)
        for first, batch in games:
            count, more = emit(view_of(batch), first, lines, branches, counters, self._chess960)
            lines, branches = lines[count:], branches[more:]
        unused = {POSITIONS.number: len(lines), VARIATIONS.number: len(branches)}
        runs = {
            number: _runs(spool, buffers[number][: len(buffers[number]) - unused[number]])
            for number, spool in self._spools.items()
        }
        return _Emitted(runs, counters)

    def _buffer(self, number: int, rows: int) -> NDArray[np.uint64]:
        """Return memory of this thread for rows of a table."""
        buffers = vars(self._buffers)
        buffers[str(number)] = grown(buffers.get(str(number), np.empty((0, 2), np.uint64)), rows)
        buffer: NDArray[np.uint64] = buffers[str(number)]
        return buffer

    def _take(self, emitted: _Emitted) -> None:
        self._counters += emitted.counters
        for number, runs in emitted.runs.items():
            for run in runs:
                self._spools[number].append(run)

    def finish(
        self,
        positions: Path,
        fences: Path,
        variations: Path | None = None,
        *,
        progress: Callable[[float], None] | None = None,
        watch: Watch | None = None,
    ) -> IndexCounts:
        """Write the files of the index, all or none; existing files of these names are replaced.

        ``progress`` is called with the part that is done, from 0 to 1; ``watch`` is that of ``IndexWriter``. Nothing
        can be added afterwards.
        """
        if variations is None and VARIATIONS.number in self._spools:
            raise UsageError("positions of variations were requested, but there is no file for them")
        self._play()
        while self._pending:
            self._take(self._pending.popleft().result())
        self._buffers = threading.local()
        with IndexWriter(positions, fences, variations, threads=self._threads, watch=watch) as writer:
            for table in (POSITIONS, VARIATIONS)[: len(self._spools)]:
                writer.write(table, self._sorted(table, progress))
            if progress is not None:
                progress(1)
            rows_of = writer.commit()
        self.close()
        counters = self._counters.tolist()
        return IndexCounts(
            self._next - self._first,
            counters[_COMPLETE] + counters[_UNPLAYABLE] + counters[_TOO_LONG],
            rows_of[POSITIONS.holds],
            rows_of.get(VARIATIONS.holds, 0),
            counters[_CHESS960],
            counters[_NO_START],
            counters[_UNPLAYABLE],
            counters[_TOO_LONG],
        )

    def _sorted(self, table: Table, progress: Callable[[float], None] | None) -> Iterator[NDArray[np.uint64]]:
        spool = self._spools[table.number]
        total = sum(spool.count for spool in self._spools.values()) or 1
        done = 0 if table is POSITIONS else self._spools[POSITIONS.number].count
        threads = spool.readers(self._threads)
        parts = key_parts(spool, threads=threads)
        for part, stretches in zip(parts, ordered_map(_sorted_part, parts, threads, ahead=1), strict=True):
            yield from stretches
            part.release()
            done += part.rows
            if progress is not None:
                progress(done / total)

    def close(self) -> None:
        """Discard everything that is not written. May be called twice."""
        if self._pool is not None:
            self._pool.shutdown(wait=True, cancel_futures=True)
        self._pending.clear()
        self._waiting, self._buffers = [], threading.local()
        for spool in self._spools.values():
            spool.close()


def _most_rows(batch: GameBatch) -> int:
    """Return the maximum number of rows of a table for a batch."""
    ends = batch.record_batch["moves"].offsets
    return len(batch) + int(ends[-1].as_py() - ends[0].as_py())


def _runs(spool: RowSpool, rows: NDArray[np.uint64]) -> list[Run]:
    return [spool.run_of(rows[begin : begin + spool.run_rows]) for begin in range(0, len(rows), spool.run_rows)]


def _sorted_part(part: KeyPart) -> Iterable[NDArray[np.uint64]]:
    """Return the rows of a part in order: at once, or range by range if they are too many."""
    loaded = part.load()
    if loaded is not None:
        ((words, places, _),) = loaded
        return [sorted_ranges(words, places)]
    ((pieces,),) = part.ranges()
    return (sorted_ranges(rows.view(np.uint64).reshape(-1, 2)) for rows in _cut_by_keys(pieces))


def _cut_by_keys(pieces: Iterable[NDArray[Any]]) -> Iterator[NDArray[Any]]:
    """Yield the rows of a range that is too large for memory, by smaller ranges of keys.

    It contains a position that very many games have. Repeated halving soon makes that a separate range, and the others
    are small. All rows are read again for each cut.
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
    """Yield the rows of a key, which are in the order of games, without repeated games."""
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
