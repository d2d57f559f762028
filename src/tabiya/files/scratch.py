"""Temporary files for what does not belong into memory."""

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
    from collections.abc import Iterator
    from pathlib import Path

    from numpy.typing import NDArray

__all__ = ["ScratchFile"]

_WRITE_BYTES = 1 << 17
"""At a time: where a write is larger, Linux looks for larger stretches of free memory, at four times the CPU time."""
_Scalar = TypeVar("_Scalar", bound=np.generic)


class ScratchFile:
    """A temporary file without a name: bytes or arrays are appended, and read again by the place where they begin.

    It lies in ``folder``, or in that for temporary files, which ``TMPDIR`` chooses and which is often made of memory
    itself. It is made when there are more than ``in_memory`` bytes, and gone when it is closed, or with this object or
    its process. Threads may share it. Trouble with it comes as ``TabiyaError`` that names the folder.
    """

    def __init__(self, folder: Path | None = None, *, in_memory: int = 0) -> None:
        self._folder = folder
        self._in_memory = in_memory
        self._file: io.BytesIO | io.FileIO | None = None
        self._lock = threading.Lock()
        self.size = 0
        """Bytes so far."""

    def append(self, data: NDArray[Any] | bytes) -> int:
        """Write behind everything else; return the place where it begins."""
        with self._lock, self._trouble():
            begin = self.size
            self._write(begin, data)
        return begin

    def put(self, place: int, data: NDArray[Any] | bytes) -> None:
        """Write at a place, over what is there."""
        with self._lock, self._trouble():
            self._write(place, data)

    def read(self, begin: int, count: int, dtype: type[_Scalar] | np.dtype[_Scalar]) -> NDArray[_Scalar]:
        """Return up to ``count`` items, beginning at a place; fewer where the file ends."""
        array = np.empty(count, dtype)
        return array[: self._read_into(begin, array.view(np.uint8).data) // array.itemsize]

    def read_into(self, begin: int, array: NDArray[Any]) -> int:
        """Fill a contiguous array with what begins at a place; return how many bytes there were."""
        return self._read_into(begin, array.reshape(-1).view(np.uint8).data)

    def read_bytes(self, begin: int, size: int) -> bytes:
        """Return up to ``size`` bytes, beginning at a place; fewer where the file ends."""
        data = bytearray(size)
        del data[self._read_into(begin, memoryview(data)) :]
        return bytes(data)

    def close(self) -> None:
        """Give the room back. May be called twice."""
        if self._file is not None:
            self._file.close()
            self._file = None
        self.size = 0

    def _write(self, place: int, data: NDArray[Any] | bytes) -> None:
        array = np.frombuffer(data, np.uint8) if isinstance(data, bytes) else np.ascontiguousarray(data).reshape(-1)
        left = array.view(np.uint8).data
        file = self._room_for(place + len(left))
        file.seek(place)
        while left:  # a write without buffer may take a part
            left = left[file.write(left[:_WRITE_BYTES]) :]
        self.size = max(self.size, file.tell())

    def _room_for(self, size: int) -> io.BytesIO | io.FileIO:
        """Return where this many bytes go. A file has no buffer: a forked child must have nothing left to write."""
        file = io.BytesIO() if self._file is None else self._file
        if isinstance(file, io.BytesIO) and size > self._in_memory:
            held = file.getvalue()
            file = tempfile.TemporaryFile(dir=self._folder, buffering=0)  # noqa: SIM115 - closed by close()
            weakref.finalize(self, file.close)
            self._file = file
            self._write(0, held)
        self._file = file
        return file

    def _read_into(self, begin: int, data: memoryview) -> int:
        done = 0
        with self._lock, self._trouble():
            if self._file is not None and data:
                self._file.seek(begin)
                while done < len(data) and (got := self._file.readinto(data[done:])):
                    done += got
        return done

    @contextmanager
    def _trouble(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            reason = (error.strerror or str(error)).lower()
            remedy = f"; set {_VARIABLE} to a folder with more room" if self._folder is None else ""
            place = self._folder or _temporary_folder()
            raise TabiyaError(f"there is no room for temporary files ({reason}){remedy}", path=place) from error


_VARIABLE = "TEMP" if os.name == "nt" else "TMPDIR"


def _temporary_folder() -> str | None:
    try:
        return tempfile.gettempdir()
    except OSError:  # there is none that can be written to
        return None
