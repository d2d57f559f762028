"""Splits and joins lists of records in a batch by whole columns: no Python object per member."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    Rows = NDArray[np.int64]


def members(column: pa.ListArray) -> tuple[pa.Array, Rows]:
    """Return the members of all lists in sequence, and the start and end of each list."""
    offsets: Rows = column.offsets.to_numpy().astype(np.int64)
    return column.values.slice(int(offsets[0]), int(offsets[-1] - offsets[0])), offsets - offsets[0]


def owners(offsets: Rows) -> Rows:
    """Return the row of every member."""
    return np.repeat(np.arange(len(offsets) - 1, dtype=np.int64), np.diff(offsets))


def _list(offsets: Rows, values: pa.Array, column: pa.ListArray) -> pa.ListArray:
    return pa.ListArray.from_arrays(pa.array(offsets, pa.int32()), values, type=column.type)


def filtered(column: pa.ListArray, kept: NDArray[np.bool_]) -> pa.ListArray:
    """Return the lists without those members that are not ``kept``."""
    values, offsets = members(column)
    ends: Rows = np.concatenate(([0], np.cumsum(kept, dtype=np.int64)))
    return _list(ends[offsets], values.filter(pa.array(kept)), column)


def joined(column: pa.ListArray, more: pa.Array, rows: Rows, *, first: bool = False) -> pa.ListArray:
    """Return the lists with more members at their ends, or ``first``; ``rows`` contains the list of each of them."""
    values, offsets = members(column)
    owner = np.concatenate((owners(offsets), rows))
    if first:
        order = np.argsort(np.concatenate((rows, owners(offsets))), kind="stable")
        order = np.where(order < len(rows), order + len(values), order - len(rows))
    else:
        order = np.argsort(owner, kind="stable")
    counts = np.bincount(owner, minlength=len(column))
    ends: Rows = np.concatenate(([0], np.cumsum(counts)))
    return _list(ends, pa.concat_arrays([values, more.cast(values.type)]).take(pa.array(order)), column)


def with_field(column: pa.ListArray, name: str, field: pa.Array) -> pa.ListArray:
    """Return the lists of structs with new values of a field; ``field`` has one for every member."""
    values, offsets = members(column)
    fields = [field if each.name == name else values.field(each.name) for each in values.type]
    return _list(offsets, pa.StructArray.from_arrays(fields, fields=list(values.type)), column)


def spliced(column: pa.ListArray, rows: Sequence[int], lists: Sequence[Sequence[Any]]) -> pa.ListArray:
    """Return the column with some rows replaced by lists of Python values; other rows are not read."""
    values, offsets = members(column)
    more = pa.array([member for members_ in lists for member in members_], type=values.type)
    lengths, begins = np.diff(offsets), offsets[:-1].copy()
    if len(rows):
        lengths[rows] = [len(members_) for members_ in lists]
        begins[rows] = len(values) + np.concatenate(([0], np.cumsum(lengths[rows])))[:-1]
    ends: Rows = np.concatenate(([0], np.cumsum(lengths)))
    order = np.repeat(begins - ends[:-1], lengths) + np.arange(ends[-1])
    return _list(ends, pa.concat_arrays([values, more]).take(pa.array(order)), column)
