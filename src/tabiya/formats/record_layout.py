"""The layout of records in a Parquet file, and the mark that makes such a file a database."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, Final

import pyarrow as pa
import pyarrow.compute as pc

from tabiya.errors import CorruptError, FormatError, UnsupportedError
from tabiya.game import GameBatch
from tabiya.game.annotations import Side
from tabiya.game.record import RecordKind, Result, Variant
from tabiya.game.schema import RECORD_SCHEMA

if TYPE_CHECKING:
    from collections.abc import Mapping

_KEY: Final = b"tabiya"
_VERSION: Final = 1
_CODES: Final = {"kind": len(RecordKind), "variant": len(Variant), "result": len(Result)}
"""Number of values of columns that contain one of a few codes, counted from 0."""


def marked(schema: pa.Schema, holds: str) -> pa.Schema:
    """Return the columns of a file with the mark that states their content; only ``games`` are a database."""
    return schema.with_metadata({_KEY: json.dumps({"holds": holds, "version": _VERSION}).encode()})


FILE_SCHEMA: Final = marked(RECORD_SCHEMA, "games")
"""The columns of a file, with the mark that states their content."""


def check_metadata(metadata: Mapping[bytes, bytes] | None) -> None:
    """Raise an error unless the metadata marks a database of a version that this tabiya supports."""
    try:
        mark: Any = json.loads((metadata or {})[_KEY])
        holds, version = str(mark["holds"]), int(mark["version"])
    except (KeyError, TypeError, ValueError, RecursionError):
        raise FormatError("is a Parquet file, but not one that tabiya has written as a database") from None
    if holds != "games":
        raise FormatError(f"is a table of {holds[:40]} made by tabiya, not a database; read it with DuckDB or pandas")
    if version > _VERSION:
        raise UnsupportedError(f"was written by a newer tabiya (version {version} of the layout; known: {_VERSION})")


def check_columns(schema: pa.Schema) -> None:
    """Raise an error unless a file has every column of a record once, with a compatible type."""
    for field in RECORD_SCHEMA:
        found = schema.get_all_field_indices(field.name)
        if len(found) != 1:
            what = f"has {len(found)} columns {field.name}" if found else f"lacks the column {field.name} of a database"
            raise CorruptError(what)
        kind = schema.field(found[0]).type
        if not _is_like(kind, field.type):
            raise CorruptError(f"has a column {field.name} that is not one of a database: {str(kind)[:80]}")


def _is_like(found: pa.DataType, expected: pa.DataType) -> bool:
    """Return whether a type is compatible: programs choose the widths of numbers and offsets."""
    if pa.types.is_struct(expected):
        return pa.types.is_struct(found) and all(
            len(found.get_all_field_indices(member.name)) == 1 and _is_like(found.field(member.name).type, member.type)
            for member in expected
        )
    if pa.types.is_list(expected):
        lists = (pa.types.is_list, pa.types.is_large_list)
        return any(test(found) for test in lists) and _is_like(found.value_type, expected.value_type)
    return _family(found) == _family(expected)


def _family(kind: pa.DataType) -> str:
    name = str(kind.value_type if pa.types.is_dictionary(kind) else kind)
    families = {
        "number": r"u?int\d+|float|halffloat|double",
        "text": r"(large_|fixed_size_)?(string|binary)(_view|\[\d+\])?",
    }
    return next((family for family, names in families.items() if re.fullmatch(names, name)), name)


def check_records(records: pa.RecordBatch) -> None:
    """Raise an error unless records are sound, as all other code assumes: UTF-8, no missing values, valid codes."""
    records.validate(full=True)
    for field, column in zip(records.schema, records.columns, strict=True):
        _check_gaps(field, column)
    for name, count in _CODES.items():
        _check_codes(records[name], count, f"column {name}")
    if "annotations" in records.schema.names:
        _check_codes(records["annotations"].flatten().field("side"), len(Side), "sides of annotations")


def _check_codes(values: pa.Array, count: int, what: str) -> None:
    greatest = pc.max(values).as_py()
    if greatest is not None and greatest >= count:
        raise CorruptError(f"has the value {greatest} in the {what}, which has values from 0 to {count - 1}")


def sound_batch(table: pa.Table) -> GameBatch:
    """Return the rows of a file as a batch after checking what kernels assume: types, UTF-8, codes, no gaps."""
    try:
        whole = table.select(RECORD_SCHEMA.names).cast(RECORD_SCHEMA).unify_dictionaries().combine_chunks()
    except (ValueError, pa.ArrowException) as error:
        raise CorruptError(f"has columns that are not those of a database: {error}") from error
    batches = whole.to_batches()
    if not batches:
        return GameBatch.empty()
    records = batches[0].replace_schema_metadata(None)
    check_records(records)
    return GameBatch(records)


def _check_gaps(field: pa.Field, column: pa.Array) -> None:
    """Raise an error if a required value is missing; lists and structs are at most three deep."""
    waiting = [(field, column)]
    while waiting:
        field, column = waiting.pop()
        if not field.nullable and column.null_count:
            raise CorruptError(f"has a gap in the column {field.name}")
        if pa.types.is_list(field.type):
            waiting.append((field.type.value_field, column.flatten()))
        elif pa.types.is_struct(field.type):
            waiting += zip(field.type, column.flatten(), strict=True)
