"""Columns of lists, made for all records at once from what each of several sources has to say about some of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from tabiya.game.schema import PROBLEM

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["Piece", "concat_lists", "keyed_lists", "problem_lists", "validity"]


@dataclass(frozen=True, slots=True)
class Piece:
    """Something about some records: which (each at most once, in order), and a text for each of these.

    The texts may be those of entities: then ``places`` says for each record which of them is its own.
    """

    key: str | int
    rows: NDArray[np.int64]
    texts: pa.Array
    places: NDArray[np.int64] | None = None

    @classmethod
    def of(cls, key: str | int, texts: pa.Array) -> Piece:
        """The texts of all records, those that are not null."""
        if texts.null_count == len(texts):
            return cls(key, np.empty(0, np.int64), texts.slice(0, 0))
        return cls(key, rows := np.flatnonzero(validity(texts)), texts, rows)


def validity(texts: pa.Array) -> NDArray[np.bool_]:
    """Which texts are not null."""
    found: NDArray[np.bool_] = texts.is_valid().to_numpy(zero_copy_only=False)
    return found


def keyed_lists(pieces: Sequence[Piece], count: int, kind: pa.StructType) -> pa.Array:
    """Tags or extras: for each record the keys and texts of the pieces that speak about it, in the order of these."""
    offsets, keys, texts = _interleaved(pieces, count, kind.field(1).type)
    names = pa.array([piece.key for piece in pieces], pa.string()).take(pa.array(keys))
    return _lists(kind, offsets, [names, texts])


def problem_lists(pieces: Sequence[Piece], count: int) -> pa.Array:
    """Problems, whose codes are the keys of the pieces."""
    offsets, keys, texts = _interleaved(pieces, count, pa.string())
    codes = np.array([piece.key for piece in pieces], np.uint16)[keys]
    return _lists(PROBLEM, offsets, [pa.array(codes, pa.uint16()), pa.nulls(len(keys), pa.int64()), texts])


def _interleaved(
    pieces: Sequence[Piece], count: int, kind: pa.DataType
) -> tuple[NDArray[np.int32], NDArray[np.int32], pa.Array]:
    """The offsets of the lists, and for each member the number of its piece and its text."""
    lengths = np.zeros(count + 1, np.int32)
    for piece in pieces:
        lengths[1:][piece.rows] += 1
    offsets = np.cumsum(lengths, dtype=np.int32)
    keys = np.empty(int(offsets[-1]), np.int32)
    places = np.empty(len(keys), np.int32)
    free = offsets[:-1].copy()
    begin = 0
    for number, piece in enumerate(pieces):
        if not len(piece.rows):
            continue
        members = free[piece.rows]
        keys[members] = number
        places[members] = begin + (np.arange(len(piece.rows)) if piece.places is None else piece.places)
        free[piece.rows] += 1
        begin += len(piece.texts)
    texts = pa.concat_arrays([pa.array([], kind), *(piece.texts.cast(kind) for piece in pieces if len(piece.rows))])
    return offsets, keys, texts.take(pa.array(places))


def _lists(kind: pa.StructType, offsets: NDArray[np.int32], members: list[pa.Array]) -> pa.Array:
    items = pa.StructArray.from_arrays(members, fields=[kind.field(i) for i in range(kind.num_fields)])
    return pa.ListArray.from_arrays(pa.array(offsets), items, type=pa.list_(pa.field("item", kind, nullable=False)))


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
