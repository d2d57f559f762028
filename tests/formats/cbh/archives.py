"""Archives for the tests, made by hand: any names, any lies."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Entry:
    """A member with one stored block per piece; ``size`` and the like may be wrong on purpose."""

    name: bytes
    pieces: Sequence[bytes] = ()
    size: int | None = None
    offset: int | None = None
    packed: int | None = None
    long: bool = True
    date: int = 2016_08_06
    time: int = 15_18_07_12


def block(content: bytes, mode: int = 0) -> bytes:
    data = bytes([mode]) + content
    words = struct.unpack(f"<{len(data) // 2}H", data[: len(data) // 2 * 2])
    return struct.pack("<HH", len(data), sum(words) % 65536) + data


def archive(*entries: Entry) -> bytes:
    head = struct.pack("<HHHH", 8, len(entries), 173, 3)
    place = len(head) + 173 * len(entries)
    table, data = b"", b""
    for entry in entries:
        blocks = b"".join(map(block, entry.pieces))
        size = sum(map(len, entry.pieces)) if entry.size is None else entry.size
        offset = place if entry.offset is None else entry.offset
        packed = len(blocks) if entry.packed is None else entry.packed
        short = (offset & 0xFFFFFFFF, packed & 0xFFFFFFFF, size & 0xFFFFFFFF)
        fields = struct.pack("<IIIBII", *short, 1, entry.date, entry.time)
        long = struct.pack("<QQQ", offset, packed, size) if entry.long else bytes(24)
        table += entry.name.ljust(128, b"\0") + fields + long
        data += blocks
        place += len(blocks)
    return head + table + data
