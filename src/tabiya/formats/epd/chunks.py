"""Chunks of whole lines of an EPD file, the same for every reader."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, BinaryIO, Final

from tabiya.errors import CorruptError
from tabiya.formats.epd.read_kernel import count_lines
from tabiya.formats.stretches import read_fully

if TYPE_CHECKING:
    from collections.abc import Iterator

_CHUNK_BYTES: Final = 1 << 20
_LONGEST_LINE: Final = 1 << 24
_BOM: Final = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True)
class Chunk:
    """Some whole lines."""

    data: bytes
    offset: int
    """Their offset in the file."""
    count: int
    """The number of lines that are not blank."""


def chunks(stream: BinaryIO, *, offset: int) -> Iterator[Chunk]:
    """Read a stream positioned at the beginning of a line, ``offset`` bytes after the beginning of the file.

    Each chunk contains the whole lines in a megabyte, so it depends only on its own beginning.
    """
    rest = b""
    final = False
    while not final:
        piece = read_fully(stream, _CHUNK_BYTES - len(rest))
        final = len(rest) + len(piece) < _CHUNK_BYTES
        pieces = [rest, piece]
        while not final and b"\n" not in pieces[-1]:
            pieces.append(read_fully(stream, _CHUNK_BYTES))
            final = len(pieces[-1]) < _CHUNK_BYTES
            if len(pieces) * _CHUNK_BYTES > _LONGEST_LINE:
                raise CorruptError("has a line of more than 16 MB, so it is not EPD", offset=offset)
        data = b"".join(pieces)
        end = len(data) if final else data.rfind(b"\n") + 1
        if end:
            lines = data[:end]
            # A mark of the encoding at the beginning is no part of the first line.
            lines = b" " * len(_BOM) + lines[len(_BOM) :] if offset == 0 and lines.startswith(_BOM) else lines
            yield Chunk(lines, offset, count_lines(lines))
            offset += end
        rest = data[end:]
