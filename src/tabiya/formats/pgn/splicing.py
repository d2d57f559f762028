"""The texts of records within a file: where they begin, and what surrounds them."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray
    from typing_extensions import Buffer

    Numbers = NDArray[np.int64]

_NUMBER: Final = re.compile(rb"(?<![^\s}\])])\d+[\s.]*\Z")
_NUMBER_BYTES: Final = 64


def borders_of(text: memoryview, ends: Buffer) -> Numbers:
    """Return where each record begins in a text, and where the last one ends, from the result of ``read_games``."""
    borders = np.concatenate((np.zeros(1, np.int64), np.frombuffer(memoryview(ends), np.int64)))
    inner, letters = borders[1:-1], np.frombuffer(text, np.uint8)
    for place in np.flatnonzero(letters[np.minimum(inner, len(letters) - 1)] != ord("[")).tolist():
        inner[place] = _number_before(text, int(inner[place]))
    borders[-1] = len(text)
    return borders


def _number_before(text: memoryview, place: int) -> int:
    """Return the beginning of the move number directly before a first move; ``place`` itself without one.

    The reader notices that a game without tags has begun at its first move, after the number.
    """
    begin = max(0, place - _NUMBER_BYTES)
    found = _NUMBER.search(bytes(text[begin:place]))
    return place if found is None or place == len(text) else begin + found.start()


def spliced(text: memoryview, borders: Numbers, rows: Numbers, new: Iterable[bytes]) -> tuple[memoryview, Numbers]:
    """Return a text with some of its records replaced, and the new borders."""
    places = borders.tolist()
    old = bytes(text)
    pieces = [old[begin:end] for begin, end in pairwise(places)]
    for row, body in zip(rows.tolist(), new, strict=True):
        pieces[row] = _in_place_of(pieces[row], body)
    sizes = np.fromiter(map(len, pieces), np.int64, len(pieces))
    return memoryview(b"".join(pieces)), np.concatenate((np.zeros(1, np.int64), np.cumsum(sizes)))


def _in_place_of(old: bytes, new: bytes) -> bytes:
    """Return a new text of a record with the line breaks and surrounding blanks of the old one."""
    newline = b"\r\n" if b"\r\n" in old else b"\n"
    before, after = old[: len(old) - len(old.lstrip())], old[len(old.rstrip()) :]
    if after.count(b"\n") < 2:
        after = 2 * newline
    return before + new.strip(b"\n").replace(b"\n", newline) + after
