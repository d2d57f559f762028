"""The bytes of a file that other programs may change while it is read: ordinary reads of the requested parts.

Not a memory map: if a mapped file becomes shorter, the operating system kills the process. A short read is an ordinary
error. Only files that never change once they have their name are mapped (``mapped``).
"""

from __future__ import annotations

import mmap
import os
import stat
import threading
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, overload

from tabiya.errors import CorruptError, UsageError
from tabiya.files.shared_files import open_shared

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_CHUNK: Final = 1 << 20
_NEARBY: Final = 1 << 16
_GAP: Final = 4096
"""Reading this many unneeded bytes costs less than another read."""


class FileBytes:
    """A file with the interface of ``bytes`` but not in memory: it has slices, and the length it had when opened.

    Several threads may read it at once. If a writer replaces the file, this object keeps reading the old one.
    """

    def __init__(self, path: Path, descriptor: int | None = None) -> None:
        """Open a file, or take over an open descriptor, and use this path in errors."""
        self.path = path
        if descriptor is None:
            self._descriptor = open_shared(path)
        else:
            self._descriptor = os.dup(descriptor)
        self._closed = False
        self._lock = threading.Lock()
        self.status = os.fstat(self._descriptor)
        self._size = self.status.st_size

    def __len__(self) -> int:
        return self._size

    @overload
    def __getitem__(self, part: slice) -> bytes: ...
    @overload
    def __getitem__(self, part: int) -> int: ...
    def __getitem__(self, part: slice | int) -> bytes | int:
        if isinstance(part, int):
            return self._read(range(self._size)[part], 1)[0]
        begin, end, _ = part.indices(self._size)
        return self._read(begin, max(0, end - begin))

    def __bytes__(self) -> bytes:
        return self[:]

    def chunks(self, begin: int = 0, end: int | None = None) -> Iterator[bytes]:
        """Yield the bytes of a range, about a megabyte at a time."""
        for place in range(*slice(begin, end).indices(self._size)[:2], _CHUNK):
            yield self[place : min(place + _CHUNK, self._size if end is None else end)]

    def mapped(self) -> mmap.mmap:
        """Return the file mapped into memory; the map outlives the object. Only for files that never change."""
        self._check_open()
        if not self._size:
            raise CorruptError("is empty", path=self.path)
        return mmap.mmap(self._descriptor, 0, access=mmap.ACCESS_READ)

    def _check_open(self) -> None:
        if self._closed:
            raise UsageError("is closed", path=self.path)

    def _read(self, offset: int, size: int) -> bytes:
        self._check_open()
        parts: list[bytes] = []
        while size > 0:
            part = self._read_once(offset, size)
            if not part:
                raise CorruptError("the file became shorter while it was read", path=self.path, offset=offset)
            if len(part) == size and not parts:
                return part
            parts.append(part)
            offset += len(part)
            size -= len(part)
        return b"".join(parts)

    def _read_once(self, offset: int, size: int) -> bytes:
        if hasattr(os, "pread"):
            return os.pread(self._descriptor, size, offset)
        with self._lock:  # Windows
            os.lseek(self._descriptor, offset, os.SEEK_SET)
            return os.read(self._descriptor, size)

    def close(self) -> None:
        """Forbid further reads. The file is closed with the object, because another thread may still be reading it."""
        self._closed = True

    def __del__(self) -> None:
        with suppress(AttributeError, OSError):  # never opened
            os.close(self._descriptor)


class NearbyBytes(FileBytes):
    """A file whose small parts are requested one after the other: each read also fetches the bytes that follow."""

    def __init__(self, path: Path, descriptor: int | None = None) -> None:
        super().__init__(path, descriptor)
        self._near = 0, b""

    def _read(self, offset: int, size: int) -> bytes:
        begin, data = self._near
        place = offset - begin
        if place >= 0 and place + size <= len(data):
            return data[place : place + size]
        if size > _GAP:
            return super()._read(offset, size)
        data = super()._read(offset, min(_NEARBY, len(self) - offset))
        self._near = offset, data
        return data[:size]


def size_of(files: Iterable[Path]) -> int:
    """Return the total size of some files in bytes; folders, and files that another program removes, count as 0."""
    size = 0
    for file in files:
        with suppress(FileNotFoundError, NotADirectoryError):
            status = file.stat()
            size += status.st_size if stat.S_ISREG(status.st_mode) else 0
    return size


def gathered(
    data: Any, offsets: NDArray[np.int64], sizes: NDArray[np.int64]
) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """Return many parts of a file in one buffer, and their offsets in it; parts close together are read at once.

    Args:
        data: The file, or its bytes.
        offsets: Offsets of the parts.
        sizes: Sizes of the parts; 0 for none, whose offset may be anything. All others must be inside the file.
    """
    import numpy as np  # noqa: PLC0415 - other functions do not need it

    places = np.zeros(len(offsets), np.int64)
    selected = np.flatnonzero(sizes > 0)
    if not len(selected):
        return np.empty(0, np.uint8), places
    selected = selected[np.argsort(offsets[selected], kind="stable")]
    begins = offsets[selected]
    ends = np.maximum.accumulate(begins + sizes[selected])
    first = np.flatnonzero(np.concatenate([[True], begins[1:] > ends[:-1] + _GAP]))
    last = np.append(first[1:], len(selected)) - 1
    parts = [data[begin:end] for begin, end in zip(begins[first].tolist(), ends[last].tolist(), strict=True)]
    lengths = ends[last] - begins[first]
    shift = np.cumsum(lengths) - lengths - begins[first]
    places[selected] = begins + np.repeat(shift, last - first + 1)
    return np.frombuffer(parts[0] if len(parts) == 1 else b"".join(parts), np.uint8), places
