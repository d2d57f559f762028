"""Bodies that many records share: a base of a few megabytes must not cause hours of work.

Sound bases store every body once. In damaged or fabricated ones any number of records may refer to one large body, and
reading it repeatedly would take unlimited time, memory and output. So there is a limit to how much is read, as for the
contents of archives; beyond it, bodies that overlap others are omitted.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

REFUSED_BODY: Final = -2
"""The offset of a body that exists and is not read."""

_FREE_BYTES: Final = 64 << 20
_MOST_RATIO: Final = 4


class Sharing:
    """Limits how much of a file is read; to be used for one window after the other, in the order of the base."""

    def __init__(
        self, file_size: Callable[[], int], places: Callable[[], tuple[NDArray[np.int64], NDArray[np.int64]]]
    ) -> None:
        """``places`` returns offsets and sizes of the bodies of all records; it is called only beyond the limit."""
        self._file_size = file_size
        self._places = places
        self._read = 0

    def refused(self, start: int, sizes: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Return which bodies of these sizes are not read; they are those of records from index ``start`` on."""
        beyond = self._read + np.cumsum(sizes) > _FREE_BYTES + _MOST_RATIO * self._file_size()
        self._read += int(sizes.sum())
        if beyond.any():
            beyond &= self._shared[start : start + len(sizes)]
        return beyond

    @cached_property
    def _shared(self) -> NDArray[np.bool_]:
        """Return, by record of the base, whether another body overlaps its own."""
        return overlapping(*self._places())


def overlapping(offsets: NDArray[np.int64], sizes: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Return which bodies overlap another one."""
    order = np.flatnonzero(sizes > 0)
    order = order[np.argsort(offsets[order], kind="stable")]
    begins = offsets[order]
    ends = np.maximum.accumulate(begins + sizes[order])
    over = begins[1:] < ends[:-1]  # the body overlaps those before it
    shared = np.zeros(len(offsets), np.bool_)
    shared[order[1:][over]] = True
    shared[order[:-1][begins[1:] < (begins + sizes[order])[:-1]]] = True
    return shared
