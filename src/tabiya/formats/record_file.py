"""Records in a Parquet file: a database of its own, or the games of a library."""

from __future__ import annotations

import io
import os
from contextlib import contextmanager, suppress
from itertools import accumulate
from typing import TYPE_CHECKING, Any, BinaryIO, Final

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from tabiya.errors import CorruptError
from tabiya.formats.database import HEADER_SCHEMA
from tabiya.formats.record_layout import FILE_SCHEMA, check_columns, check_metadata, check_records, sound_batch
from tabiya.game.own_names import joined
from tabiya.game.schema import NAME_COLUMNS, RECORD_SCHEMA

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tabiya.files.file_bytes import FileBytes
    from tabiya.game import GameBatch

_MOST_METADATA: Final = 1 << 28
"""Limit for bytes of strings, and for items of lists, in the footer: a foreign file must not exhaust memory.
"""
GROUP_RECORDS: Final = 4096
_GROUP_BYTES: Final = 64 << 20
"""A row group ends after GROUP_RECORDS records, or earlier if they are long: readers read one group at a time."""
_REPEATING: Final = (*NAME_COLUMNS, "tags.list.element.name", "extras.list.element.key", "source")
_COMPARED: Final = ("number", "year", "white_elo", "black_elo", "result", *NAME_COLUMNS)
"""Columns whose minimum and maximum per group are stored, so that SQL engines can skip groups."""
_AS_DIFFERENCES: Final = dict.fromkeys(
    ("moves.list.element", "number", "year", "month", "day", "white_elo", "black_elo"), "DELTA_BINARY_PACKED"
)
"""Numbers that are smaller and faster in this encoding, especially moves: a quarter of the time of the whole file."""


class RecordFile:
    """The records of a file, one row group at a time. Threads may share it."""

    def __init__(self, data: FileBytes) -> None:
        self._data = data
        self._metadata: Any = None
        with self._reading():
            self._metadata = self._reader().metadata
            schema = self._metadata.schema.to_arrow_schema()
        check_metadata(schema.metadata)
        self.columns: tuple[str, ...] = tuple(schema.names)
        with self._reading():
            check_columns(schema)
        rows = [self._metadata.row_group(group).num_rows for group in range(self._metadata.num_row_groups)]
        self.starts = np.array([0, *accumulate(rows)], np.int64)
        """Number of rows before each group, and the total."""

    @property
    def groups(self) -> int:
        """Number of row groups."""
        return len(self.starts) - 1

    @property
    def written_by(self) -> str:
        """The program that wrote the file."""
        return str(self._metadata.created_by)

    def batch(self, group: int, most: int | None = None) -> GameBatch:
        """Return the records of a group, or its first ones, checked, with the numbers stored in the file."""
        with self._reading(group):
            rows = int(self.starts[group + 1] - self.starts[group])
            if most is None or most >= rows:
                return sound_batch(self._reader().read_row_group(group, RECORD_SCHEMA.names, use_threads=False))
            found: list[pa.RecordBatch] = []
            for records in self._reader().iter_batches(most, [group], RECORD_SCHEMA.names, use_threads=False):
                found.append(records)  # one, unless a column has several chunks
                if sum(map(len, found)) >= most:
                    break
            return sound_batch(pa.Table.from_batches(found).slice(0, most))

    def headers(self, group: int) -> pa.RecordBatch:
        """Return the records of a group in the columns of HEADER_SCHEMA."""
        with self._reading(group):
            records = _single(self.table(group, HEADER_SCHEMA.names).cast(HEADER_SCHEMA))
            check_records(records)
            return records

    def table(self, group: int, columns: Sequence[str]) -> pa.Table:
        """Return some columns of a group as they are stored."""
        with self._reading(group):
            return self._reader().read_row_group(group, columns=list(columns), use_threads=False)

    def close(self) -> None:
        """Release the file. May be called twice."""
        self._data.close()

    def _reader(self) -> pq.ParquetFile:
        """Return a reader for one thread: pyarrow's must not be shared.

        ``pre_buffer`` is off: with it, Arrow threads read from the Python stream, and a thread that still has to free
        what it read while the interpreter shuts down aborts the process.
        """
        return pq.ParquetFile(
            _Stream(self._data),
            pre_buffer=False,
            metadata=self._metadata,
            read_dictionary=None if self._metadata is None else list(NAME_COLUMNS),
            page_checksum_verification=True,
            thrift_string_size_limit=_MOST_METADATA,
            thrift_container_size_limit=_MOST_METADATA,
        )

    @contextmanager
    def _reading(self, group: int | None = None) -> Iterator[None]:
        """Name the damaged part of a file in errors; pyarrow also reports damage as an ``OSError`` without a number."""
        try:
            yield
        except CorruptError as error:
            error.path = error.path or str(self._data.path)
            raise
        except (pa.ArrowException, OSError, ValueError) as error:
            if isinstance(error, OSError) and error.errno is not None:
                raise
            where = "" if group is None else f" in records {self.starts[group] + 1} to {self.starts[group + 1]}"
            raise CorruptError(f"is damaged{where}: {str(error).splitlines()[0]}", path=self._data.path) from error


class RecordFileWriter:
    """Writes numbered records in groups of rows with checksums, compressed with zstd."""

    def __init__(self, stream: BinaryIO | io.RawIOBase, schema: pa.Schema = FILE_SCHEMA) -> None:
        self._parquet = pq.ParquetWriter(
            stream,
            schema,
            compression="zstd",
            use_dictionary=[name for name in _REPEATING if name.partition(".")[0] in schema.names],
            column_encoding=_AS_DIFFERENCES,
            write_page_checksum=True,
            write_statistics=list(_COMPARED),
        )
        self._waiting: list[pa.RecordBatch] = []

    def add(self, records: pa.RecordBatch) -> None:
        """Append records."""
        for begin in range(0, records.num_rows, GROUP_RECORDS):
            self._waiting.append(records.slice(begin, GROUP_RECORDS))
            rows = sum(part.num_rows for part in self._waiting)
            size = sum(part.get_total_buffer_size() for part in self._waiting)
            if rows >= GROUP_RECORDS or size >= _GROUP_BYTES:
                self._store_group()

    def _store_group(self) -> None:
        if self._waiting:
            joint = joined(self._waiting)
            self._waiting = []
            for records in joint:
                self._parquet.write_batch(records)

    def finish(self) -> None:
        """Write pending records and the end of the file, but leave the stream open."""
        self._store_group()
        self._parquet.close()

    def discard(self) -> None:
        """Stop writing; the stream is discarded."""
        with suppress(pa.ArrowException, OSError, ValueError):
            self._parquet.close()


def _single(table: pa.Table) -> pa.RecordBatch:
    batches = table.unify_dictionaries().combine_chunks().to_batches()
    return batches[0] if batches else pa.RecordBatch.from_pylist([], schema=table.schema)


class _Stream(io.RawIOBase):
    """A position in the bytes of a file, as a stream for pyarrow."""

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
