"""Temporary files for data that is too large for memory."""

from __future__ import annotations

import io
import os
import tempfile
import threading
import weakref
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from tabiya.errors import TabiyaError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from numpy.typing import NDArray

_STEP_BYTES = 1 << 17
"""Bytes per read or write. Writes of a megabyte took the system a quarter longer, because it looks for larger blocks of
memory; smaller ones need more calls, for which threads wait for each other.
"""
_Scalar = TypeVar("_Scalar", bound=np.generic)


class ScratchFile:
    """A nameless temporary file: bytes or arrays are appended, and read again by their offset.

    It is in ``folder``, or in the system's folder for temporary files, which ``TMPDIR`` sets and which is often in
    memory itself. It is created once there are more than ``in_memory`` bytes, and removed when it is closed, or with
    this object or its process. Threads may share it. Its errors are ``TabiyaError`` and name the folder.
    """

    def __init__(self, folder: Path | None = None, *, in_memory: int = 0) -> None:
        self._folder = folder
        self._in_memory = in_memory
        self._file: io.BytesIO | io.FileIO | None = None
        self._lock = threading.Lock()
        self.size = 0
        """Number of bytes so far."""

    def append(self, data: NDArray[Any] | bytes) -> int:
        """Append data; return its offset."""
        return self._write(None, data)

    def put(self, place: int, data: NDArray[Any] | bytes) -> None:
        """Overwrite the data at an offset."""
        self._write(place, data)

    def read(self, begin: int, count: int, dtype: type[_Scalar] | np.dtype[_Scalar]) -> NDArray[_Scalar]:
        """Return up to ``count`` items from an offset; fewer at the end of the file."""
        array = np.empty(count, dtype)
        return array[: self._read_into(begin, array.view(np.uint8).data) // array.itemsize]

    def read_into(self, begin: int, array: NDArray[Any]) -> int:
        """Fill a contiguous array from an offset; return the number of bytes read."""
        return self._read_into(begin, array.reshape(-1).view(np.uint8).data)

    def read_bytes(self, begin: int, size: int) -> bytes:
        """Return up to ``size`` bytes from an offset; fewer at the end of the file."""
        data = bytearray(size)
        del data[self._read_into(begin, memoryview(data)) :]
        return bytes(data)

    def close(self) -> None:
        """Release the file or memory. May be called twice."""
        if self._file is not None:
            self._file.close()
            self._file = None
        self.size = 0

    def _write(self, place: int | None, data: NDArray[Any] | bytes) -> int:
        """Write at an offset, or append; return the offset."""
        array = np.frombuffer(data, np.uint8) if isinstance(data, bytes) else np.ascontiguousarray(data).reshape(-1)
        view = array.view(np.uint8).data
        with self._trouble():
            with self._lock:
                begin = self.size if place is None else place
                file = self._with_space_for(begin + len(view))
                self.size = max(self.size, begin + len(view))
                if not _knows_places(file):
                    file.seek(begin)
                    _in_steps(lambda _, some: file.write(some), view)
                    return begin
            _in_steps(lambda done, some: os.pwrite(file.fileno(), some, begin + done), view)
        return begin

    def _read_into(self, begin: int, view: memoryview) -> int:
        file = self._file
        if file is None:
            return 0
        with self._trouble():
            if _knows_places(file):
                return _in_steps(lambda done, some: os.preadv(file.fileno(), [some], begin + done), view)
            with self._lock:
                file.seek(begin)
                return _in_steps(lambda _, some: file.readinto(some), view)

    def _with_space_for(self, size: int) -> io.BytesIO | io.FileIO:
        """Return the file to write to. It is unbuffered: a forked child must have nothing left to write."""
        file = io.BytesIO() if self._file is None else self._file
        if isinstance(file, io.BytesIO) and size > self._in_memory:
            held = memoryview(file.getvalue())  # not its buffer: an error would keep it alive and prevent closing
            new = tempfile.TemporaryFile(dir=self._folder, buffering=0)  # noqa: SIM115 - closed by close()
            weakref.finalize(self, new.close)
            _in_steps(lambda _, some: new.write(some), held)
            file = new
        self._file = file
        return file

    @contextmanager
    def _trouble(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            reason = (error.strerror or str(error)).lower()
            remedy = f"; set {_VARIABLE} to a folder with more space" if self._folder is None else ""
            place = self._folder or _temporary_folder()
            raise TabiyaError(f"there is no space for temporary files ({reason}){remedy}", path=place) from error


def _knows_places(file: io.BytesIO | io.FileIO) -> bool:
    """Return whether threads can read and write at the same time, each at its own offset."""
    return hasattr(os, "preadv") and not isinstance(file, io.BytesIO)


def _in_steps(step: Callable[[int, memoryview], int], view: memoryview) -> int:
    """Read or write the contents of a view in steps; return the total number of bytes."""
    done = 0
    while done < len(view) and (got := step(done, view[done : done + _STEP_BYTES])):
        done += got
    return done


_VARIABLE = "TEMP" if os.name == "nt" else "TMPDIR"


def _temporary_folder() -> str | None:
    try:
        return tempfile.gettempdir()
    except OSError:  # no folder is writable
        return None
