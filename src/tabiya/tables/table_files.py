"""Table files for other programs: Parquet, and CSV for spreadsheets."""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any, BinaryIO, Final, Protocol

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from pyarrow import csv

from tabiya.errors import UsageError
from tabiya.formats.record_layout import marked
from tabiya.game.own_names import joined

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

_GROUP_ROWS: Final = 1 << 17
_GROUP_BYTES: Final = 64 << 20
"""A row group ends after a fixed number of rows, or earlier if they are long."""
_UNKNOWN: Final = "?"
_FORMULA: Final = r"^[=+\-@\t\r\n]"
"""Beginnings of text that a spreadsheet may interpret as a formula."""
_CONTROLS: Final = "[\\x00-\\x08\\x0B\\x0C\\x0E-\\x1F\\x7F-\\x{9F}\\x{202A}-\\x{202E}\\x{2066}-\\x{2069}]"
"""Control characters that affect terminals, and those that reverse the direction of a text."""


class TableFile(Protocol):
    """A file that takes the rows of a table."""

    def add(self, rows: pa.RecordBatch) -> None:
        """Append rows."""

    def finish(self) -> None:
        """Write pending rows and the end of the file, but leave the stream open."""

    def discard(self) -> None:
        """Stop; the stream is thrown away."""


class _Parquet:
    """Rows in groups, compressed with zstd; the metadata mark it as a table, not a database."""

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
        joint = joined(self._waiting)
        self._waiting = []
        for rows in joint:
            self._writer.write_batch(rows.replace_schema_metadata(self._schema.metadata))

    def finish(self) -> None:
        if self._waiting:
            self._store_group()
        self._writer.close()

    def discard(self) -> None:
        # Left open, it would be closed when it is collected, and print that the stream is closed already.
        with suppress(pa.ArrowException, OSError, ValueError):
            self._writer.close()


def _repeating(schema: pa.Schema) -> list[str]:
    """Return the columns in which values repeat often; those of positions hardly ever do."""
    unique = ("fen", "fens", "key", "keys", "movetext", "moves", "annotations", "texts", "extras", "problems")
    return [
        f"{field.name}.list.element" if pa.types.is_list(field.type) else field.name
        for field in schema
        if field.name.partition(":")[0] not in unique
    ]


class _Csv:
    """Rows as text with a header line; the members of lists are separated by blanks."""

    def __init__(
        self, stream: BinaryIO, schema: pa.Schema, rows: str, *, delimiter: str = ",", spreadsheet: bool = False
    ) -> None:
        del rows
        self._spreadsheet = spreadsheet
        for field in schema:
            if pa.types.is_list(field.type) and pa.types.is_nested(field.type.value_type):
                raise UsageError(f"the column {field.name!r} cannot be written as text: write Parquet instead")
        self._schema = pa.schema([pa.field(field.name, _flat_type(field.type)) for field in schema])
        options = csv.WriteOptions(delimiter=delimiter, quoting_style="needed")
        self._writer = csv.CSVWriter(stream, self._schema, write_options=options)

    def add(self, rows: pa.RecordBatch) -> None:
        columns = [_flat(column) for column in rows.columns]
        flat = pa.RecordBatch.from_arrays(columns, schema=self._schema)
        self._writer.write_batch(spreadsheet_safe(flat) if self._spreadsheet else flat)

    def finish(self) -> None:
        self._writer.close()

    def discard(self) -> None:
        pass


def spreadsheet_safe(rows: pa.RecordBatch) -> pa.RecordBatch:
    """Return rows without texts that a spreadsheet would calculate: these get a leading apostrophe.

    Control characters become replacement characters (U+FFFD).
    """
    columns = []
    for column in rows.columns:
        if pa.types.is_string(column.type):
            column = pc.replace_substring_regex(column, _CONTROLS, "\N{REPLACEMENT CHARACTER}")
            marked_texts = pc.binary_join_element_wise("'", column, "")
            column = pc.if_else(pc.match_substring_regex(column, _FORMULA), marked_texts, column)
        columns.append(column)
    return pa.RecordBatch.from_arrays(columns, schema=rows.schema)


def _flat_type(kind: pa.DataType) -> pa.DataType:
    return pa.string() if pa.types.is_list(kind) or pa.types.is_dictionary(kind) else kind


def _flat(column: pa.Array) -> pa.Array:
    """Return a column of plain values; an unknown value in a list is a question mark."""
    if pa.types.is_dictionary(column.type):
        return column.dictionary_decode()
    if not pa.types.is_list(column.type):
        return column
    texts = pc.fill_null(column.values.cast(pa.string()), _UNKNOWN)
    lists = pa.ListArray.from_buffers(
        pa.list_(pa.string()), len(column), column.buffers()[:2], column.null_count, column.offset, [texts]
    )
    return pc.binary_join(lists, " ")


TABLE_FORMATS: Final[dict[str, Callable[..., TableFile]]] = {
    "parquet": _Parquet,
    "csv": _Csv,
    "tsv": partial(_Csv, delimiter="\t"),
}
"""By name, which is also the suffix: a function that makes a file from a stream, the columns, and what a row is."""


def table_format_of(path: Path | None, format: str | None) -> str:
    """Return the format of a table: the one that is given, or the one of the suffix.

    Raises:
        UsageError: The format is unknown.
    """
    named: Any = format or (path.suffix.lower().removeprefix(".") if path is not None else "")
    if named in TABLE_FORMATS:
        return str(named)
    known = ", ".join(TABLE_FORMATS)
    if format is not None:
        raise UsageError(f"a table cannot be written as {format!r}; known formats: {known}")
    if path is None:
        raise UsageError(f"a stream has no suffix: name the format; known: {known}")
    raise UsageError(f"the suffix does not give the format of a table; known: {known}", path=path)
