"""Columns about every ply of a batch: the buffers of :mod:`plies_kernel` as columns of Arrow."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pyarrow as pa

from tabiya.errors import UnsupportedError
from tabiya.game.view import view_of
from tabiya.tables.plies_kernel import describe_plies

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from tabiya.game import GameBatch

PLY_COLUMNS: Final = {
    "san": pa.string(),
    "uci": pa.string(),
    "tokens": pa.uint16(),
    "fens": pa.string(),
    "keys": pa.int64(),
    "clocks": pa.float64(),
    "times": pa.int32(),
    "evaluations": pa.float64(),
    "mates": pa.int32(),
}
"""Output of the kernel, by name, in the order of its bits, with the type of each member."""
_OF_POSITIONS: Final = ("fens", "keys")
_OF_MOVES: Final = ("san", "uci", "tokens")


class Plies:
    """The requested columns of all plies of a batch.

    ``padded``: every column has a member for each position, for tables with a row for each. Moves are then those that
    follow a position, and values of a move belong to the position it leads to.
    """

    def __init__(self, batch: GameBatch, requested: Iterable[str], *, padded: bool = False) -> None:
        names = {*requested}
        bits = sum(1 << bit for bit, name in enumerate(PLY_COLUMNS) if name in names)
        try:
            self._found: dict[str, Any] = describe_plies(view_of(batch), bits, padded)
        except OverflowError as error:
            number = batch.record_batch["number"][0].as_py()
            raise UnsupportedError("this game has too many moves for a table", game=number) from error
        self._padded = padded
        self._move_ends: NDArray[np.int32] = np.frombuffer(self._found["move_ends"], np.int32)
        self._position_ends: NDArray[np.int32] = np.frombuffer(self._found["position_ends"], np.int32)
        known = np.frombuffer(self._found["known"], np.uint8)
        self._known = None if known.all() else _bits(known)

    @property
    def positions(self) -> NDArray[np.int32]:
        """Number of positions of each record; 0 for records without a line of play."""
        return np.diff(self._position_ends)

    def counts(self) -> pa.Array:
        """Return the number of moves of each record; null without a line of play."""
        counts = np.diff(self._move_ends)
        if self._padded:
            counts = np.maximum(counts - 1, 0)
        values = pa.py_buffer(np.ascontiguousarray(counts, np.int32))
        return pa.Array.from_buffers(pa.int32(), len(counts), [self._known, values])

    def lists(self, name: str) -> pa.ListArray:
        """Return a list for each record; null without a line of play, or if no move has such a value."""
        ends = self._ends(name)
        kind = pa.list_(PLY_COLUMNS[name])
        known = self._known
        if (present := self._found.get(f"{name}_present")) is not None:
            so_far = np.concatenate(([0], np.cumsum(np.frombuffer(present, np.uint8), dtype=np.int64)))
            known = _bits((np.diff(so_far[ends]) > 0).astype(np.uint8))
        buffers = [known, pa.py_buffer(ends)]
        return pa.ListArray.from_buffers(kind, len(ends) - 1, buffers, children=[self.members(name)])

    def members(self, name: str) -> pa.Array:
        """Return the members of all records, one after the other."""
        kind, count, data = PLY_COLUMNS[name], int(self._ends(name)[-1]), pa.py_buffer(self._found[name])
        valid = None
        if f"{name}_present" in self._found:
            valid = _bits(np.frombuffer(self._found[f"{name}_present"], np.uint8))
        elif self._padded and name in _OF_MOVES:
            followed = np.ones(count, np.uint8)
            followed[self._move_ends[1:][np.diff(self._move_ends) > 0] - 1] = 0
            valid = _bits(followed)
        buffers = [valid, data]
        if f"{name}_ends" in self._found:
            buffers.insert(1, pa.py_buffer(self._found[f"{name}_ends"]))
        return pa.Array.from_buffers(kind, count, buffers)

    def _ends(self, name: str) -> NDArray[np.int32]:
        return self._position_ends if name in _OF_POSITIONS else self._move_ends


def _bits(present: NDArray[np.uint8]) -> pa.Buffer:
    """Return a bit for each byte, as Arrow stores validity."""
    return pa.py_buffer(np.packbits(present, bitorder="little"))


def by_position(positions: NDArray[np.int32]) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """Return for each of the positions of some records the record it belongs to, and its ply."""
    owners = np.repeat(np.arange(len(positions), dtype=np.int64), positions)
    begins = np.cumsum(positions) - positions
    return owners, (np.arange(len(owners)) - begins[owners]).astype(np.int32)
