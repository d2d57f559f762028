"""Bytes that come one after the other and are read again: in memory while they are few, then in a file without a name.

The file lies beside the target and not in the system's temporary folder, which is often made of memory itself.
"""

from __future__ import annotations

import tempfile
import weakref
from pathlib import Path
from typing import Any, Final

__all__ = ["Spool"]

_MOST_IN_MEMORY: Final = 4 << 20


class Spool:
    """Vanishes with the object, and with the process."""

    def __init__(self, folder: Path | None = None) -> None:
        place = None if folder is None else str(folder)
        self._file = tempfile.SpooledTemporaryFile(max_size=_MOST_IN_MEMORY, dir=place)  # noqa: SIM115
        self._end = weakref.finalize(self, self._file.close)
        self._size = 0

    def append(self, data: Any) -> int:
        """Put bytes behind the others; gives their place."""
        place = self._size
        self.put(place, data)
        self._size += len(data)
        return place

    def put(self, place: int, data: Any) -> None:
        """Write at a place."""
        self._file.seek(place)
        self._file.write(data)
        self._file.flush()  # so that a forked child has nothing left to write into the file of its parent

    def read(self, place: int, size: int) -> bytes:
        """The bytes at a place."""
        self._file.seek(place)
        return self._file.read(size)
