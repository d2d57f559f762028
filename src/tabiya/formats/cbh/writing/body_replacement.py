"""Other bodies in the place of some in ``.cbg`` or ``.cba``: larger ones move what follows, smaller leave holes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from tabiya.errors import CorruptError

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["Splice", "splice"]


@dataclass(frozen=True, slots=True)
class Splice:
    """How a file is put together anew."""

    pieces: list[bytes | tuple[int, int]]
    """New bytes, and ranges of the old file."""
    offsets: NDArray[np.int64]
    """Where the body of each record lies now; 0 for none."""
    size: int
    wasted: int
    """By how much the holes have grown."""


def splice(data: Any, offsets: NDArray[np.int64], sizes: NDArray[np.int64], changes: dict[int, bytes]) -> Splice:
    """Put new bodies (empty for none) into the records of some rows.

    Args:
        data: The old file; its declared size counts.
        offsets: Where the body of each record lies; 0 for none.
        sizes: How long it is.
        changes: The new bodies by row.
    """
    end = min(int.from_bytes(data[2:6], "big"), len(data))
    edits = sorted((*_place(row, offsets, sizes, end), row) for row in changes)
    moved = offsets.copy()
    pieces: list[bytes | tuple[int, int]] = []
    done = int.from_bytes(data[:2], "big")
    wasted = shift = 0
    limits, shifts = [], [0]
    for begin, room, row in edits:
        body = changes[row]
        if begin < done:
            raise CorruptError(
                "stored games overlap; repair the base first with tabiya check --repair", game=row + 1, offset=begin
            )
        moved[row] = begin + shift if body else 0
        hole = max(0, room - len(body))
        pieces += [(done, begin), body, bytes(hole)]
        wasted += hole
        shift += max(0, len(body) - room)
        limits.append(begin + room)
        shifts.append(shift)
        done = begin + room
    pieces.append((done, end))
    others = np.ones(len(offsets), np.bool_)
    others[list(changes)] = False
    others &= offsets > 0
    moved[others] += np.array(shifts)[np.searchsorted(limits, offsets[others], side="right")]
    return Splice(pieces, moved, end + shift, wasted)


def _place(row: int, offsets: NDArray[np.int64], sizes: NDArray[np.int64], end: int) -> tuple[int, int]:
    """Return where a new body goes, and its room: that of the old one, if it belongs to this record alone."""
    begin = int(offsets[row])
    if begin > 0 and np.count_nonzero(offsets == begin) == 1 and begin + int(sizes[row]) <= end:
        return begin, int(sizes[row])
    # Bodies lie in the order of their records: before that of the next one, or at the end.
    later = offsets[row + 1 :]
    later = later[(later > 0) & (later <= end)]
    return (int(later.min()), 0) if len(later) and begin <= 0 else (end, 0)
