"""Columns of a segment while it is written: they grow with the games, so they are in files, not in memory."""

from __future__ import annotations

import mmap
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pyarrow as pa

from tabiya.errors import UnsupportedError
from tabiya.game.view import strings_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from numpy.typing import NDArray

_MOST_LETTERS: Final = (1 << 31) - 1
"""The places of texts in their column have 32 bits."""


class ColumnSpool:
    """Numbers in a file of their own."""

    def __init__(self, path: Path, closing: list[Callable[[], None]]) -> None:
        self._path = path
        self._file = path.open("w+b", buffering=1 << 20)
        self._mapped: mmap.mmap | None = None
        closing.append(self.close)
        self.size = 0
        """Number of bytes so far."""

    def append(self, numbers: NDArray[Any]) -> None:
        """Append numbers."""
        data = np.ascontiguousarray(numbers).view(np.uint8).data
        self._file.write(data)
        self.size += len(data)

    def buffer(self) -> pa.Buffer:
        """Return all of it, mapped into memory."""
        self._file.flush()
        self._mapped = mmap.mmap(self._file.fileno(), 0, access=mmap.ACCESS_READ) if self.size else None
        return pa.py_buffer(b"" if self._mapped is None else self._mapped)

    def forget(self) -> None:
        """Drop the mapped pages from memory; they are read from the file again when needed."""
        if self._mapped is not None and hasattr(mmap, "MADV_DONTNEED"):
            self._mapped.madvise(mmap.MADV_DONTNEED)

    def close(self) -> None:
        """Remove the file. May be called twice."""
        self._mapped = None
        try:
            self._file.close()
        finally:
            with suppress(OSError):  # on Windows, while it is mapped: it is removed with the folder
                self._path.unlink(missing_ok=True)


class TextSpool:
    """Texts, which may be null, in files of their own."""

    def __init__(self, path: Path, closing: list[Callable[[], None]]) -> None:
        self._present, self._ends, self._letters = self.spools = [
            ColumnSpool(path.with_name(f"{path.name}-{part}.raw"), closing) for part in ("present", "ends", "letters")
        ]
        """Their files."""
        self._ends.append(np.zeros(1, np.int32))

    def append(self, texts: pa.StringArray) -> None:
        """Append texts."""
        ends, letters = strings_of(texts)
        if self._letters.size + int(ends[-1] - ends[0]) > _MOST_LETTERS:
            raise UnsupportedError("a library holds at most 2 GB of start positions; write the games into several")
        self._ends.append(ends[1:] + np.int32(self._letters.size - ends[0]))
        self._letters.append(letters[ends[0] : ends[-1]])
        self._present.append(texts.is_valid().to_numpy(zero_copy_only=False))

    def array(self) -> pa.StringArray:
        """Return all texts, mapped into memory."""
        present = np.frombuffer(self._present.buffer(), np.bool_)
        validity = None if present.all() else pa.py_buffer(np.packbits(present, bitorder="little"))
        buffers = [validity, self._ends.buffer(), self._letters.buffer()]
        return pa.Array.from_buffers(pa.string(), len(present), buffers)
