"""Converts a batch to the columns that kernels write files from; the inverse of :mod:`tabiya.game.assemble`.

Costs time per record and per list, never per move or comment: buffers are shared, not copied.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from tabiya.errors import CorruptError
from tabiya.game.fields import FIELDS, HEADER, NAME, TEXTS, Field
from tabiya.game.view_kernel import BatchView

if TYPE_CHECKING:
    import pyarrow as pa
    from numpy.typing import NDArray

    from tabiya.game.batch import GameBatch

_NO_BYTES = np.zeros(0, np.uint8)


def view_of(batch: GameBatch) -> BatchView:
    """Return a view for kernels; CorruptError if the columns of the batch are inconsistent."""
    records = batch.record_batch
    columns: dict[str, Any] = {"interned": []}
    try:
        for field in HEADER:
            columns[field.name] = _single_values(records.column(field.name), field, columns["interned"])
        for field in FIELDS:
            if field.members:
                columns |= _list(records.column(field.name), field)
            elif field.type in TEXTS:
                columns |= _members(records.column(field.name), field)
        return BatchView(len(batch), columns)
    except ValueError as error:
        raise CorruptError(f"this batch is damaged: {error}") from error


def _single_values(column: pa.Array, field: Field, interned: list[Any]) -> NDArray[np.int32]:
    """Return the values of a column in 32 bits; for names the indices of strings, which are added to ``interned``."""
    if field.type == NAME:
        ends, letters = strings_of(column.dictionary)
        interned.append((letters, ends))
        column = column.indices
    if field.type == "bool":
        values = _bits(column, 1).astype(np.int32)
    else:
        values = _numbers(column, "int32" if field.type == NAME else field.type).astype(np.int32)
    if column.null_count:
        values[_bits(column, 0) == 0] = _null(field)
    return values


def _list(column: pa.Array, field: Field) -> dict[str, Any]:
    """Return the ends of lists, and the columns of their members."""
    item = field.name.removesuffix("s")
    ends = np.ascontiguousarray(column.offsets.to_numpy(), np.int32)
    found: dict[str, Any] = {f"{item}_ends": ends}
    if field.members[0].name == "item":
        (values,) = _members(column.values, field.members[0]).values()
        return found | {field.name: values}
    for member, part in zip(field.members, column.values.flatten(), strict=True):
        found |= _members(part, member, f"{item}_")
    return found


def _members(column: pa.Array, field: Field, prefix: str = "") -> dict[str, Any]:
    name = f"{prefix}{field.alias or field.name}"
    missing = _null(field) if column.null_count else None
    if field.type in TEXTS:
        ends, letters = strings_of(column)
        found = {name: letters, f"{name}_ends": ends}
        return found if field.missing is None else found | {f"{prefix}has_{field.name}": _present(column)}
    values = _numbers(column, field.type)
    return {name: values if missing is None else np.where(_bits(column, 0), values, missing).astype(field.type)}


def _null(field: Field) -> int:
    """Return the value for null in kernels; ValueError if nulls are not allowed."""
    if field.missing is None:
        raise ValueError(f"null in {field.name}")
    return field.missing


def _numbers(column: pa.Array, kind: str) -> NDArray[Any]:
    """Return the values of a column of numbers; undefined where it is null."""
    if len(column) == 0:
        return _NO_BYTES.view(kind)
    offset = column.offset * np.dtype(kind).itemsize
    return np.frombuffer(column.buffers()[1], kind, count=len(column), offset=offset)


def _present(column: pa.Array) -> NDArray[np.uint8]:
    return _bits(column, 0) if column.null_count else np.ones(len(column), np.uint8)


def _bits(column: pa.Array, buffer: int) -> NDArray[np.uint8]:
    """Return one of the buffers that have a bit for each value."""
    if len(column) == 0:
        return _NO_BYTES
    bits = np.frombuffer(column.buffers()[buffer], np.uint8)
    return np.unpackbits(bits, count=column.offset + len(column), bitorder="little")[column.offset :]


def strings_of(column: pa.Array) -> tuple[NDArray[np.int32], NDArray[np.uint8]]:
    """Return the starts and ends of the strings of a column, and their bytes; nulls are marked elsewhere."""
    if len(column) == 0:
        return np.zeros(1, np.int32), _NO_BYTES
    _, ends, data = column.buffers()
    offsets = np.frombuffer(ends, np.int32)[column.offset : column.offset + len(column) + 1]
    return offsets, _NO_BYTES if data is None else np.frombuffer(data, np.uint8)
