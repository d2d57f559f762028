"""Large bases for benchmarks: the records of a small one, again and again, without work per record."""

from __future__ import annotations

import struct
from pathlib import Path
from typing import IO, Final

import numpy as np

from tests.formats.cbh2.writing import headers
from tests.formats.cbh2.writing.base import Base
from tests.formats.cbh2.writing.container import HEADER_SIZE

_AT_ONCE: Final = 1 << 24
"""Bytes that are put together at a time."""
_MOVES, _ANNOTATIONS = 0x08 // 8, 0x10 // 8
"""Places of the offsets of bodies in a header, in units of eight bytes."""


def write_repeated(base: Base, stem: Path, times: int) -> Path:
    """Write a base with all games of another one so many times, and return the path of its headers.

    All share the entities of the first. The lists of games and the sort orders are those of the small base, as no
    reader needs them.
    """
    files = base.files()
    for suffix in (".2lid", ".2lgd", ".2lcd", ".ini"):
        stem.with_name(stem.name + suffix).write_bytes(files[suffix])
    sizes = {}
    for suffix in (".2cbg", ".2cba"):
        bodies = files[suffix][HEADER_SIZE:]
        sizes[suffix] = len(bodies)
        size = HEADER_SIZE + times * len(bodies)
        with stem.with_name(stem.name + suffix).open("wb") as file:
            file.write(struct.pack("<q", size) + files[suffix][8:HEADER_SIZE])
            _write_times(file, bodies, times)
    path = stem.with_name(stem.name + ".2cbh")
    with path.open("wb") as file:
        file.write(headers.file_header(times * len(base.records), base.version))
        records = np.frombuffer(files[".2cbh"][headers.RECORD_SIZE :], "<i8").reshape(len(base.records), -1)
        for first in range(0, times, _step(records.nbytes)):
            rounds = np.arange(first, min(times, first + _step(records.nbytes)), dtype=np.int64)
            found = np.tile(records, (len(rounds), 1, 1))
            found[:, :, _MOVES] += (rounds * sizes[".2cbg"])[:, None]
            found[:, :, _ANNOTATIONS] += (rounds * sizes[".2cba"])[:, None]
            file.write(found.tobytes())
    return path


def _step(size: int) -> int:
    return max(1, _AT_ONCE // max(1, size))


def _write_times(file: IO[bytes], data: bytes, times: int) -> None:
    step = _step(len(data))
    for first in range(0, times, step):
        file.write(data * min(step, times - first))
