"""Any number of records in the order of the hash tree, in bounded memory.

Records are sorted and merged in memory as long as they fit; then *runs* go to a temporary file beside the target. The
low eight bits of the hash divide the tree into 256 parts, which are merged from all runs one at a time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from tabiya.books.ctg.columns import SIGNATURE_SIZE
from tabiya.books.ctg.losses import KINDS, NUMBERS, TOO_MANY_MOVES, column_losses
from tabiya.books.ctg.records_kernel import write_records
from tabiya.books.ctg.tree_kernel import merge_sorted
from tabiya.books.writer import lost
from tabiya.files.scratch import ScratchFile
from tabiya.formats.losses import LossReport

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    import numpy.typing as npt

    from tabiya.books.ctg.columns import PositionColumns

_MEMORY: Final = 96 << 20
_ROWS: Final = 1 << 16
_STATISTICS_SIZE: Final = 33
PART_DEPTH: Final = 8
_PARTS: Final = 1 << PART_DEPTH


class Records(NamedTuple):
    """Concatenated encoded records, with their sizes and keys (hashes with bits reversed)."""

    data: npt.NDArray[np.uint8]
    sizes: npt.NDArray[np.uint16]
    keys: npt.NDArray[np.uint32]

    @property
    def ends(self) -> npt.NDArray[np.int64]:
        """The ends of the records in the data, after a 0."""
        return np.concatenate([np.zeros(1, np.int64), np.cumsum(self.sizes, dtype=np.int64)])


class Part(NamedTuple):
    """The node of the tree with these low ``depth`` bits of the hash, and its records in order."""

    depth: int
    bits: int
    records: Records


class _Run(NamedTuple):
    """Sorted records in the temporary file, divided into parts."""

    start: int
    data_ends: list[int]
    record_ends: list[int]


class RecordSorter:
    """Takes columns in any order and returns their records in the order of the tree, merged by position.

    Results and ratings of a repeated position are added up; with ``largest`` those with the most games count.
    ``losses`` grows while columns are added, and is complete when all parts have been read once.
    """

    def __init__(self, folder: Path, *, largest: bool = False, memory: int | None = None) -> None:
        self.largest = largest
        """May be changed before columns are added."""
        self._memory = _MEMORY if memory is None else min(_MEMORY, memory)
        self._held: list[Records] = []
        self._held_bytes = 0
        self._file = ScratchFile(folder)
        self._runs: list[_Run] = []
        self._counted = False
        self.losses = LossReport()
        self.size = 0
        """Total size of all records, including those merged later."""

    def add(self, columns: PositionColumns) -> None:
        """Take positions."""
        for start in range(0, len(columns), _ROWS):
            self._hold(columns.part(start, min(start + _ROWS, len(columns))))

    def parts(self) -> Iterator[Part]:
        """Yield all records in their order; may be called again."""
        if not self._runs:
            if not self._counted:
                self._held = [self._merged(self._held, count=True)]
            self._counted = True
            yield Part(0, 0, self._held[0])
            return
        if self._held:
            self._spill()
        for number in range(_PARTS):
            pieces = [self._piece(run, number) for run in self._runs]
            yield Part(PART_DEPTH, int(f"{number:08b}"[::-1], 2), self._merged(pieces, count=not self._counted))
        self._counted = True

    def close(self) -> None:
        """Close the temporary file."""
        self._held = []
        self._file.close()

    def _hold(self, columns: PositionColumns) -> None:
        rows = len(columns)
        out = np.empty(rows * (SIGNATURE_SIZE + _STATISTICS_SIZE) + 2 * len(columns.moves), np.uint8)
        sizes, keys = np.empty(rows, np.uint16), np.empty(rows, np.uint32)
        found = np.zeros((len(KINDS), 3), np.int64)
        count, size = write_records(
            np.ascontiguousarray(columns.signatures),
            np.ascontiguousarray(columns.statistics),
            np.ascontiguousarray(columns.marks),
            np.ascontiguousarray(columns.move_ends),
            np.ascontiguousarray(columns.moves),
            np.ascontiguousarray(columns.move_nags),
            out,
            sizes,
            keys,
            found,
        )
        if found[:, 0].any():
            self.losses += column_losses(found, columns)
        self._held.append(Records(out[:size].copy(), sizes[:count], keys[:count]))
        self._held_bytes += size
        self.size += size
        if self._held_bytes > self._memory:
            self._spill()

    def _merged(self, pieces: list[Records], *, count: bool) -> Records:
        """Return one sorted run of all these records."""
        none = Records(np.empty(0, np.uint8), np.empty(0, np.uint16), np.empty(0, np.uint32))
        data, sizes, keys = records = Records(*(np.concatenate(column) for column in zip(none, *pieces, strict=True)))
        merged = Records(np.empty_like(data), np.empty_like(sizes), np.empty_like(keys))
        order = np.argsort(keys, kind="stable")
        written, size, moves, numbers = merge_sorted(data, records.ends, keys, order, self.largest, *merged)
        if count:
            found = ((TOO_MANY_MOVES, moves), (NUMBERS, numbers))
            self.losses += LossReport.of(lost(*kind, number) for kind, number in found if number)
        return Records(merged.data[:size], merged.sizes[:written], merged.keys[:written])

    def _spill(self) -> None:
        """Write the records in memory to the temporary file."""
        records = self._merged(self._held, count=True)
        first_keys = np.arange(_PARTS, dtype=np.uint64) << np.uint64(32 - PART_DEPTH)
        cuts = np.append(np.searchsorted(records.keys, first_keys.astype(np.uint32)), len(records.keys))
        start = self._file.size
        for column in records:
            self._file.append(column)
        self._runs.append(_Run(start, records.ends[cuts].tolist(), cuts.tolist()))
        self._held, self._held_bytes = [], 0

    def _piece(self, run: _Run, number: int) -> Records:
        """Return the records of one part in a run."""
        first, last = run.record_ends[number : number + 2]
        begin, end = run.data_ends[number : number + 2]
        sizes_at = run.start + run.data_ends[-1]
        keys_at = sizes_at + 2 * run.record_ends[-1]
        return Records(
            self._file.read(run.start + begin, end - begin, np.uint8),
            self._file.read(sizes_at + 2 * first, last - first, np.uint16),
            self._file.read(keys_at + 4 * first, last - first, np.uint32),
        )
