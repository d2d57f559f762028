"""Temporary files for what does not belong into memory."""

from __future__ import annotations

import os
import tempfile
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from tabiya.errors import TabiyaError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from typing import BinaryIO

    from numpy.typing import NDArray

__all__ = ["ScratchFile"]

_Scalar = TypeVar("_Scalar", bound=np.generic)


class ScratchFile:
    """A temporary file without a name: arrays are appended, and read again by the place where they begin.

    It lies in ``folder``, or in that for temporary files, which ``TMPDIR`` chooses. It is made when it is needed, and
    gone when it is closed, or with its process. Threads may share it. Trouble with it comes as ``TabiyaError`` that
    names the folder.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder
        self._file: BinaryIO | None = None
        self._lock = threading.Lock()
        self.size = 0
        """Bytes so far."""

    def append(self, array: NDArray[Any]) -> int:
        """Write an array; the place where it begins."""
        begin = self.size
        with self._lock, self._trouble():
            if self._file is None:
                self._file = tempfile.TemporaryFile(dir=self._folder, buffering=0)  # noqa: SIM115 - closed by close()
            data = np.ascontiguousarray(array).reshape(-1).view(np.uint8).data
            while data:  # a write without buffer may take a part
                self._file.seek(self.size)
                written = self._file.write(data)
                data = data[written:]
                self.size += written
        return begin

    def read(self, begin: int, count: int, dtype: type[_Scalar] | np.dtype[_Scalar]) -> NDArray[_Scalar]:
        """So many items from a place on; fewer where the file ends."""
        array = np.empty(count, dtype)
        data = array.view(np.uint8).data
        done = 0
        with self._lock, self._trouble():
            if self._file is not None and count:
                self._file.seek(begin)
                while done < len(data):
                    got = self._file.readinto(data[done:])  # type: ignore[attr-defined]  # a file without buffer has it
                    if not got:
                        break
                    done += got
        return array[: done // array.itemsize]

    def close(self) -> None:
        """Give the room back. May be called twice."""
        if self._file is not None:
            self._file.close()
            self._file = None
        self.size = 0

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
