"""Any number of rows by ranges of their keys, in bounded memory: for adding up, sorting and joining.

A row is a fixed number of 64-bit words that begin with a key. Some megabytes of rows at a time are dealt out to 2,048
buckets by the high bits of the key, and make a *run*. Runs are held until the memory for them is full; then they go to
a temporary file, and so do all that follow. ``key_ranges`` puts the buckets together again from all runs: as many at a
time as suit the caches of a processor, one range behind the other. All rows of a key are in one range, and come in the
order in which they were added; so what a range gives does not depend on memory, on runs, or on where ranges are cut.
Several spools by the same key are cut at the same places, and can be joined range by range.

What does not fit is written once and read once, both in long stretches. Keys should be spread evenly, as hashes are. A
bucket that is too large all the same, because a key has very many rows, comes piece by piece from the file.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

import numpy as np

from tabiya.files.scratch import ScratchFile
from tabiya.positions.row_spool_kernel import scatter

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from numpy.typing import NDArray

    Pieces: TypeAlias = Iterable[NDArray[Any]]
    """Rows one behind the other."""

__all__ = ["RowSpool", "key_ranges"]

_BUCKET_BITS: Final = 11
_BUCKETS: Final = 1 << _BUCKET_BITS
_WORD: Final = 8
_RUN_BYTES: Final = 16 << 20
_RANGE_BYTES: Final = 1 << 20
"""What a range holds if possible: it and what is made of it should stay in the caches."""
_RUN_SHARE: Final = 4
_LOADED_SHARE: Final = 4
_RANGE_SHARE: Final = 64
"""These parts of the memory for the rows are a run that is being made, what is read ahead, and a range, at most."""


class _Run(NamedTuple):
    """Rows in order of their buckets: in memory, or from a place of the file on."""

    rows: NDArray[np.uint64] | None
    begin: int
    ends: NDArray[np.int32]


class RowSpool:
    """Takes rows, structured arrays that begin with a ``uint64``, in any number; ``key_ranges`` gives them back.

    Args:
        row: what a row is made of; its size is a multiple of eight bytes.
        memory: how many bytes may be held, about.
        bits: keys are smaller than ``1 << bits``.
        folder: where the temporary file goes; that for temporary files by default.
    """

    def __init__(self, row: np.dtype[Any], *, memory: int, bits: int = 64, folder: Path | None = None) -> None:
        self.row = row
        self.memory = memory
        self._width = row.itemsize // _WORD
        self._shift = max(0, bits - _BUCKET_BITS)
        room = max(1, min(_RUN_BYTES, memory // _RUN_SHARE) // row.itemsize)
        self._waiting = np.empty((room, self._width), np.uint64)  # which takes no memory before it is filled
        self._count = 0
        self._held = 0
        self._spare: NDArray[np.uint64] | None = None
        self.count = 0
        """Rows so far."""
        self._runs: list[_Run] = []
        self._file = ScratchFile(folder)

    def add(self, rows: NDArray[Any]) -> None:
        """Take rows."""
        words = np.ascontiguousarray(rows).view(np.uint64).reshape(-1, self._width)
        self.count += len(words)
        while len(words):
            part = words[: len(self._waiting) - self._count]
            self._waiting[self._count : self._count + len(part)] = part
            self._count += len(part)
            words = words[len(part) :]
            if self._count == len(self._waiting):
                self._deal()

    def close(self) -> None:
        """Forget all rows. May be called twice."""
        self._waiting, self._spare, self._count, self._runs = self._waiting[:0], None, 0, []
        self._file.close()

    def _deal(self) -> None:
        """Make a run of what is waiting."""
        rows, ends = self._waiting[: self._count], np.empty(_BUCKETS + 1, np.int32)
        dealt = np.empty_like(rows) if self._spare is None else self._spare[: self._count]
        scatter(rows, self._shift, dealt, ends)
        self._count = 0
        self._runs.append(_Run(dealt, 0, ends))
        self._held += dealt.nbytes
        if self._spare is not None or self._held > self.memory - 2 * self._waiting.nbytes:
            # From now on runs are written at once, which is cheapest while they are in the caches, from memory that
            # is there already.
            self._spare = np.empty_like(self._waiting) if self._spare is None else self._spare
            self._runs = [run if run.rows is None else self._written(run.rows, run.ends) for run in self._runs]
            self._held = 0

    def _written(self, rows: NDArray[np.uint64], ends: NDArray[np.int32]) -> _Run:
        return _Run(None, self._file.append(rows), ends)

    def finished(self) -> list[_Run]:
        """Return all runs. Nothing more can be added."""
        if self._count:
            self._deal()
        self._waiting, self._spare = self._waiting[:0].copy(), None
        return self._runs

    def load(self, run: _Run, first: int, last: int) -> NDArray[np.uint64]:
        """Return the rows of a run in some buckets, as words; may be called by any thread."""
        begin, end = int(run.ends[first]), int(run.ends[last])
        if run.rows is not None:
            return run.rows[begin:end]
        words = self._file.read(run.begin + begin * self.row.itemsize, (end - begin) * self._width, np.uint64)
        return words.reshape(-1, self._width)

    def rows(self, pieces: list[NDArray[np.uint64]]) -> Pieces:
        """Words as rows again, in one piece. Putting rows together as such takes numpy much longer."""
        return [np.concatenate(pieces).reshape(-1).view(self.row)] if pieces else []


def key_ranges(*spools: RowSpool) -> Iterator[tuple[Pieces, ...]]:
    """Yield the rows of all spools by ranges of keys in ascending order, for each spool pieces one behind the other.

    Ranges are the same for all spools, which have to have the same ``bits``. None is empty everywhere. Pieces are a
    list, or, where a range is too large to be in memory, something that reads them as often as it is gone through.
    """
    runs = [spool.finished() for spool in spools]
    sizes = np.zeros(_BUCKETS, np.int64)
    for spool, its_runs in zip(spools, runs, strict=True):
        for run in its_runs:
            sizes += np.diff(run.ends) * spool.row.itemsize
    memory = sum(spool.memory for spool in spools)
    most = memory // _LOADED_SHARE
    for first, last in _cut(sizes, most):
        if last == first + 1 and sizes[first] > most:
            yield tuple(_OneByOne(spool, its_runs, first) for spool, its_runs in zip(spools, runs, strict=True))
            continue
        loaded = [
            [
                ((run.ends[first : last + 1] - run.ends[first]).tolist(), spool.load(run, first, last))
                for run in its_runs
            ]
            for spool, its_runs in zip(spools, runs, strict=True)
        ]
        for low, high in _cut(sizes[first:last], min(_RANGE_BYTES, memory // _RANGE_SHARE)):
            yield tuple(
                spool.rows([words[ends[low] : ends[high]] for ends, words in pieces])
                for spool, pieces in zip(spools, loaded, strict=True)
            )


class _OneByOne:
    """A bucket that is too large to be in memory, piece by piece from the file, as often as it is gone through."""

    def __init__(self, spool: RowSpool, runs: list[_Run], bucket: int) -> None:
        self._spool = spool
        self._runs = runs
        self._bucket = bucket

    def __iter__(self) -> Iterator[NDArray[Any]]:
        for run in self._runs:
            yield from self._spool.rows([self._spool.load(run, self._bucket, self._bucket + 1)])


def _cut(sizes: NDArray[np.int64], most: int) -> Iterator[tuple[int, int]]:
    """Ranges of neighbours whose sizes add up to no more, if one alone is not larger already; none that is empty."""
    ends = np.cumsum(sizes)
    first, before = 0, 0
    while before < ends[-1]:
        last = max(first + 1, int(np.searchsorted(ends, before + most, side="right")))
        if ends[last - 1] > before:
            yield first, last
        first, before = last, int(ends[last - 1])
