"""Any number of rows by ranges of their keys, in bounded memory: for adding up, sorting and joining.

A row is a fixed number of 64-bit words that begin with a key. Some megabytes of rows at a time are distributed to 2,048
buckets by the high bits of the key, and form a *run*. Runs stay in memory until it is full; then they go to temporary
files, and so do all later ones. ``key_parts`` joins the buckets of all runs: as many at a time as memory allows form a
part, which any thread may read, and as many of these as fit the caches of a processor form a range. All rows of a key
are in one range, in the order in which they were added; so the contents of a range do not depend on memory, on runs, or
on the bounds of ranges. Several spools by the same key are divided at the same places, and can be joined range by
range.

Data that does not fit is written once and read once, both in large blocks. Keys should be evenly distributed, as hashes
are. A bucket that is too large, because a key has very many rows, is read piece by piece from the file.
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

import numpy as np

from tabiya.errors import TabiyaError
from tabiya.files.scratch import ScratchFile
from tabiya.positions.row_spool_kernel import gather, scatter

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    Words: TypeAlias = NDArray[np.uint64]
    Pieces: TypeAlias = Iterable[NDArray[Any]]
    """Consecutive arrays of rows."""

_BUCKET_BITS: Final = 11
_BUCKETS: Final = 1 << _BUCKET_BITS
_SECTION_BITS: Final = 4
_SECTION: Final = _BUCKETS >> _SECTION_BITS
"""Neighbouring buckets whose rows go to a separate file, which can be released before the others are read."""
_WORD: Final = 8
_RUN_BYTES: Final = 16 << 20
_RANGE_BYTES: Final = 1 << 20
"""Preferred size of a range: it and data derived from it should stay in the caches."""
_RUN_SHARE: Final = 4
_RANGE_SHARE: Final = 64
"""Maximum size of a run in progress, and of a range, as fractions of the memory for the rows."""
_STRETCH_BYTES: Final = 1 << 15
"""Preferred size of a run's rows in a part. With a fifth of that, 16 threads took 19 s for 117 million rows and two
took 3 s: reading was dominated by calls, for which threads wait for each other.
"""
_MOST_PART: Final = 28 << 20
"""Preferred maximum size of a part. The C library keeps freed memory of up to 32 MB; the system fills memory that was
returned to it with zeros before it is used again.
"""


class Run(NamedTuple):
    """Rows in order of their buckets: in memory, or in files."""

    rows: Words | None
    ends: NDArray[np.int32]
    begins: tuple[int, ...] = ()
    """Their start in the file of each section."""


class RowSpool:
    """Takes any number of rows, structured arrays that begin with a ``uint64``; ``key_parts`` returns them.

    Threads that produce rows make runs of them themselves (``run_of``), and one thread adds the runs in order
    (``append``); otherwise ``add`` does both.

    Args:
        row: the type of a row; its size is a multiple of eight bytes.
        memory: approximate memory in bytes.
        bits: keys are smaller than ``1 << bits``.
        folder: the folder for temporary files; that of the system by default.
    """

    def __init__(self, row: np.dtype[Any], *, memory: int, bits: int = 64, folder: Path | None = None) -> None:
        self.row = row
        self.memory = memory
        self.width = row.itemsize // _WORD
        """Words of a row."""
        self.run_rows = max(1, min(_RUN_BYTES, memory // _RUN_SHARE) // row.itemsize)
        """Maximum number of rows of a run."""
        self._shift = max(0, bits - _BUCKET_BITS)
        self._waiting = np.empty((0, self.width), np.uint64)
        self._count = 0
        self._held = 0
        self._is_full = False
        self._buffers = threading.local()
        self.count = 0
        """Number of rows so far."""
        self._runs: list[Run] = []
        self._files = [ScratchFile(folder) for _ in range(1 << _SECTION_BITS)]

    def add(self, rows: NDArray[Any]) -> None:
        """Add rows."""
        words = np.ascontiguousarray(rows).view(np.uint64).reshape(-1, self.width)
        while len(words):
            self._waiting = grown(self._waiting, self.run_rows)  # which uses no memory before it is filled
            part = words[: self.run_rows - self._count]
            self._waiting[self._count : self._count + len(part)] = part
            self._count += len(part)
            words = words[len(part) :]
            if self._count == self.run_rows:
                self._distribute()

    def close(self) -> None:
        """Discard all rows. May be called twice."""
        self._waiting, self._count, self._runs = self._waiting[:0], 0, []
        self._buffers = threading.local()
        for file in self._files:
            file.close()

    def _distribute(self) -> None:
        """Make a run of the waiting rows."""
        rows, self._count = self._waiting[: self._count], 0
        self.append(self.run_of(rows))

    def run_of(self, words: Words) -> Run:
        """Distribute rows to buckets. May be called by any thread, with up to ``run_rows`` rows, which are not changed.

        When memory is full, runs are written immediately, which is fastest while they are in the caches, from memory
        that is already allocated.
        """
        ends = np.empty(_BUCKETS + 1, np.int32)
        if not self._is_full:
            distributed = np.empty_like(words)
            scatter(words, self._shift, distributed, ends)
            return Run(distributed, ends)
        self._buffers.distributed = grown(getattr(self._buffers, "distributed", words[:0]), len(words))
        distributed = self._buffers.distributed[: len(words)]
        scatter(words, self._shift, distributed, ends)
        return self._written(Run(distributed, ends))

    def append(self, run: Run) -> None:
        """Add a run after all others."""
        self.count += int(run.ends[-1])
        self._runs.append(run)
        self._held += 0 if run.rows is None else run.rows.nbytes
        if self._held and (self._is_full or self._held > self.memory - 2 * self.run_rows * self.row.itemsize):
            self._is_full = True
            self._runs = [self._written(run) for run in self._runs]
            self._held = 0

    def _written(self, run: Run) -> Run:
        if run.rows is None:
            return run
        parts = np.split(run.rows, run.ends[_SECTION:_BUCKETS:_SECTION])
        return Run(None, run.ends, tuple(map(ScratchFile.append, self._files, parts)))

    def finished(self) -> list[Run]:
        """Return all runs. Nothing more can be added."""
        if self._count:
            self._distribute()
        self._waiting, self._buffers = self._waiting[:0].copy(), threading.local()
        return self._runs

    def readers(self, threads: int) -> int:
        """Return how many of the threads should read parts at the same time: the more do, the smaller parts are.

        Buckets of up to twice the usual size should fit, because those that do not are read by one thread, and more
        than once. And a part should contain a large block of every run, because each block is a separate call.
        """
        least = max(2 * self.count * self.row.itemsize // _BUCKETS, len(self._runs) * _STRETCH_BYTES)
        return min(threads, max(2, self.memory // (2 * max(1, least))))

    def load(self, run: Run, first: int, last: int, out: Words) -> int:
        """Read the rows of a run in buckets of a section to the beginning of ``out``; return their number.

        May be called by any thread.
        """
        begin, end = int(run.ends[first]), int(run.ends[last])
        if run.rows is not None:
            out[: end - begin] = run.rows[begin:end]
        else:
            section = first // _SECTION
            before = begin - int(run.ends[section * _SECTION])
            rows = out[: end - begin]
            if self._files[section].read_into(run.begins[section] + before * self.row.itemsize, rows) != rows.nbytes:
                raise TabiyaError("a temporary file has lost data; try another folder for temporary files")
        return end - begin

    def release(self, section: int) -> None:
        """Release the file of a section, which is no longer needed."""
        self._files[section].close()


def grown(words: Words, rows: int) -> Words:
    """Return an array for at least this many rows: the given one if possible, because new memory costs more."""
    return words if len(words) >= rows else np.empty((rows + (rows >> 3), words.shape[1]), np.uint64)


def key_parts(*spools: RowSpool, threads: int = 1) -> list[KeyPart]:
    """Return the rows of all spools as parts for this many threads, by keys in ascending order.

    Parts have the same bounds in all spools, which must have the same ``bits``. Empty parts are omitted.
    """
    stored = [_Stored(spool) for spool in spools]
    sizes = np.sum([each.sizes for each in stored], axis=0)
    memory = sum(spool.memory for spool in spools)
    most = memory // (2 * max(2, threads))
    fair = int(sizes.sum()) // (1 if threads == 1 else 4 * threads)
    part_bytes = min(most, _MOST_PART, max(1, fair))
    in_files = any(run.rows is None for each in stored for run in each.runs)
    step = _SECTION if in_files else _BUCKETS
    cuts = [
        (begin + first, begin + last)
        for begin in range(0, _BUCKETS, step)
        for first, last in _cut(sizes[begin : begin + step], part_bytes)
    ]
    return [KeyPart(stored, cut, sizes, most, min(_RANGE_BYTES, memory // _RANGE_SHARE)) for cut in cuts]


class KeyPart:
    """Neighbouring buckets of one spool or several, whose rows have not been read yet."""

    def __init__(
        self, stored: Sequence[_Stored], cut: tuple[int, int], sizes: NDArray[np.int64], most: int, most_range: int
    ) -> None:
        self._stored = stored
        self._first, self._last = cut
        self._fits = int(sizes[self._first : self._last].sum()) <= most
        self._cuts = list(_cut(sizes[self._first : self._last], most_range))

    @property
    def rows(self) -> int:
        """Number of rows in all spools."""
        return sum(each.count(self._first, self._last) for each in self._stored)

    def load(self) -> list[Loaded] | None:
        """Read the rows of each spool, or return None if they are too many for memory.

        They are valid until the same thread loads another part.
        """
        if not self._fits:
            return None
        return [each.load(self._first, self._last, self._cuts) for each in self._stored]

    def release(self) -> None:
        """Declare that this part and all before it are no longer needed."""
        for section in range(self._last // _SECTION):
            for each in self._stored:
                each.spool.release(section)

    def ranges(self) -> Iterator[tuple[Pieces, ...]]:
        """Yield ranges of the rows by keys in ascending order, as consecutive pieces for each spool.

        Pieces are a list, or, if a range is too large for memory, an iterable that reads them on every iteration.
        """
        loaded = self.load()
        if loaded is None:
            yield tuple(_OneByOne(each, self._first) for each in self._stored)
            return
        for number in range(len(self._cuts)):
            yield tuple(each.rows(number) for each in loaded)


class _Stored:
    """All rows of a finished spool."""

    def __init__(self, spool: RowSpool) -> None:
        self.spool = spool
        self.runs = spool.finished()
        ends = np.array([run.ends for run in self.runs], np.int32).reshape(len(self.runs), _BUCKETS + 1)
        self.sizes: NDArray[np.int64] = np.diff(ends.sum(axis=0, dtype=np.int64)) * spool.row.itemsize
        """Size of the buckets in bytes."""
        self._buffers = threading.local()

    def count(self, first: int, last: int) -> int:
        """Return the number of rows of some buckets."""
        return int(self.sizes[first:last].sum()) // self.spool.row.itemsize

    def load(self, first: int, last: int, cuts: Sequence[tuple[int, int]]) -> Loaded:
        """Read the rows of some buckets into memory of this thread."""
        none = np.empty((0, self.spool.width), np.uint64)
        self._buffers.loaded = loaded = grown(getattr(self._buffers, "loaded", none), self.count(first, last))
        edges = np.array([first + low for low, _ in cuts] + [last])
        places = np.empty((len(self.runs), len(edges)), np.int64)
        done = 0
        for number, run in enumerate(self.runs):
            places[number] = run.ends[edges]
            places[number] += done - places[number, 0]
            done += self.spool.load(run, first, last, loaded[done:])
        return Loaded(loaded[:done], places, self.spool.row)


class Loaded(NamedTuple):
    """The rows of a part, run by run."""

    words: Words
    places: NDArray[np.int64]
    """By run, the starts of its ranges, and the end of the last one."""
    row: np.dtype[Any]

    def rows(self, number: int) -> Pieces:
        """Return the rows of a range in one piece, valid as long as the words are unchanged."""
        begins, ends = self.places[:, number], self.places[:, number + 1]
        words = np.empty((int((ends - begins).sum()), self.words.shape[1]), np.uint64)
        gather(self.words, begins, ends, words)
        return [words.reshape(-1).view(self.row)] if len(words) else []


class _OneByOne:
    """A bucket that is too large for memory, read piece by piece from the file on every iteration."""

    def __init__(self, stored: _Stored, bucket: int) -> None:
        self._stored = stored
        self._bucket = bucket

    def __iter__(self) -> Iterator[NDArray[Any]]:
        spool = self._stored.spool
        for run in self._stored.runs:
            words = np.empty((int(run.ends[self._bucket + 1] - run.ends[self._bucket]), spool.width), np.uint64)
            if spool.load(run, self._bucket, self._bucket + 1, words):
                yield words.reshape(-1).view(spool.row)


def _cut(sizes: NDArray[np.int64], most: int) -> Iterator[tuple[int, int]]:
    """Yield ranges of neighbours with a total size of at most ``most``, unless one alone is larger; none is empty."""
    ends = np.cumsum(sizes)
    first, before = 0, 0
    while before < ends[-1]:
        last = max(first + 1, int(np.searchsorted(ends, before + most, side="right")))
        if ends[last - 1] > before:
            yield first, last
        first, before = last, int(ends[last - 1])
