"""A Parquet file of records that is being written."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final

import pyarrow as pa
import pyarrow.parquet as pq

from tabiya.formats.loss_counting import fit
from tabiya.formats.parquet import PARQUET
from tabiya.formats.parquet.layout import FILE_SCHEMA
from tabiya.formats.writer import Encoded, SingleFileWriter
from tabiya.game.batch import number_records
from tabiya.game.schema import NAME_COLUMNS

if TYPE_CHECKING:
    from pathlib import Path

    from tabiya.game import GameBatch, RecordKind

__all__ = ["ParquetWriter"]

_GROUP_RECORDS: Final = 4096
_GROUP_BYTES: Final = 64 << 20
"""A group of rows ends with this many records, or earlier if they are long: readers take a group at a time."""
_REPEATING: Final = (*NAME_COLUMNS, "tags.list.element.name", "extras.list.element.key")
_COMPARED: Final = ("number", "year", "white_elo", "black_elo", "result", *NAME_COLUMNS)
"""Columns whose least and greatest value per group are stored, so that SQL engines can skip groups."""


class ParquetWriter(SingleFileWriter):
    """Write records as they are, in groups of rows with checksums, compressed with zstd."""

    def __init__(self, path: Path, *, overwrite: bool = False, strict: bool = False) -> None:
        super().__init__(path, PARQUET, overwrite=overwrite, strict=strict)
        self._parquet = pq.ParquetWriter(
            self._stream,
            FILE_SCHEMA,
            compression="zstd",
            use_dictionary=list(_REPEATING),
            write_page_checksum=True,
            write_statistics=list(_COMPARED),
        )
        self._waiting: list[pa.RecordBatch] = []
        self._stored = 0

    def _encode(self, batch: GameBatch, *, before: RecordKind | None) -> Encoded:  # noqa: ARG002 - batches are alike
        batch, losses = fit(batch, self._keeps)
        return Encoded(batch.record_batch, len(batch), losses)

    def _put(self, content: Any) -> None:
        for begin in range(0, content.num_rows, _GROUP_RECORDS):
            self._waiting.append(content.slice(begin, _GROUP_RECORDS))
            rows = sum(part.num_rows for part in self._waiting)
            size = sum(part.get_total_buffer_size() for part in self._waiting)
            if rows >= _GROUP_RECORDS or size >= _GROUP_BYTES:
                self._store_group()

    def _store_group(self) -> None:
        if self._waiting:
            table = pa.Table.from_batches(self._waiting).unify_dictionaries().combine_chunks()
            self._waiting = []
            for records in table.to_batches():
                self._parquet.write_batch(number_records(records, self._stored + 1))
                self._stored += records.num_rows

    def _end(self) -> None:
        self._store_group()
        self._parquet.close()

    def _discard(self) -> None:
        with suppress(pa.ArrowException, OSError, ValueError):  # its end goes into a file that is thrown away
            self._parquet.close()
        super()._discard()
