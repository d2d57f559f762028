"""New bodies of records: in a temporary file, with two numbers per record in memory."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from tabiya.files.scratch import ScratchFile

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from typing import Any

    from numpy.typing import NDArray

    Numbers = NDArray[np.int64]

_IN_MEMORY: Final = 4 << 20
"""Above this number of bytes the bodies go to a temporary file."""


class NewBodies:
    """Bodies that replace those of some rows."""

    def __init__(self, count: int, folder: Path) -> None:
        self._file = ScratchFile(folder, in_memory=_IN_MEMORY)
        self._places = np.zeros(count, np.int64)
        self.sizes = np.zeros(count, np.int64)
        """By row; 0 for a record without a new body."""

    def put(self, rows: Numbers, data: bytes | NDArray[Any], sizes: Numbers) -> None:
        """Store the bodies of some rows, given one after the other."""
        self._places[rows] = self._file.append(data) + np.cumsum(sizes) - sizes
        self.sizes[rows] = sizes

    def read(self, row: int) -> bytes:
        """Return the body of a row."""
        return self._file.read_bytes(int(self._places[row]), int(self.sizes[row]))

    def read_all(self, rows: Numbers) -> Iterator[bytes]:
        """Yield the bodies of some rows; adjacent ones are read together."""
        places, sizes = self._places[rows], self.sizes[rows]
        apart = np.flatnonzero(places[1:] != (places + sizes)[:-1]) + 1
        for run in np.split(np.arange(len(rows)), apart) if len(rows) else ():
            data = self._file.read_bytes(int(places[run[0]]), int(sizes[run].sum()))
            done = 0
            for size in sizes[run].tolist():
                yield data[done : done + size]
                done += size

    def close(self) -> None:
        """Release the file. May be called twice."""
        self._file.close()
