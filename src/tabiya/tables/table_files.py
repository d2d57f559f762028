"""Files of tables that other programs read: Parquet, and CSV for spreadsheets."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, BinaryIO, Final, Protocol

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from pyarrow import csv

from tabiya.errors import UsageError
from tabiya.formats.record_layout import marked

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

__all__ = ["TABLE_FORMATS", "TableFile", "table_format_of"]

_GROUP_ROWS: Final = 1 << 17
_GROUP_BYTES: Final = 64 << 20
"""A group of rows ends with so many rows, or earlier if they are long."""
_UNKNOWN: Final = "?"


class TableFile(Protocol):
    """A file that takes the rows of a table."""

    def add(self, rows: pa.RecordBatch) -> None:
        """Add rows behind the others."""

    def finish(self) -> None:
        """Write what waits and the end of the file, but leave the stream open."""


class _Parquet:
    """Rows in groups, compressed with zstd; the metadata say that it is a table and no database."""

    def __init__(self, stream: BinaryIO, schema: pa.Schema, rows: str) -> None:
        self._schema = marked(schema, f"chosen columns of {rows}")
        self._writer = pq.ParquetWriter(
            stream, self._schema, compression="zstd", write_page_checksum=True, use_dictionary=_repeating(schema)
        )
        self._waiting: list[pa.RecordBatch] = []

    def add(self, rows: pa.RecordBatch) -> None:
        self._waiting.append(rows)
        size = sum(part.get_total_buffer_size() for part in self._waiting)
        if size >= _GROUP_BYTES or sum(part.num_rows for part in self._waiting) >= _GROUP_ROWS:
            self._store_group()

    def _store_group(self) -> None:
        table = pa.Table.from_batches(self._waiting).replace_schema_metadata(self._schema.metadata)
        self._waiting = []
        self._writer.write_table(table.unify_dictionaries(), row_group_size=max(1, len(table)))

    def finish(self) -> None:
        if self._waiting:
            self._store_group()
        self._writer.close()


def _repeating(schema: pa.Schema) -> list[str]:
    """Return the columns in which the same values come again and again; positions hardly ever do."""
    unique = ("fen", "fens", "key", "keys", "movetext", "moves", "annotations", "texts", "extras", "problems")
    return [
        f"{field.name}.list.element" if pa.types.is_list(field.type) else field.name
        for field in schema
        if field.name.partition(":")[0] not in unique
    ]


class _Csv:
    """Rows as text with a line of titles; the members of lists have a blank between them."""

    def __init__(self, stream: BinaryIO, schema: pa.Schema, rows: str, *, delimiter: str = ",") -> None:
        del rows
        for field in schema:
            if pa.types.is_list(field.type) and pa.types.is_nested(field.type.value_type):
                raise UsageError(f"the column {field.name!r} has no place in a table of text: write Parquet instead")
        self._schema = pa.schema([pa.field(field.name, _flat_type(field.type)) for field in schema])
        options = csv.WriteOptions(delimiter=delimiter, quoting_style="needed")
        self._writer = csv.CSVWriter(stream, self._schema, write_options=options)

    def add(self, rows: pa.RecordBatch) -> None:
        columns = [_flat(column) for column in rows.columns]
        self._writer.write_batch(pa.RecordBatch.from_arrays(columns, schema=self._schema))

    def finish(self) -> None:
        self._writer.close()


def _flat_type(kind: pa.DataType) -> pa.DataType:
    return pa.string() if pa.types.is_list(kind) or pa.types.is_dictionary(kind) else kind


def _flat(column: pa.Array) -> pa.Array:
    """Return a column of plain values; what is not known in a list is a question mark."""
    if pa.types.is_dictionary(column.type):
        return column.dictionary_decode()
    if not pa.types.is_list(column.type):
        return column
    texts = pc.fill_null(column.values.cast(pa.string()), _UNKNOWN)
    lists = pa.ListArray.from_buffers(
        pa.list_(pa.string()), len(column), column.buffers()[:2], column.null_count, column.offset, [texts]
    )
    return pc.binary_join(lists, " ")


def _tsv(stream: BinaryIO, schema: pa.Schema, rows: str) -> _Csv:
    return _Csv(stream, schema, rows, delimiter="\t")


TABLE_FORMATS: Final[dict[str, Callable[[BinaryIO, pa.Schema, str], TableFile]]] = {
    "parquet": _Parquet,
    "csv": _Csv,
    "tsv": _tsv,
}
"""By name, which is also their suffix: what makes a file of a stream, the columns, and what a row is."""


def table_format_of(path: Path | None, format: str | None) -> str:
    """Return the format of a table: the one that is named, or that the suffix tells.

    Raises:
        UsageError: There is no such format.
    """
    named: Any = format or (path.suffix.lower().removeprefix(".") if path is not None else "")
    if named in TABLE_FORMATS:
        return str(named)
    known = ", ".join(TABLE_FORMATS)
    if format is not None:
        raise UsageError(f"a table cannot be written as {format!r}; known formats: {known}")
    if path is None:
        raise UsageError(f"a stream has no suffix: name the format; known: {known}")
    raise UsageError(f"the suffix does not tell the format of a table; known: {known}", path=path)
