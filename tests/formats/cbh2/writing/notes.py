"""Annotations, from ChessBase's older payloads (facts page of CBH, section 5) to ``.2cba`` (section 8)."""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterable, Mapping
from typing import Final

from tests.formats.cbh2.writing.quotations import quotation
from tests.formats.cbh2.writing.stream import CannotBeStoredError

END: Final = struct.pack("<i", 0x7FFFFFFF)
WHOLE_GAME: Final = -1

LANGUAGES: Final = {0: 7, 42: 0, 53: 1, 49: 2, 43: 3, 70: 4, 103: 5, 117: 6, 116: 12, 55: 18}
"""The numbers of languages by nation code; others are unknown."""

Codec = Callable[[bytes], bytes]


def counted(data: bytes) -> bytes:
    """Bytes after their number."""
    return struct.pack("<i", len(data)) + data


def text(payload: bytes) -> bytes:
    """A text before or after a move; its language is a number instead of a nation code."""
    nation = payload[1]
    if nation not in LANGUAGES:
        raise CannotBeStoredError(f"a text in the language of nation {nation}")
    return struct.pack("<HH", 0, LANGUAGES[nation]) + counted(payload[2:])


def symbols(payload: bytes) -> bytes:
    return payload.ljust(3, b"\0")


def unchanged(payload: bytes) -> bytes:
    return payload


def reversed_bytes(payload: bytes) -> bytes:
    return payload[::-1]


def time_spent(payload: bytes) -> bytes:
    hours, minutes, seconds, flag = payload
    return bytes([flag, seconds, minutes, hours])


class _Cursor:
    def __init__(self, data: bytes) -> None:
        self.data, self.place = data, 0

    def take(self, size: int) -> bytes:
        found = self.data[self.place : self.place + size]
        if len(found) < size:
            raise CannotBeStoredError("a damaged payload")
        self.place += size
        return found

    def word(self) -> int:
        return int.from_bytes(self.take(2), "little")


def _text_list(cursor: _Cursor) -> bytes:
    count = cursor.word()
    members = [(cursor.word(), cursor.take(cursor.word())) for _ in range(count)]
    return struct.pack("<H", count) + b"".join(struct.pack("<H", kind) + counted(data) for kind, data in members)


def training(payload: bytes) -> bytes:
    """A training question of variant 1; in the older form all lengths have 16 bits."""
    cursor = _Cursor(payload)
    if cursor.take(3) != b"\1\0\1" or cursor.word() != len(payload) - 3:
        raise CannotBeStoredError("a training question of an unknown form")
    seconds, points = cursor.take(4), cursor.take(2)
    lists = b"".join(_text_list(cursor) for _ in range(4))
    count = cursor.take(1)
    moves = b"".join(cursor.take(4) + _text_list(cursor) for _ in range(count[0]))
    if cursor.place != len(payload):
        raise CannotBeStoredError("a training question with bytes behind it")
    return bytes([1, 1, 1, 0, 0, 0]) + seconds + points + lists + count + moves


def link(payload: bytes) -> bytes:
    cursor = _Cursor(payload)
    if cursor.word() != len(payload):
        raise CannotBeStoredError("a link of an unknown form")
    strings = [cursor.take(cursor.take(1)[0]) for _ in range(2)]
    return b"\1" + b"".join(map(counted, strings))


def video(payload: bytes) -> bytes:
    """A caption in a language; that the number of the language is a nation code here, too, is not certain."""
    return b"\1\0" + struct.pack("<H", payload[1]) + counted(payload[2:])


def time_control(payload: bytes) -> bytes:
    periods = [struct.unpack(">IIHB", payload[place : place + 11]) for place in (0, 11, 22)]
    return b"\1" + b"".join(struct.pack("<IIHB", *period) for period in periods) + bytes(4)


def evaluations(payload: bytes) -> bytes:
    """A profile: the type of an entry comes last, and its value first."""
    (count,) = struct.unpack_from(">H", payload)
    entries = [struct.unpack_from(">BBh", payload, 2 + 4 * number) for number in range(count)]
    body = struct.pack("<H", count) + b"".join(
        struct.pack("<hBB", value, depth, kind) for kind, depth, value in entries
    )
    return b"\1" + counted(body)


CODECS: Final[Mapping[int, tuple[frozenset[int] | None, Codec]]] = {
    0x02: (None, text),
    0x82: (None, text),
    0x03: (frozenset({1, 2, 3}), symbols),
    0x04: (None, counted),
    0x05: (None, counted),
    0x07: (frozenset({4}), time_spent),
    0x08: (frozenset({4}), unchanged),
    0x09: (None, training),
    0x13: (None, quotation),
    0x14: (frozenset({1}), unchanged),
    0x15: (frozenset({2}), counted),
    0x16: (frozenset({4}), reversed_bytes),
    0x17: (frozenset({4}), reversed_bytes),
    0x18: (frozenset({1}), unchanged),
    0x1C: (None, link),
    0x20: (None, video),
    0x21: (frozenset({6}), unchanged),
    0x22: (frozenset({4}), reversed_bytes),
    0x23: (frozenset({4}), reversed_bytes),
    0x24: (frozenset({33}), time_control),
    0x25: (frozenset({4}), reversed_bytes),
    0x26: (None, evaluations),
}
"""By kind the lengths that a payload may have, None for any, and the conversion.

Sounds (0x10), pictures (0x11), 0x19, 0x1A and 0x61 have never been seen in a 2CBH, so their form is unknown.
"""


def convert(kind: int, payload: bytes) -> bytes:
    """The data of an annotation; CannotBeStoredError if the facts page does not give its form."""
    if kind not in CODECS:
        raise CannotBeStoredError(f"annotations of kind {kind:#04x}")
    sizes, codec = CODECS[kind]
    if sizes is not None and len(payload) not in sizes:
        raise CannotBeStoredError(f"an annotation of kind {kind:#04x} with {len(payload)} bytes")
    try:
        return codec(payload)
    except (struct.error, IndexError) as error:
        raise CannotBeStoredError(f"a damaged annotation of kind {kind:#04x}") from error


def annotation(kind: int, data: bytes) -> bytes:
    """One annotation as it is stored."""
    return struct.pack("<H", kind) + data


def annotation_record(members: Iterable[tuple[int, bytes]]) -> bytes:
    """The content of a record, from stored annotations with their positions in PGN order."""
    by_position: dict[int, list[bytes]] = {}
    for position, data in members:
        by_position.setdefault(position, []).append(data)
    blocks = [
        struct.pack("<ii", position, len(found)) + b"".join(found) for position, found in sorted(by_position.items())
    ]
    return b"".join(blocks) + END


def guiding_text(bodies: Mapping[int, bytes], *, all_languages: bool = True) -> bytes:
    """The content of a guiding text, from pages by nation code (section 7)."""
    usual = dict.fromkeys((42, 43, 49, 53, 70, 103, 117) if all_languages else (), b"")
    entries = sorted({**usual, **bodies}.items())
    data = struct.pack("<i", len(entries))
    data += b"".join(struct.pack("<i", nation) + counted(body) for nation, body in entries)
    return struct.pack("<Hi", 5, len(data)) + data
