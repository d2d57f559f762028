"""Bodies that many records share: a base of a few megabytes must not cause hours of work.

Sound bases store every body once. In damaged or fabricated ones any number of records may refer to one large body, and
reading it repeatedly would take unlimited time, memory and output. So there is a limit to how much is read, as for the
contents of archives; beyond it, bodies that overlap others are omitted.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Final

import numpy as np

from tabiya.formats.cbh.bodies.blobs import annotation_sizes, move_sizes
from tabiya.formats.cbh.reading.header_window import Source, Window

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tabiya.formats.cbh.files.base_files import BaseFiles

BODIES: Final = {".cbg": move_sizes, ".cba": annotation_sizes}
_FREE_BYTES: Final = 64 << 20
_MOST_RATIO: Final = 4


def body_sizes(files: BaseFiles, window: Window, suffix: str) -> NDArray[np.int64]:
    """Return the sizes of the bodies of a window in one of the files."""
    return BODIES[suffix](files.data(suffix), window.offsets(f"{suffix[1:]}_offset"))


class Sharing:
    """Limits how much of a file is read; to be used for one window after the other, in the order of the base."""

    def __init__(self, files: BaseFiles, source: Source, suffix: str) -> None:
        self._files = files
        self._source = source
        self._suffix = suffix
        self._read = 0

    def refused(self, window: Window, sizes: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Return which bodies of these sizes are not read."""
        most = _FREE_BYTES + _MOST_RATIO * len(self._files.data(self._suffix))
        beyond = self._read + np.cumsum(sizes) > most
        self._read += int(sizes.sum())
        if beyond.any():
            beyond &= self._shared[window.start : window.start + window.count]
        return beyond

    @cached_property
    def _shared(self) -> NDArray[np.bool_]:
        """Return, by record of the base, whether another body overlaps its own."""
        window = Window(self._source, 0, len(self._source.games))
        offsets, sizes = window.offsets(f"{self._suffix[1:]}_offset"), body_sizes(self._files, window, self._suffix)
        order = np.flatnonzero(sizes > 0)
        order = order[np.argsort(offsets[order], kind="stable")]
        begins = offsets[order]
        ends = np.maximum.accumulate(begins + sizes[order])
        over = begins[1:] < ends[:-1]  # the body overlaps those before it
        shared = np.zeros(window.count, np.bool_)
        shared[order[1:][over]] = True
        shared[order[:-1][begins[1:] < (begins + sizes[order])[:-1]]] = True
        return shared
