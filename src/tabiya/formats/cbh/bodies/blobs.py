"""The container of ``.cbg`` and ``.cba``: a prolog, then consecutive blobs, which only ``.cbh`` refers to.

Big-endian. The prolog has 26 bytes, in old files 10. Data after the declared size is ignored.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from tabiya.binary import Field, Layout
from tabiya.files.file_bytes import gathered

if TYPE_CHECKING:
    from numpy.typing import NDArray

PROLOG: Final = Layout(
    "cbg prolog",
    ">",
    Field(0, "u16", "prolog_size", "26, in old files 10", 26),
    Field(2, "u32", "file_size", "", 26),
    Field(6, "u32", "wasted", "bytes in holes between blobs"),
    Field(10, "u64", "file_size_64", "not always kept up to date", 26),
    Field(18, "u64", "wasted_64"),
)
SHORT_PROLOG_SIZE: Final = 10
MOVES_HEAD: Final = 4
ANNOTATIONS_HEAD: Final = 14
"""Minimum size of a blob, including its size field."""


@dataclass(frozen=True, slots=True)
class Prolog:
    """The header data of a container."""

    prolog_size: int
    file_size: int
    wasted: int


def read_prolog(data: Any) -> Prolog | None:
    """Return the prolog of a file; its 32-bit numbers are the reliable ones. None if there is none."""
    if len(data) < SHORT_PROLOG_SIZE:
        return None
    record = PROLOG.cut(SHORT_PROLOG_SIZE).decode(bytes(data[:SHORT_PROLOG_SIZE]))
    if record["prolog_size"] not in (SHORT_PROLOG_SIZE, PROLOG.size):
        return None
    return Prolog(int(record["prolog_size"]), int(record["file_size"]), int(record["wasted"]))


def move_sizes(data: Any, offsets: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the sizes of blobs of ``.cbg``: the three bytes after the first, capped by the file; 0 outside it."""
    return _sizes(data, offsets, 1, 3)


def annotation_sizes(data: Any, offsets: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the sizes of blobs of ``.cba``: four bytes at offset 10. 0 for no offset and for offsets outside."""
    return np.where(offsets > 0, _sizes(data, offsets, 10, 4), 0)


def _sizes(data: Any, offsets: NDArray[np.int64], place: int, width: int) -> NDArray[np.int64]:
    if len(data) < place + width:
        return np.zeros(len(offsets), np.int64)
    inside = (offsets >= 0) & (offsets <= len(data) - place - width)
    content, places = gathered(data, offsets + place, np.where(inside, width, 0))
    places = places[inside]
    found = np.zeros(len(places), np.int64)
    for i in range(width):
        found = found << 8 | content[places + i]
    sizes = np.zeros(len(offsets), np.int64)
    sizes[inside] = np.minimum(found, len(data) - offsets[inside])
    return sizes
