"""Turns the columns that a kernel has filled into a batch. Costs time per record, never per move or comment."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from tabiya.game.batch import GameBatch
from tabiya.game.columns_kernel import BatchBuilder
from tabiya.game.fields import FIELDS, HEADER, NAME, NAMES, TEXTS, Field
from tabiya.game.schema import RECORD_SCHEMA

if TYPE_CHECKING:
    from numpy.typing import NDArray


def new_builder() -> BatchBuilder:
    """Return an empty builder for a kernel to fill."""
    return BatchBuilder(secrets.randbits(64))


def assemble(columns: dict[str, Any], *, first_number: int = 1) -> GameBatch:
    """Return the batch of the columns from ``BatchBuilder.finish``; records are numbered from ``first_number``."""
    count = columns["records"]
    numbers = np.arange(first_number, first_number + count, dtype=np.int64)
    headers = np.frombuffer(columns["headers"], np.int32).reshape(count, len(HEADER)).T.copy()
    arrays = {"number": pa.array(numbers)}
    for field, stored in zip(HEADER, headers, strict=True):
        values = stored if field.type == NAME else stored.astype(field.type)
        arrays[field.name] = _nullable(values, stored, field.missing)
    for field, strings in zip(NAMES, columns["interned"], strict=True):
        arrays[field.name] = pa.DictionaryArray.from_arrays(arrays[field.name], _strings(strings, pa.string()))
    for field in FIELDS:
        if field.name not in arrays:
            arrays[field.name] = _list(field, columns) if field.members else _members(field, columns, pa.string())
    return GameBatch(pa.RecordBatch.from_arrays([arrays[name] for name in RECORD_SCHEMA.names], schema=RECORD_SCHEMA))


def _list(field: Field, columns: dict[str, Any]) -> pa.Array:
    kind = RECORD_SCHEMA.field(field.name).type
    item = field.name.removesuffix("s")
    if pa.types.is_struct(kind.value_type):
        parts = [_members(each, columns, kind.value_type.field(each.name).type, f"{item}_") for each in field.members]
        members = pa.StructArray.from_arrays(parts, fields=list(kind.value_type))
    else:
        members = _numbers(columns[field.name], kind.value_type)
    ends = pa.py_buffer(columns[f"{item}_ends"])
    return pa.Array.from_buffers(kind, ends.size // 4 - 1, [None, ends], children=[members])


def _members(field: Field, columns: dict[str, Any], kind: pa.DataType, prefix: str = "") -> pa.Array:
    name = f"{prefix}{field.alias or field.name}"
    if field.type in TEXTS:
        present = None if field.missing is None else columns[f"{prefix}has_{field.name}"]
        return _strings((columns[name], columns[f"{name}_ends"]), kind, present)
    if field.missing is None:
        return _numbers(columns[name], kind)
    values = np.frombuffer(columns[name], field.type)
    return _nullable(values, values, field.missing)


def _numbers(buffer: object, kind: pa.DataType) -> pa.Array:
    data = pa.py_buffer(buffer)
    return pa.Array.from_buffers(kind, data.size // (kind.bit_width // 8), [None, data])


def _nullable(values: NDArray[Any], stored: NDArray[Any], missing: int | None) -> pa.Array:
    if missing is None:
        return pa.array(values)
    return pa.array(values, mask=stored < 0 if missing < 0 else stored == missing)


def _strings(column: tuple[object, object], kind: pa.DataType, present: Any = None) -> pa.Array:
    data, ends = (pa.py_buffer(part) for part in column)
    count = ends.size // 4 - 1
    validity = None
    if present is not None:
        flags: NDArray[np.uint8] = np.frombuffer(present, np.uint8)
        if not flags.all():
            validity = pa.py_buffer(np.packbits(flags, bitorder="little"))
    return pa.Array.from_buffers(kind, count, [validity, ends, data])
