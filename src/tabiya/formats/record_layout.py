"""How records are laid out in a Parquet file, and what makes such a file a database."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

import pyarrow as pa

from tabiya.errors import CorruptError, FormatError, UnsupportedError
from tabiya.game import GameBatch
from tabiya.game.schema import RECORD_SCHEMA

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["FILE_SCHEMA", "check_metadata", "marked", "sound_batch"]

_KEY: Final = b"tabiya"
_VERSION: Final = 1


def marked(schema: pa.Schema, holds: str) -> pa.Schema:
    """Return the columns of a file with the mark that says what they are; only ``games`` are a database."""
    return schema.with_metadata({_KEY: json.dumps({"holds": holds, "version": _VERSION}).encode()})


FILE_SCHEMA: Final = marked(RECORD_SCHEMA, "games")
"""The columns of a file, with the mark that says what they are."""


def check_metadata(metadata: Mapping[bytes, bytes] | None) -> None:
    """Raise an error unless a file says that it is a database, of a version that this tabiya knows."""
    try:
        mark: Any = json.loads((metadata or {})[_KEY])
        holds, version = str(mark["holds"]), int(mark["version"])
    except (KeyError, TypeError, ValueError, RecursionError):
        raise FormatError("is a Parquet file, but not one that tabiya has written as a database") from None
    if holds != "games":
        raise FormatError(f"is a table of {holds[:40]} made by tabiya, not a database; read it with DuckDB or pandas")
    if version > _VERSION:
        raise UnsupportedError(f"was written by a newer tabiya (version {version} of the layout; known: {_VERSION})")


def sound_batch(table: pa.Table) -> GameBatch:
    """Return the rows of a file as a batch, having checked what kernels rely on: types, UTF-8, no gaps."""
    try:
        whole = table.select(RECORD_SCHEMA.names).cast(RECORD_SCHEMA).unify_dictionaries().combine_chunks()
    except (ValueError, pa.ArrowException) as error:
        raise CorruptError(f"has columns that are not those of a database: {error}") from error
    batches = whole.to_batches()
    if not batches:
        return GameBatch.empty()
    records = batches[0].replace_schema_metadata(None)
    records.validate(full=True)
    for field, column in zip(records.schema, records.columns, strict=True):
        _check_gaps(field, column)
    return GameBatch(records)


def _check_gaps(field: pa.Field, column: pa.Array) -> None:
    """Raise an error if a value is missing that must not be; lists and structs are at most three deep."""
    waiting = [(field, column)]
    while waiting:
        field, column = waiting.pop()
        if not field.nullable and column.null_count:
            raise CorruptError(f"has a gap in the column {field.name}")
        if pa.types.is_list(field.type):
            waiting.append((field.type.value_field, column.flatten()))
        elif pa.types.is_struct(field.type):
            waiting += zip(field.type, column.flatten(), strict=True)
