"""Replace bodies in ``.cbg`` or ``.cba``: larger ones move what follows, smaller ones leave gaps."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from tabiya.errors import CorruptError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tabiya.formats.new_bodies import NewBodies

    Numbers = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Splice:
    """The composition of a new file."""

    rows: Numbers
    """Rows with new bodies, in the order of the file."""
    begins: Numbers
    """The offset of each of them in the old file,"""
    old_sizes: Numbers
    """and the number of bytes it replaces there."""
    holes: Numbers
    """Number of zeros that follow it."""
    start: int
    """Begins of the bodies of the old file,"""
    end: int
    """and their ends."""
    offsets: Numbers
    """The new offset of the body of each record; 0 for none."""
    size: int

    @property
    def wasted(self) -> int:
        """Growth of the gaps in bytes."""
        return int(self.holes.sum())

    def pieces(self, bodies: NewBodies) -> Iterator[bytes | tuple[int, int]]:
        """Yield the content of the file after its prolog: new bytes, and ranges of the old file."""
        done = self.start
        columns = (self.rows, self.begins, self.old_sizes, self.holes)
        for row, begin, old_sizes, hole in zip(*(column.tolist() for column in columns), strict=True):
            if begin > done:
                yield done, begin
            yield bodies.read(row) + bytes(hole)
            done = begin + old_sizes
        yield done, self.end


def splice(data: Any, offsets: Numbers, sizes: Numbers, rows: Numbers, new_sizes: Numbers) -> Splice:
    """Find offsets for new bodies of some rows; cost is O(records · log records), regardless of how many are new.

    Args:
        data: The old file; its declared size counts.
        offsets: The offset of the body of each record; 0 for none.
        sizes: Its size.
        rows: The records that get new bodies, ascending.
        new_sizes: Their sizes; 0 for none.
    """
    end = min(int.from_bytes(data[2:6], "big"), len(data))
    start = int.from_bytes(data[:2], "big")
    moved = offsets.copy()
    moved[rows] = 0
    there = (offsets[rows] > 0) | (new_sizes > 0)  # without a body before and after there is nothing to do
    rows, new_sizes = rows[there], new_sizes[there]
    begins, old_sizes = _places(offsets, sizes, rows, end)
    order = np.lexsort((rows, old_sizes, begins))
    rows, begins, old_sizes, new_sizes = rows[order], begins[order], old_sizes[order], new_sizes[order]
    done = np.concatenate(([start], (begins + old_sizes)[:-1]))
    for place in np.flatnonzero(begins < done)[:1].tolist():
        what = "stored games overlap; convert the base into a new one first"
        raise CorruptError(what, game=int(rows[place]) + 1, offset=int(begins[place]))
    shifts = np.concatenate(([0], np.cumsum(np.maximum(0, new_sizes - old_sizes))))
    following = moved > 0
    moved[following] += shifts[np.searchsorted(begins + old_sizes, offsets[following], side="right")]
    moved[rows] = np.where(new_sizes > 0, begins + shifts[:-1], 0)
    holes = np.maximum(0, old_sizes - new_sizes)
    return Splice(rows, begins, old_sizes, holes, start, end, moved, end + int(shifts[-1]))


def _places(offsets: Numbers, sizes: Numbers, rows: Numbers, end: int) -> tuple[Numbers, Numbers]:
    """Return offsets of new bodies, and their space: that of the old one, if it belongs to this record alone."""
    _, where, counts = np.unique(offsets, return_inverse=True, return_counts=True)
    own = offsets[rows]
    alone = (own > 0) & (counts[where.reshape(-1)[rows]] == 1) & (own + sizes[rows] <= end)
    # Bodies are in the order of their records: before that of the next one, or at the end.
    inside = np.where((offsets > 0) & (offsets <= end), offsets, end)
    later = np.append(np.minimum.accumulate(inside[::-1])[::-1], end)[rows + 1]
    return np.where(alone, own, np.where(own <= 0, later, end)), np.where(alone, sizes[rows], 0)
