"""The files of bodies, ``.2cbg`` and ``.2cba`` (facts page, section 5): records back to back, each with spare bytes."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import Final

HEADER_SIZE: Final = 12
FRAME: Final = 34
"""Bytes of a record beside content and spare bytes: 26 before them, its size behind them."""
HEAD: Final = 26
MAGIC: Final = bytes.fromhex("8877665544332211")
TEXT, ANNOTATIONS = b"\x00\x10", b"\x00\x20"
"""Tags; those of moves are in ``stream``."""

SPARE: Final = {b"\x01\x00": 96, b"\x02\x00": 96, TEXT: 192, ANNOTATIONS: 192}
"""Spare bytes of a fresh record by its tag, before those that fill it up to a multiple of 8 in its file."""


def checksum(content: bytes) -> bytes:
    """The sums of eight runs of equal length; bytes behind the last run do not count."""
    run = len(content) // 8
    if run == 0:
        return content.ljust(8, b"\0")[::-1]
    sums = bytes(sum(content[i * run : (i + 1) * run]) & 0xFF for i in range(8))
    return sums[::-1]


@dataclass
class Body:
    """One record; ``spare`` is how many bytes follow its content."""

    tag: bytes
    content: bytes
    spare: int

    @property
    def size(self) -> int:
        return FRAME + len(self.content) + self.spare

    def encode(self) -> bytes:
        head = MAGIC + struct.pack("<ii", len(self.content), self.spare) + checksum(self.content) + self.tag
        return head + self.content + bytes(self.spare) + struct.pack("<q", self.size)


class BodyFile:
    """A file of bodies; ``kind`` is its suffix."""

    def __init__(self, kind: str, version: int = 5) -> None:
        self.kind = kind
        self.version = version
        self.bodies: list[Body] = []
        self.end = HEADER_SIZE

    def add(self, tag: bytes, content: bytes, spare: int | None = None) -> int:
        """Append a record and return its offset; ``spare`` replaces the spare bytes of a fresh record."""
        offset = self.end
        if spare is None:
            bare = offset + FRAME + len(content) + SPARE[tag]
            spare = SPARE[tag] + 8 - bare % 8
        self.bodies.append(Body(tag, content, spare))
        self.end += self.bodies[-1].size
        return offset

    def replace(self, index: int, content: bytes) -> None:
        """Store other content as ChessBase does: in place if it fits, else with spare bytes of the next records."""
        body = self.bodies[index]
        missing = len(content) - len(body.content) - body.spare
        body.spare = max(0, -missing)
        body.content = content
        for other in self.bodies[index + 1 :]:
            taken = min(max(missing, 0), other.spare)
            other.spare -= taken
            missing -= taken
        if missing > 0:
            raise ValueError("what ChessBase does if all spare bytes do not suffice is unknown")

    def offsets(self) -> list[int]:
        """Where each record begins."""
        found, place = [], HEADER_SIZE
        for body in self.bodies:
            found.append(place)
            place += body.size
        return found

    def header(self, size: int) -> bytes:
        is_moves, is_empty = self.kind == ".2cbg", not self.bodies
        marks = (int(is_empty), 0 if is_empty else self.version) if is_moves else (0, 0)
        return struct.pack("<qHBB", size, HEADER_SIZE, *marks)

    def encode(self) -> bytes:
        data = b"".join(body.encode() for body in self.bodies)
        return self.header(HEADER_SIZE + len(data)) + data
