"""Databases put together from bytes, by the published layouts: as little as a test needs.

This does not share a line with the writer in ``writing``, which someone else made, nor with the reader.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

CONTAINERS = (1024, 1120, 220, 1024, 314, 532)
CHESS, CHESS960, TEXT, NOTES = b"\1\0", b"\2\0", b"\0\x10", b"\0\x20"
NO_NOTES = b"\xff\xff\xff\x7f"
MAGIC = bytes.fromhex("8877665544332211")


def words(*stream: int) -> bytes:
    """A stream of words."""
    return struct.pack(f"<{len(stream)}H", *stream)


def stream(text: str) -> bytes:
    """A stream of words in hexadecimal digits."""
    return words(*(int(word, 16) for word in text.split()))


def string(text: str | bytes) -> bytes:
    data = text.encode() if isinstance(text, str) else text
    return struct.pack("<i", len(data)) + data


def total(content: bytes) -> bytes:
    """The checksum of a content."""
    run = len(content) // 8
    if run == 0:
        return bytes(reversed(content.ljust(8, b"\0")))
    sums = [sum(content[run * part : run * (part + 1)]) & 255 for part in range(8)]
    return bytes(reversed(sums))


def record(content: bytes, tag: bytes, spare: int = 6) -> bytes:
    """A record of .2cbg or .2cba."""
    head = MAGIC + struct.pack("<ii", len(content), spare) + total(content) + tag
    return head + content + bytes(spare) + struct.pack("<q", len(head) + len(content) + spare + 8)


def player(last: str | bytes, first: str | bytes = "", fide: int = -1) -> bytes:
    return string(last) + string(first) + struct.pack("<iiiiq", 0, 0, -1, 8, fide)


def tournament(title: str, place: str = "", *, head: bytes = b"", ties: Sequence[int] = (), end: int = 0) -> bytes:
    usual = bytearray(58)
    usual[: len(head)] = head
    usual[34] = usual[45] = usual[56] = 7
    breaks = struct.pack(f"<{len(ties)}H", *ties)
    return (
        string(place)
        + string(title)
        + usual
        + struct.pack("<H", len(ties))
        + breaks
        + struct.pack("<i", end)
        + bytes(44)
    )


def source(title: str, publisher: str = "") -> bytes:
    return string(title) + string(publisher) + struct.pack("<iiHH", 0, 0, 0, 0)


def titles(**texts: str) -> bytes:
    """The titles of a tag in all seven languages."""
    codes = {"eng": 42, "esp": 43, "fra": 49, "ger": 53, "ita": 70, "ned": 103, "por": 117}
    return struct.pack("<i", 7) + b"".join(
        struct.pack("<i", code) + string(texts.get(name, "")) for name, code in codes.items()
    )


def game(moves: int, notes: int) -> bytes:
    """The header of a game."""
    header = bytearray(192)
    header[0], header[2], header[3] = 1, 1, 1
    struct.pack_into("<qq", header, 8, moves, notes)
    struct.pack_into("<8q", header, 0x18, 0, 1, 0, 0, 0, -1, -1, 0)
    header[0x58] = 2
    struct.pack_into("<i", header, 0xB8, 1)
    return bytes(header)


def changed(data: bytes, place: int, new: bytes) -> bytes:
    """The data with some bytes replaced."""
    return data[:place] + new + data[place + len(new) :]


@dataclass
class Handmade:
    """A database of a few records; its entities are those below, unless others are given."""

    version: int = 5
    entities: dict[int, list[bytes]] = field(
        default_factory=lambda: {
            0: [player("Carlsen", "Magnus", 1503014), player("Caruana", "Fabiano")],
            1: [tournament("Casual", "Oslo")],
            2: [source("")],
            5: [struct.pack("<i", 0)],
        }
    )
    headers: list[bytes] = field(default_factory=list)
    moves: bytearray = field(default_factory=bytearray)
    notes: bytearray = field(default_factory=bytearray)

    def add(self, content: bytes, notes: bytes = NO_NOTES, tag: bytes = CHESS) -> None:
        """Add a game."""
        self.headers.append(game(12 + len(self.moves), 12 + len(self.notes)))
        self.moves += record(content, tag)
        self.notes += record(notes, NOTES)

    def add_text(self, content: bytes, title: int = 0) -> None:
        """Add a guiding text."""
        header = bytearray(192)
        header[0], header[2], header[3] = 3, 1, 3
        struct.pack_into("<5q", header, 8, 12 + len(self.moves), 0, 0, 0, title)
        struct.pack_into("<q", header, 0x38, 0xFFFFFFFF)
        struct.pack_into("<i", header, 0x40, 1)
        self.headers.append(bytes(header))
        self.moves += record(content, TEXT)

    def add_analysis(self, content: bytes, notes: bytes = NO_NOTES, title: int = 0) -> None:
        """Add an analysis."""
        header = bytearray(192)
        header[0], header[2], header[3] = 1, 2, 1
        struct.pack_into("<5q", header, 8, 12 + len(self.moves), 12 + len(self.notes), title, 0, 0)
        self.headers.append(bytes(header))
        self.moves += record(content, CHESS)
        self.notes += record(notes, NOTES)

    def lid(self, header_size: int = 184) -> bytes:
        """The file of entities."""
        counts = [len(self.entities.get(number, ())) for number in range(6)]
        head = struct.pack(">ii", header_size, 6)
        for size, count in zip(CONTAINERS, counts, strict=True):
            head += struct.pack(">iqq", size, count, -1)
        head = head.ljust(header_size, b"\0")
        blocks = []
        for number in range(max(counts)):
            for kind, size in enumerate(CONTAINERS):
                known = self.entities.get(kind, [])
                data = known[number] if number < len(known) else b""
                blocks.append((string(data) if data else b"").ljust(size, b"\0"))
        # The file ends behind the last record, not with its container.
        last = [kind for kind, count in enumerate(counts) if count == max(counts)][-1]
        size = len(string(self.entities[last][-1]))
        return head + b"".join(blocks)[: sum(CONTAINERS) * (max(counts) - 1) + sum(CONTAINERS[:last]) + size]

    def write(self, stem: Path) -> Path:
        """Write the files; return the path of the headers."""
        head = bytearray(192)
        struct.pack_into("<HHBB", head, 8, 38 if self.version == 5 else 34, 192, 0, self.version)
        struct.pack_into("<i", head, 16, len(self.headers) + 1)
        files = {
            ".2cbh": bytes(head) + b"".join(self.headers),
            ".2cbg": struct.pack("<qhBB", 12 + len(self.moves), 12, 0, self.version) + self.moves,
            ".2cba": struct.pack("<qhBB", 12 + len(self.notes), 12, 0, 0) + self.notes,
            ".2lid": self.lid(),
        }
        for suffix, data in files.items():
            Path(f"{stem}{suffix}").write_bytes(data)
        return Path(f"{stem}.2cbh")


def notes(*blocks: tuple[int, Sequence[str]]) -> bytes:
    """Annotations: for each position the annotations in hexadecimal digits."""
    found = b""
    for position, each in blocks:
        found += struct.pack("<ii", position, len(each)) + b"".join(bytes.fromhex(text) for text in each)
    return found + NO_NOTES
