"""Records of one layout in a file, read on access, so that a base may be larger than memory."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, overload

import numpy as np

from tabiya.binary import Layout, Records
from tabiya.files.file_bytes import gathered

if TYPE_CHECKING:
    from numpy.typing import NDArray

_CHUNK: Final = 65536
"""Number of records read at a time if a field of all of them is requested."""
_MOST_RECORD: Final = 1024
"""Maximum size of a record: files that declare the size of their records have at most 405 bytes, and one wrong byte in
that size must not allocate memory for every game."""


def declared_layout(header: Layout, record: Layout, data: Any) -> Layout | None:
    """Return the layout of the records of a file whose header declares their size; None if it is invalid."""
    size = header.read(data)["record_size"] if len(data) >= header.size else 0
    return record.cut(size) if 0 < size <= _MOST_RECORD else None


class StoredRecords:
    """Like an array of the layout's type: with length, slices, positions and fields. Every access reads the file."""

    def __init__(self, layout: Layout, data: Any = b"", begin: int = 0, count: int = -1) -> None:
        complete = max(0, len(data) - begin) // layout.size if layout.size else 0
        self._data = data
        self._layout = layout
        self._begin = begin
        self._count = complete if count < 0 else min(count, complete)

    @property
    def dtype(self) -> np.dtype[np.void]:
        """The record as a type of numpy."""
        return self._layout.dtype

    def __len__(self) -> int:
        return self._count

    def __array__(self, dtype: Any = None, copy: Any = None) -> Records:
        """Return all records in memory; always a copy."""
        return np.array(self[:], dtype)

    @overload
    def __getitem__(self, which: slice | NDArray[np.int64]) -> Records: ...
    @overload
    def __getitem__(self, which: int) -> np.void: ...
    @overload
    def __getitem__(self, which: str) -> NDArray[Any]: ...
    def __getitem__(self, which: slice | NDArray[np.int64] | int | str) -> Any:
        """Return consecutive or selected records, or one, or a field of all."""
        size = self._layout.size
        if isinstance(which, str):
            parts = [self[start : start + _CHUNK][which] for start in range(0, len(self), _CHUNK)]
            return np.concatenate(parts) if parts else np.empty(0, self.dtype)[which]
        if isinstance(which, slice):
            start, stop, _ = which.indices(len(self))
            return self._layout.view(self._data, self._begin + size * start, max(0, stop - start))
        if isinstance(which, int):
            return self[which : which + 1][0]
        buffer, places = gathered(self._data, self._begin + size * which, np.full(len(which), size))
        return buffer[places[:, None] + np.arange(size)].reshape(-1).view(self.dtype)
