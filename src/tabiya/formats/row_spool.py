"""Any number of rows by ranges of their keys, in bounded memory: for adding up, sorting and joining.

A row is a fixed number of 64-bit words that begin with a key. Rows are held until the memory for them is full; then
they are dealt out to 4,096 buckets by the high bits of the key, and written as one *run* to a temporary file.
``key_ranges`` puts the buckets together again from all runs: as many at a time as suit the caches of a processor, one
range behind the other, each row in one of them. Rows of a key are never in two ranges and come in the order in which
they were added, so what a range gives does not depend on memory, on runs, or on where ranges were cut; several spools
by the same key are cut at the same places, and can be joined range by range.

What does not fit is written once and read once, both in long stretches. Keys should be spread evenly, as hashes are. A
key that has more rows than fit is no harm as long as its rows are taken piece by piece, as in adding up.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

import numpy as np

from tabiya.formats.row_spool_kernel import scatter
from tabiya.formats.scratch import ScratchFile

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    Pieces: TypeAlias = list[NDArray[Any]]
    """Rows one behind the other."""

__all__ = ["RowSpool", "key_ranges"]

_BUCKET_BITS: Final = 12
_BUCKETS: Final = 1 << _BUCKET_BITS
_WORD: Final = 8
_RANGE_BYTES: Final = 2 << 20
"""What a range holds if possible: it and what is made of it should stay in the caches."""
_LOADED_SHARE: Final = 4
"""What is read ahead is this part of the memory."""
_RANGE_SHARE: Final = 64


class _Run(NamedTuple):
    """Rows in order of their buckets: in memory, or from a place of the file on."""

    rows: NDArray[np.uint64] | None
    begin: int
    ends: NDArray[np.int64]


class RowSpool:
    """Takes rows, structured arrays that begin with a ``uint64``, in any number; ``key_ranges`` gives them back.

    Args:
        row: what a row is made of; its size is a multiple of eight bytes.
        memory: how many bytes may be held.
        bits: keys are smaller than ``1 << bits``.
    """

    def __init__(self, row: np.dtype[Any], *, memory: int, bits: int = 64) -> None:
        self.row = row
        self.memory = memory
        self._width = row.itemsize // _WORD
        self._shift = max(0, bits - _BUCKET_BITS)
        self._room = max(1, memory // 2 // row.itemsize)
        self._held: NDArray[np.uint64] | None = None
        self._count = 0
        self._runs: list[_Run] = []
        self._file = ScratchFile()

    def add(self, rows: NDArray[Any]) -> None:
        """Take rows."""
        words = np.ascontiguousarray(rows).view(np.uint64).reshape(-1, self._width)
        while len(words):
            if self._held is None:
                self._held = np.empty((self._room, self._width), np.uint64)  # which takes no memory before it is filled
            part = words[: self._room - self._count]
            self._held[self._count : self._count + len(part)] = part
            self._count += len(part)
            words = words[len(part) :]
            if self._count == self._room:
                self._spill()

    def close(self) -> None:
        """Forget all rows. May be called twice."""
        self._held, self._count, self._runs = None, 0, []
        self._file.close()

    def _dealt(self) -> _Run:
        """What is held, in order of buckets."""
        held = np.empty((0, self._width), np.uint64) if self._held is None else self._held[: self._count]
        out, ends = np.empty_like(held), np.empty(_BUCKETS + 1, np.int64)
        scatter(held, self._shift, out, ends)
        self._count = 0
        return _Run(out, 0, ends)

    def _spill(self) -> None:
        rows, _, ends = self._dealt()
        if rows is not None and len(rows):
            self._runs.append(_Run(None, self._file.append(rows), ends))

    def finished(self) -> list[_Run]:
        """All runs; what is held goes to the others if there are any."""
        if self._runs:
            self._spill()
        elif self._count:
            self._runs.append(self._dealt())
        self._held = None
        return self._runs

    def load(self, run: _Run, first: int, last: int) -> NDArray[Any]:
        """The rows of a run in some buckets."""
        begin, end = int(run.ends[first]), int(run.ends[last])
        if run.rows is not None:
            return run.rows[begin:end].reshape(-1).view(self.row)
        return self._file.read(run.begin + begin * self.row.itemsize, end - begin, self.row)


def key_ranges(*spools: RowSpool) -> Iterator[tuple[Pieces, ...]]:
    """The rows of all spools by ranges of keys in ascending order; for each spool pieces, one per run.

    Ranges are the same for all spools, which have to have the same ``bits``. None is empty everywhere.
    """
    runs = [spool.finished() for spool in spools]
    sizes = np.zeros(_BUCKETS, np.int64)
    for spool, its_runs in zip(spools, runs, strict=True):
        for run in its_runs:
            sizes += np.diff(run.ends) * spool.row.itemsize
    memory = sum(spool.memory for spool in spools)
    for first, last in _cut(sizes, memory // _LOADED_SHARE):
        loaded = [
            [(run.ends, spool.load(run, first, last)) for run in its_runs]
            for spool, its_runs in zip(spools, runs, strict=True)
        ]
        for low, high in _cut(sizes[first:last], min(_RANGE_BYTES, memory // _RANGE_SHARE)):
            yield tuple(
                [
                    rows[ends[first + low] - ends[first] : ends[first + high] - ends[first]]
                    for ends, rows in pieces
                    if ends[first + low] < ends[first + high]
                ]
                for pieces in loaded
            )


def _cut(sizes: NDArray[np.int64], most: int) -> Iterator[tuple[int, int]]:
    """Ranges of neighbours whose sizes add up to no more, if one alone is not larger already; none that is empty."""
    ends = np.cumsum(sizes)
    first, before = 0, 0
    while first < len(sizes) and before < ends[-1]:
        last = max(first + 1, int(np.searchsorted(ends, before + most, side="right")))
        if ends[last - 1] > before:
            yield first, last
        first, before = last, int(ends[last - 1])
