"""The container of ``.2cbg`` and ``.2cba``: a header, then records back to back, which only ``.2cbh`` refers to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from tabiya.binary import Field, Layout
from tabiya.files.file_bytes import gathered

if TYPE_CHECKING:
    from numpy.typing import NDArray

HEADER: Final = Layout(
    "2cbg header",
    "<",
    Field(0, "i64", "file_size", "", 12),
    Field(8, "i16", "header_size", "12", 12),
    Field(10, "u8", "unknown_10", "1 in an empty .2cbg"),
    Field(11, "u8", "version", "as in .2cbh; 0 in .2cba and in an empty .2cbg"),
)

_MAGIC: Final = bytes.fromhex("8877665544332211")

HEAD: Final = Layout(
    "2cbg record",
    "<",
    Field(0, "8s", "magic", "88 77 66 55 44 33 22 11", _MAGIC),
    Field(8, "i32", "size", "of the content"),
    Field(12, "i32", "spare", "zeros after the content"),
    Field(16, "8s", "checksum", "sums of the eighths of the content, the last one first"),
    Field(24, "2s", "tag", "01 00 chess, 02 00 Chess960, 00 10 text, 00 20 annotations"),
)
TAIL: Final = 8
"""Bytes behind the spare ones: the size of the whole record."""
LEAST: Final = HEAD.size + TAIL
_SIZES: Final = 16
"""The bytes of a record that end with its two sizes."""


class Places(NamedTuple):
    """Where some records are in a file."""

    offsets: NDArray[np.int64]
    sizes: NDArray[np.int64]
    """As ``record_sizes`` returns them; 0 also for records that are not to be read."""

    def of(self, rows: NDArray[np.int64]) -> Places:
        """Return some of them."""
        return Places(self.offsets[rows], self.sizes[rows])


_LARGEST: Final = 64 << 20
"""A record of more bytes is damaged: games have a few kilobytes, and pictures of texts are in files of their own."""
_STEP: Final = 1 << 16


def record_sizes(data: Any, offsets: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the sizes of the records at some offsets as they declare them; 0 outside the file.

    Where a record declares more than there is, or than any has, its size is damaged: it ends where the next one begins.
    Only the kernel checks whether these are records.
    """
    inside = (offsets >= HEADER.size) & (offsets <= len(data) - LEAST)
    heads, places = gathered(data, offsets, np.where(inside, _SIZES, 0))
    sizes = np.zeros(len(offsets), np.int64)
    rows = np.flatnonzero(inside)
    if len(rows):
        numbers = heads[places[rows][:, None] + np.arange(8, _SIZES)].view("<u4").reshape(-1, 2).astype(np.int64)
        declared = numbers.sum(axis=1) + LEAST
        sizes[rows] = declared
        odd = rows[declared > np.minimum(len(data) - offsets[rows], _LARGEST)]
        known: dict[int, int] = {}
        for row, offset in zip(odd.tolist(), offsets[odd].tolist(), strict=True):
            if offset not in known:
                known[offset] = _size_up_to_next(data, offset)
            sizes[row] = known[offset]
    return sizes


def _size_up_to_next(data: Any, offset: int) -> int:
    """Return the distance from a damaged record to the next one; if it is none at all, the least that a record has."""
    if bytes(data[offset : offset + len(_MAGIC)]) != _MAGIC:
        return LEAST
    end = min(len(data), offset + _LARGEST)
    for begin in range(offset + len(_MAGIC), end, _STEP):
        # A step overlaps the next one, so that a magic number between them is found.
        place = bytes(data[begin : min(begin + _STEP + len(_MAGIC) - 1, end)]).find(_MAGIC)
        if place >= 0:
            return max(begin + place - offset, LEAST)
    return end - offset


def checksum(content: bytes) -> bytes:
    """Return the checksum of a content; up to seven bytes at its end are in no sum."""
    run = len(content) // 8
    if not run:
        return content.ljust(8, b"\0")[::-1]
    sums = np.frombuffer(content[: 8 * run], np.uint8).reshape(8, run).sum(axis=1, dtype=np.uint64)
    return bytes(sums.astype(np.uint8))[::-1]
