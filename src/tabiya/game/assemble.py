"""From the columns that a kernel has filled to a batch. Costs time per record, never per move or comment."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from tabiya.game.batch import GameBatch
from tabiya.game.columns_kernel import BatchBuilder
from tabiya.game.schema import ANNOTATION, EXTRA, NAME_COLUMNS, PROBLEM, RECORD_SCHEMA, TAG, TEXT

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["assemble", "new_builder"]


def new_builder() -> BatchBuilder:
    """An empty builder for a kernel to fill."""
    return BatchBuilder(secrets.randbits(64))


def assemble(columns: dict[str, Any], *, first_number: int = 1) -> GameBatch:
    """The batch that ``BatchBuilder.finish`` has given the columns of; records are numbered from ``first_number``."""
    count = columns["records"]
    names = {
        name: _interned(indexes, strings)
        for name, indexes, strings in zip(NAME_COLUMNS, columns["names"], columns["interned"], strict=True)
    }
    by_name = {
        **names,
        "number": pa.array(np.arange(first_number, first_number + count, dtype=np.int64)),
        "kind": _numbers(columns["kind"], pa.uint8()),
        "deleted": pa.array(np.frombuffer(columns["deleted"], np.uint8).astype(bool)),
        "variant": _numbers(columns["variant"], pa.uint8()),
        "start": _strings(columns["start"], pa.string(), columns["has_start"]),
        **{name: _nullable(columns[name], kind, 0) for name, kind in (("year", np.uint16), ("month", np.uint8))},
        "day": _nullable(columns["day"], np.uint8, 0),
        "white_elo": _elo(columns["white_elo"]),
        "black_elo": _elo(columns["black_elo"]),
        "result": _nullable(columns["result"], np.uint8, 255),
        "tags": _list(
            columns["tag_ends"],
            _struct(TAG, [_strings(columns[name], pa.string()) for name in ("tag_names", "tag_values")]),
        ),
        "moves": _list(columns["move_ends"], _numbers(columns["moves"], pa.uint16())),
        "annotations": _list(columns["annotation_ends"], _annotations(columns)),
        "texts": _list(columns["text_ends"], _texts(columns)),
        "extras": _list(
            columns["extra_ends"],
            _struct(
                EXTRA, [_strings(columns["extra_keys"], pa.string()), _strings(columns["extra_values"], pa.binary())]
            ),
        ),
        "problems": _list(columns["problem_ends"], _problems(columns)),
    }
    return GameBatch(pa.RecordBatch.from_arrays([by_name[name] for name in RECORD_SCHEMA.names], schema=RECORD_SCHEMA))


def _annotations(columns: dict[str, Any]) -> pa.Array:
    return _struct(
        ANNOTATION,
        [
            _numbers(columns["annotation_move"], pa.int32()),
            _numbers(columns["annotation_side"], pa.uint8()),
            _numbers(columns["annotation_kind"], pa.uint16()),
            _numbers(columns["annotation_lang"], pa.uint8()),
            _strings(columns["annotation_data"], pa.binary()),
            _strings(columns["annotation_raw"], pa.binary(), columns["annotation_has_raw"]),
        ],
    )


def _texts(columns: dict[str, Any]) -> pa.Array:
    return _struct(
        TEXT,
        [
            _numbers(columns["text_lang"], pa.uint16()),
            _strings(columns["text_title"], pa.string()),
            _numbers(columns["text_format"], pa.uint16()),
            _strings(columns["text_body"], pa.binary()),
            _strings(columns["text_formatting"], pa.binary(), columns["text_has_formatting"]),
        ],
    )


def _problems(columns: dict[str, Any]) -> pa.Array:
    offsets = np.frombuffer(columns["problem_offset"], np.int64)
    return _struct(
        PROBLEM,
        [
            _numbers(columns["problem_code"], pa.uint16()),
            pa.array(offsets, mask=offsets < 0),
            _strings(columns["problem_text"], pa.string()),
        ],
    )


def _numbers(buffer: object, kind: pa.DataType) -> pa.Array:
    data = pa.py_buffer(buffer)
    return pa.Array.from_buffers(kind, data.size // (kind.bit_width // 8), [None, data])


def _nullable(buffer: Any, kind: type[np.unsignedinteger[Any]], missing: int) -> pa.Array:
    values = np.frombuffer(buffer, kind)
    return pa.array(values, mask=values == missing)


def _elo(buffer: Any) -> pa.Array:
    values = np.frombuffer(buffer, np.int32)
    return pa.array(values.astype(np.uint16), mask=values < 0)


def _strings(column: tuple[object, object], kind: pa.DataType, present: Any = None) -> pa.Array:
    data, ends = (pa.py_buffer(part) for part in column)
    count = ends.size // 4 - 1
    validity = None
    if present is not None:
        flags: NDArray[np.uint8] = np.frombuffer(present, np.uint8)
        if not flags.all():
            validity = pa.py_buffer(np.packbits(flags, bitorder="little"))
    return pa.Array.from_buffers(kind, count, [validity, ends, data])


def _interned(indexes: Any, strings: tuple[object, object]) -> pa.Array:
    places = np.frombuffer(indexes, np.int32)
    return pa.DictionaryArray.from_arrays(pa.array(places, mask=places < 0), _strings(strings, pa.string()))


def _struct(kind: pa.StructType, members: list[pa.Array]) -> pa.Array:
    return pa.StructArray.from_arrays(members, fields=[kind.field(i) for i in range(kind.num_fields)])


def _list(ends: object, members: pa.Array) -> pa.Array:
    offsets = pa.py_buffer(ends)
    kind = pa.list_(pa.field("item", members.type, nullable=False))
    return pa.Array.from_buffers(kind, offsets.size // 4 - 1, [None, offsets], children=[members])
