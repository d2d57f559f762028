"""The container of ``.2cbg`` and ``.2cba``: a header, then records back to back, which only ``.2cbh`` refers to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

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

HEAD: Final = Layout(
    "2cbg record",
    "<",
    Field(0, "8s", "magic", "88 77 66 55 44 33 22 11", bytes.fromhex("8877665544332211")),
    Field(8, "i32", "size", "of the content"),
    Field(12, "i32", "spare", "zeros after the content"),
    Field(16, "8s", "checksum", "sums of the eighths of the content, the last one first"),
    Field(24, "2s", "tag", "01 00 chess, 02 00 Chess960, 00 10 text, 00 20 annotations"),
)
TAIL: Final = 8
"""Bytes behind the spare ones: the size of the whole record."""
LEAST: Final = HEAD.size + TAIL


def record_sizes(data: Any, offsets: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the sizes of the records at some offsets as they declare them, capped by the file; 0 outside it.

    Only the kernel checks whether these are records.
    """
    inside = (offsets >= HEADER.size) & (offsets <= len(data) - LEAST)
    heads, places = gathered(data, offsets + 8, np.where(inside, 8, 0))
    sizes = np.zeros(len(offsets), np.int64)
    rows = np.flatnonzero(inside)
    if len(rows):
        numbers = heads[places[rows][:, None] + np.arange(8)].view("<u4").reshape(-1, 2).astype(np.int64)
        declared = numbers.sum(axis=1) + LEAST
        sizes[rows] = np.minimum(declared, len(data) - offsets[rows])
    return sizes


def checksum(content: bytes) -> bytes:
    """Return the checksum of a content; up to seven bytes at its end are in no sum."""
    run = len(content) // 8
    if not run:
        return content.ljust(8, b"\0")[::-1]
    sums = np.frombuffer(content[: 8 * run], np.uint8).reshape(8, run).sum(axis=1, dtype=np.uint64)
    return bytes(sums.astype(np.uint8))[::-1]
