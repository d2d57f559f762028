"""The schema of a batch of records: the one in-between form that every format reads into and writes from.

Later needs add columns; they do not reshape these (a test pins the schema). A missing value is null, never ``?``.
"""

from __future__ import annotations

import pyarrow as pa

from tabiya.game.record import RecordKind, Result, Variant

__all__ = ["NAME_COLUMNS", "RECORD_SCHEMA", "RecordKind", "Result", "Variant"]


NAME = pa.dictionary(pa.int32(), pa.string())

NAME_COLUMNS = ("white", "black", "event", "site", "round", "annotator", "eco")
"""Columns of interned strings."""

TAG = pa.struct([pa.field("name", pa.string(), nullable=False), pa.field("value", pa.string(), nullable=False)])

ANNOTATION = pa.struct(
    [
        pa.field("move", pa.int32(), nullable=False),
        pa.field("side", pa.uint8(), nullable=False),
        pa.field("kind", pa.uint16(), nullable=False),
        pa.field("lang", pa.uint8(), nullable=False),
        pa.field("data", pa.binary(), nullable=False),
        pa.field("raw", pa.binary()),
    ]
)

TEXT = pa.struct(
    [
        pa.field("lang", pa.uint16(), nullable=False),
        pa.field("title", pa.string(), nullable=False),
        pa.field("format", pa.uint16(), nullable=False),
        pa.field("body", pa.binary(), nullable=False),
        pa.field("formatting", pa.binary()),
    ]
)

EXTRA = pa.struct([pa.field("key", pa.string(), nullable=False), pa.field("value", pa.binary(), nullable=False)])

PROBLEM = pa.struct(
    [
        pa.field("code", pa.uint16(), nullable=False),
        pa.field("offset", pa.int64()),
        pa.field("text", pa.string(), nullable=False),
    ]
)


def _list(item: pa.DataType) -> pa.ListType:
    return pa.list_(pa.field("item", item, nullable=False))


RECORD_SCHEMA = pa.schema(
    [
        pa.field("number", pa.int64(), nullable=False),
        pa.field("kind", pa.uint8(), nullable=False),
        pa.field("deleted", pa.bool_(), nullable=False),
        pa.field("variant", pa.uint8(), nullable=False),
        pa.field("start", pa.string()),
        *(pa.field(name, NAME) for name in NAME_COLUMNS),
        pa.field("year", pa.uint16()),
        pa.field("month", pa.uint8()),
        pa.field("day", pa.uint8()),
        pa.field("white_elo", pa.uint16()),
        pa.field("black_elo", pa.uint16()),
        pa.field("result", pa.uint8()),
        pa.field("tags", _list(TAG), nullable=False),
        pa.field("moves", _list(pa.uint16()), nullable=False),
        pa.field("annotations", _list(ANNOTATION), nullable=False),
        pa.field("texts", _list(TEXT), nullable=False),
        pa.field("extras", _list(EXTRA), nullable=False),
        pa.field("problems", _list(PROBLEM), nullable=False),
    ]
)
