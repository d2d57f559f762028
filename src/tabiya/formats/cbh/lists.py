"""Columns of lists, made for all records at once from what each of several sources has to say about some of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from tabiya.game.schema import EXTRA, PROBLEM, TAG

__all__ = ["Piece", "concat_lists", "empty_lists", "keyed_lists", "problem_lists"]


@dataclass(frozen=True, slots=True)
class Piece:
    """Something about some records: which (each at most once, in order), and a text for each of these."""

    key: str | int
    rows: NDArray[np.int64]
    texts: pa.Array

    @classmethod
    def of(cls, key: str | int, texts: pa.Array) -> Piece:
        """The texts of all records, those that are not null."""
        if texts.null_count == len(texts):
            return cls(key, np.empty(0, np.int64), texts.slice(0, 0))
        return cls(key, np.flatnonzero(texts.is_valid().to_numpy(zero_copy_only=False)), texts.drop_null())


def keyed_lists(pieces: Sequence[Piece], count: int, kind: pa.StructType) -> pa.Array:
    """Tags or extras: for each record the keys and texts of the pieces that speak about it, in the order of these."""
    pieces = [piece for piece in pieces if len(piece.rows)]
    offsets, order = _interleaved(pieces, count)
    keys = np.repeat(np.arange(len(pieces)), [len(piece.rows) for piece in pieces])
    value_type = kind.field(1).type
    values = pa.concat_arrays([pa.array([], value_type), *(piece.texts.cast(value_type) for piece in pieces)])
    members = [
        pa.array([piece.key for piece in pieces], pa.string()).take(pa.array(keys[order])),
        values.take(pa.array(order)),
    ]
    return _lists(kind, offsets, members)


def problem_lists(pieces: Sequence[Piece], count: int) -> pa.Array:
    """Problems, whose codes are the keys of the pieces."""
    pieces = [piece for piece in pieces if len(piece.rows)]
    offsets, order = _interleaved(pieces, count)
    codes = np.repeat(np.array([piece.key for piece in pieces], np.uint16), [len(piece.rows) for piece in pieces])
    texts = pa.concat_arrays([pa.array([], pa.string()), *(piece.texts for piece in pieces)])
    members = [pa.array(codes[order], pa.uint16()), pa.nulls(len(order), pa.int64()), texts.take(pa.array(order))]
    return _lists(PROBLEM, offsets, members)


def empty_lists(count: int, kind: pa.StructType) -> pa.Array:
    """Nothing about any record."""
    if kind is PROBLEM:
        return problem_lists([], count)
    return keyed_lists([], count, kind)


def _interleaved(pieces: Sequence[Piece], count: int) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """The offsets of the lists, and for each place in them the number of the member that goes there."""
    lengths = np.zeros(count + 1, np.int64)
    for piece in pieces:
        lengths[piece.rows + 1] += 1
    offsets = np.cumsum(lengths)
    order = np.empty(int(offsets[-1]), np.int64)
    free = offsets[:-1].copy()
    begin = 0
    for piece in pieces:
        order[free[piece.rows]] = np.arange(begin, begin + len(piece.rows))
        free[piece.rows] += 1
        begin += len(piece.rows)
    return offsets.astype(np.int32), order


def _lists(kind: pa.StructType, offsets: NDArray[np.int32], members: list[pa.Array]) -> pa.Array:
    items = pa.StructArray.from_arrays(members, fields=[kind.field(i) for i in range(kind.num_fields)])
    return pa.ListArray.from_arrays(
        pa.array(offsets), items, type=pa.list_(pa.field("item", kind, nullable=False))
    )


def concat_lists(first: pa.Array, second: pa.Array) -> pa.Array:
    """The members of both lists of each record, the first ones first."""
    if not len(second.flatten()):
        return first
    if not len(first.flatten()):
        return second
    lengths = [np.diff(lists.offsets.to_numpy()) for lists in (first, second)]
    offsets = np.concatenate([[0], np.cumsum(lengths[0] + lengths[1])])
    order = np.empty(int(offsets[-1]), np.int64)
    members = 0
    begins = offsets[:-1].copy()
    for own in lengths:
        total = int(own.sum())
        within = np.arange(total) - np.repeat(np.cumsum(own) - own, own)
        order[np.repeat(begins, own) + within] = np.arange(members, members + total)
        begins += own
        members += total
    items = pa.concat_arrays([first.flatten(), second.flatten()]).take(pa.array(order))
    return pa.ListArray.from_arrays(pa.array(offsets.astype(np.int32)), items, type=first.type)


KEYED = (TAG, EXTRA)
