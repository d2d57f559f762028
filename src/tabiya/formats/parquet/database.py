"""A Parquet file of records open for reading."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from tabiya.files.file_bytes import FileBytes
from tabiya.files.parallel import ordered_map
from tabiya.formats.database import Database, Piece
from tabiya.formats.parquet import PARQUET
from tabiya.formats.record_file import RecordFile
from tabiya.game import GameBatch
from tabiya.game.batch import number_records

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    import pyarrow as pa

_BATCH_RECORDS: Final = 4096
"""Other programs write groups of a million rows; batches remain small."""


class ParquetDatabase(Database):
    """The records of a Parquet file. One row group is read at a time; headers skip the other columns."""

    def __init__(self, path: Path) -> None:
        super().__init__(path, PARQUET)
        self._file = RecordFile(FileBytes(path))
        self._starts = self._file.starts
        self._done = 0
        self._kept: tuple[int, GameBatch] | None = None

    @property
    def progress(self) -> float | None:
        """Fraction of the row groups that has been read."""
        return self._done / self._file.groups if self._file.groups else None

    def details(self) -> dict[str, str | int | float]:
        """Return the program that wrote the file, and its number of row groups."""
        return {"written by": self._file.written_by, "row groups": self._file.groups}

    def _count(self) -> int:
        return int(self._starts[-1])

    def _group(self, group: int) -> GameBatch:
        return self._file.batch(group).numbered(int(self._starts[group]) + 1)

    def _batches(self, threads: int) -> Iterator[GameBatch]:
        for batch in self._groups(self._group, threads):
            for begin in range(0, len(batch), _BATCH_RECORDS):
                yield batch[begin : begin + _BATCH_RECORDS]

    def _headers(self, threads: int) -> Iterator[pa.RecordBatch]:
        def read(group: int) -> pa.RecordBatch:
            return number_records(self._file.headers(group), int(self._starts[group]) + 1)

        return self._groups(read, threads)

    def _groups(self, read: Callable[[int], Piece], threads: int) -> Iterator[Piece]:
        """Yield the result of ``read`` for every group that has rows, and update the progress."""
        full = np.flatnonzero(np.diff(self._starts)).tolist()
        for done, piece in enumerate(ordered_map(read, full, threads), start=1):
            self._done = done
            yield piece

    def _read(self, start: int, stop: int) -> GameBatch:
        first = int(np.searchsorted(self._starts, start, side="right")) - 1
        last = int(np.searchsorted(self._starts, stop, side="left"))
        found = []
        for group in range(first, last):
            begin = int(self._starts[group])
            found.append(self._nearby(group)[max(start - begin, 0) : stop - begin])
        return GameBatch.concat(found)

    def _nearby(self, group: int) -> GameBatch:
        """Return a row group; the latest is cached, because adjacent rows are often requested next."""
        if self._kept is None or self._kept[0] != group:
            self._kept = group, self._group(group)
        return self._kept[1]

    def _close(self) -> None:
        self._kept = None
        self._file.close()
