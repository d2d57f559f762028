"""Columns of lists, built for all records at once from the contributions of several sources."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import pyarrow as pa

from tabiya.chessbase.list_columns_kernel import gather
from tabiya.game.lists import joined, members, owners
from tabiya.game.schema import PROBLEM
from tabiya.game.view import strings_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Column: TypeAlias = tuple[NDArray[np.int64], NDArray[np.uint8], int, NDArray[np.int32], NDArray[np.uint8]]


@dataclass(frozen=True, slots=True)
class Piece:
    """A contribution to some records: texts, and for each record the index of its text.

    A negative index, or a null text, means that there is nothing for the record.
    """

    key: str | int
    places: NDArray[np.int64]
    texts: pa.Array

    @classmethod
    def of(cls, key: str | int, texts: pa.Array) -> Piece:
        """Return a piece with a text, or null, for each record."""
        return cls(key, np.arange(len(texts)), texts)

    @classmethod
    def at(cls, key: str | int, rows: NDArray[np.int64], texts: pa.Array, count: int) -> Piece:
        """Return a piece with texts of the given records."""
        places = np.full(count, -1)
        places[rows] = np.arange(len(rows))
        return cls(key, places, texts)

    def only(self, keep: NDArray[np.bool_]) -> Piece:
        """Return the piece without the records that are not to be kept."""
        return Piece(self.key, np.where(keep, self.places, -1), self.texts)

    @property
    def is_empty(self) -> bool:
        """Whether it is certainly empty."""
        return bool(self.texts.null_count == len(self.texts))


def validity(texts: pa.Array) -> NDArray[np.bool_]:
    """Return which texts are not null."""
    found: NDArray[np.bool_] = texts.is_valid().to_numpy(zero_copy_only=False)
    return found


def keyed_lists(pieces: Iterable[Piece], count: int, kind: pa.StructType) -> pa.Array:
    """Return tags or extras: for each record the keys and texts of its pieces, in the order of the pieces."""
    present = [piece for piece in pieces if not piece.is_empty]
    offsets, owners, texts = _gathered(present, count, kind.field(1).type)
    names = pa.array([piece.key for piece in present], pa.string()).take(pa.array(owners))
    return _lists(kind, offsets, [names, texts])


def problem_lists(pieces: Iterable[Piece], count: int) -> pa.Array:
    """Return problems; the keys of the pieces are their codes."""
    present = [piece for piece in pieces if not piece.is_empty]
    offsets, owners, texts = _gathered(present, count, pa.string())
    codes = np.array([piece.key for piece in present], np.uint16)[owners]
    return _lists(PROBLEM, offsets, [pa.array(codes, pa.uint16()), pa.nulls(len(owners), pa.int64()), texts])


def _gathered(
    pieces: Sequence[Piece], count: int, kind: pa.DataType
) -> tuple[NDArray[np.int32], NDArray[np.int32], pa.Array]:
    """Return the offsets of the lists, and for each member the number of its piece and its text."""
    offsets, owners, ends, letters = gather(count, [_column(piece) for piece in pieces])
    return offsets, owners, pa.Array.from_buffers(kind, len(owners), [None, pa.py_buffer(ends), pa.py_buffer(letters)])


def _column(piece: Piece) -> Column:
    """Return a piece in the form required by the kernel."""
    texts = piece.texts
    ends, letters = strings_of(texts)
    return piece.places, np.frombuffer(texts.buffers()[0] or b"", np.uint8), texts.offset, ends, letters


def _lists(kind: pa.StructType, offsets: NDArray[np.int32], members: list[pa.Array]) -> pa.Array:
    items = pa.StructArray.from_arrays(members, fields=[kind.field(i) for i in range(kind.num_fields)])
    return pa.ListArray.from_arrays(pa.array(offsets), items, type=pa.list_(pa.field("item", kind, nullable=False)))


def concat_lists(first: pa.Array, second: pa.Array) -> pa.Array:
    """Return the members of both lists of each record, the first ones first."""
    if not len(second.flatten()):
        return first
    if not len(first.flatten()):
        return second
    more, offsets = members(second)
    return joined(first, more, owners(offsets))


def lists_at(kind: pa.StructType, rows: NDArray[np.int64], lists: list[list[tuple[Any, ...]]], count: int) -> pa.Array:
    """Return a column of lists, empty except for some rows."""
    lengths = np.zeros(count + 1, np.int64)
    lengths[rows + 1] = [len(each) for each in lists]
    members = [member for each in lists for member in each]
    fields = [kind.field(i) for i in range(kind.num_fields)]
    columns = [pa.array([member[i] for member in members], each.type) for i, each in enumerate(fields)]
    return pa.ListArray.from_arrays(
        pa.array(np.cumsum(lengths).astype(np.int32)),
        pa.StructArray.from_arrays(columns, fields=fields),
        type=pa.list_(pa.field("item", kind, nullable=False)),
    )
