"""A Parquet file of records that is open for reading."""

from __future__ import annotations

import io
import os
from contextlib import contextmanager
from itertools import accumulate
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from tabiya.errors import CorruptError
from tabiya.files.file_bytes import FileBytes
from tabiya.files.parallel import ordered_map
from tabiya.formats.database import HEADER_SCHEMA, Database, Piece
from tabiya.formats.parquet import PARQUET
from tabiya.formats.parquet.layout import check_metadata, sound_batch
from tabiya.game import GameBatch
from tabiya.game.batch import number_records
from tabiya.game.schema import NAME_COLUMNS, RECORD_SCHEMA

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

__all__ = ["ParquetDatabase"]

_MOST_METADATA: Final = 1 << 28
"""Bytes of strings, and items of lists, that the footer of a file may have: a foreign one must not take all memory."""
_BATCH_RECORDS: Final = 4096
"""Other programs write groups of a million rows; batches stay small."""


class ParquetDatabase(Database):
    """The records of a Parquet file. A group of rows is read at a time; headers leave the other columns alone."""

    def __init__(self, path: Path) -> None:
        super().__init__(path, PARQUET)
        self._data = FileBytes(path)
        self._metadata: Any = None
        with self._reading():
            self._metadata = self._reader().metadata
            schema = self._metadata.schema.to_arrow_schema()
        check_metadata(schema.metadata)
        if missing := [name for name in RECORD_SCHEMA.names if name not in schema.names]:
            raise CorruptError(f"lacks the column {missing[0]} of a database", path=path)
        rows = [self._metadata.row_group(group).num_rows for group in range(self._metadata.num_row_groups)]
        self._starts = np.array([0, *accumulate(rows)], np.int64)
        self._done = 0
        self._kept: tuple[int, GameBatch] | None = None

    def _reader(self) -> pq.ParquetFile:
        """Return a reader for one thread: pyarrow's must not be shared."""
        return pq.ParquetFile(
            _Stream(self._data),
            metadata=self._metadata,
            read_dictionary=None if self._metadata is None else list(NAME_COLUMNS),
            page_checksum_verification=True,
            thrift_string_size_limit=_MOST_METADATA,
            thrift_container_size_limit=_MOST_METADATA,
        )

    @property
    def progress(self) -> float | None:
        """How many of the groups of rows have been read."""
        return self._done / (len(self._starts) - 1) if len(self._starts) > 1 else None

    def details(self) -> dict[str, str | int | float]:
        """Who wrote the file, and in how many pieces."""
        return {"written by": str(self._metadata.created_by), "row groups": len(self._starts) - 1}

    def _count(self) -> int:
        return int(self._starts[-1])

    def _group(self, group: int) -> GameBatch:
        with self._reading(group):
            found = sound_batch(self._reader().read_row_group(group, use_threads=False))
            return found.numbered(int(self._starts[group]) + 1)

    def _batches(self, threads: int) -> Iterator[GameBatch]:
        for batch in self._groups(self._group, threads):
            for begin in range(0, len(batch), _BATCH_RECORDS):
                yield batch[begin : begin + _BATCH_RECORDS]

    def _headers(self, threads: int) -> Iterator[pa.RecordBatch]:
        def read(group: int) -> pa.RecordBatch:
            with self._reading(group):
                table = self._reader().read_row_group(group, columns=HEADER_SCHEMA.names, use_threads=False)
                records = table.cast(HEADER_SCHEMA).unify_dictionaries().combine_chunks().to_batches()[0]
                records.validate(full=True)
                return number_records(records, int(self._starts[group]) + 1)

        return self._groups(read, threads)

    def _groups(self, read: Callable[[int], Piece], threads: int) -> Iterator[Piece]:
        """Yield what ``read`` makes of every group that has rows, and keep the count of them up to date."""
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
        """Return a group of rows; the latest is kept, because its neighbours are often wanted next."""
        if self._kept is None or self._kept[0] != group:
            self._kept = group, self._group(group)
        return self._kept[1]

    def _close(self) -> None:
        self._kept = None
        self._data.close()

    @contextmanager
    def _reading(self, group: int | None = None) -> Iterator[None]:
        """Say where a file is damaged; pyarrow tells of damage by an ``OSError`` that has no number, too."""
        try:
            yield
        except (pa.ArrowException, OSError, ValueError) as error:
            if isinstance(error, OSError) and error.errno is not None:
                raise
            where = "" if group is None else f" in records {self._starts[group] + 1} to {self._starts[group + 1]}"
            raise CorruptError(f"is damaged{where}: {str(error).splitlines()[0]}", path=self._path) from error


class _Stream(io.RawIOBase):
    """A place in the bytes of a file, as pyarrow wants it."""

    def __init__(self, data: FileBytes) -> None:
        self._data = data
        self._place = 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._place

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        begin = {os.SEEK_SET: 0, os.SEEK_CUR: self._place, os.SEEK_END: len(self._data)}[whence]
        self._place = max(0, begin + offset)
        return self._place

    def read(self, size: int = -1) -> bytes:
        end = len(self._data) if size < 0 else self._place + size
        found = self._data[self._place : end]
        self._place += len(found)
        return found
