"""The headers of records as rows for printing. Imported only when there are rows to print: it needs pyarrow."""

from __future__ import annotations

from itertools import chain, repeat
from typing import TYPE_CHECKING, Any

import pyarrow as pa
from pyarrow import csv
from rich.cells import cell_len, set_cell_size

from tabiya.cli.output import plain
from tabiya.game import RecordKind
from tabiya.game.tag_texts import COLUMN_TEXTS, LISTED_TAGS
from tabiya.tables.table_files import spreadsheet_safe

if TYPE_CHECKING:
    from collections.abc import Iterator

_KINDS = pa.array([kind.name.lower() for kind in RecordKind])
_NUMBERS = ("white_elo", "black_elo")
_ORIGIN = ("source", "source_number")
_WIDTHS = {"white": 24, "white_elo": 4, "black": 24, "black_elo": 4, "result": 7, "date": 10, "eco": 3, "event": 30}
_MARKS = {"game": " ", "text": "t", "opaque": "o"}


def _flat(headers: pa.RecordBatch) -> pa.RecordBatch:
    """Return one plain column for each printed value."""
    columns = {
        "number": headers["number"],
        "kind": _KINDS.take(headers["kind"]),
        "deleted": headers["deleted"],
        **{
            name: headers[name] if name in _NUMBERS else COLUMN_TEXTS[tag](headers) for name, tag in LISTED_TAGS.items()
        },
    }
    columns |= {name: _plain_names(headers[name]) for name in _ORIGIN if name in headers.schema.names}
    return pa.RecordBatch.from_arrays(list(columns.values()), list(columns))


def _plain_names(column: pa.Array) -> pa.Array:
    return column.dictionary_decode() if pa.types.is_dictionary(column.type) else column


def csv_text(headers: pa.RecordBatch, *, titles: bool, spreadsheet: bool = False) -> str:
    """Return records as CSV, optionally with a header line, and without texts that a spreadsheet would calculate."""
    sink = pa.BufferOutputStream()
    flat = spreadsheet_safe(_flat(headers)) if spreadsheet else _flat(headers)
    csv.write_csv(flat, sink, csv.WriteOptions(include_header=titles, quoting_style="needed"))
    return bytes(sink.getvalue()).decode()


def json_rows(headers: pa.RecordBatch) -> list[dict[str, Any]]:
    """Return records as objects for JSON; ``tags`` contains those without a column, and unusual spellings."""
    rows: list[dict[str, Any]] = _flat(headers).append_column("tags", headers["tags"]).to_pylist()
    return rows


def text_lines(headers: pa.RecordBatch) -> Iterator[str]:
    """Yield each record as a line of aligned columns; long names are cut. A mark denotes records other than games.

    The origin is at the end, if there is one.
    """
    flat = _flat(headers)
    origins = zip(*(flat[name].to_pylist() for name in _ORIGIN), strict=True) if _ORIGIN[0] in flat.schema.names else ()
    cells = [flat[name].to_pylist() for name in _WIDTHS]
    ends = chain((f"{plain(source or 'stream')}:{number}" for source, number in origins), repeat(""))
    rows = zip(flat["number"].to_pylist(), flat["kind"].to_pylist(), flat["deleted"].to_pylist(), *cells, strict=True)
    for (number, kind, deleted, *values), end in zip(rows, ends, strict=False):
        mark = "d" if deleted else _MARKS[kind]
        texts = (_cut(value, width) for value, width in zip(values, _WIDTHS.values(), strict=True))
        yield f"{number:>8}{mark} {' '.join(texts)} {end}".rstrip()


def _cut(value: object, width: int) -> str:
    if value is None:
        return " " * width
    text = plain(value)
    if text.isascii():
        return f"{text:<{width}}" if len(text) <= width else f"{text[: width - 1]}…"
    return set_cell_size(text, width) if cell_len(text) <= width else f"{set_cell_size(text, width - 1)}…"
