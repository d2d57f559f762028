"""Quotations of other games (facts page, section 8): as much of them as is known, zeros elsewhere."""

from __future__ import annotations

import struct
from typing import Final

from tabiya.chess import Move, Position
from tabiya.errors import TabiyaError
from tabiya.game.annotations import Quotation
from tests.formats.cbh2.writing.stream import CannotBeStoredError, chessbase_square

_PROMOTIONS: Final = "qnbr"
_START: Final = 0x40
"""Flag of a quotation with a start position."""


def split_name(name: bytes) -> tuple[bytes, bytes]:
    """Last and first name of ``Last,First``, as CBH quotes players; without a comma, the whole is the last name."""
    last, _, first = name.partition(b",")
    return (last, first) if first else (name, b"")


def _name(data: bytes) -> bytes:
    if len(data) > 254 or b"\0" in data:
        raise CannotBeStoredError("a quotation with a long name")
    return bytes([len(data) + 1]) + data + b"\0"


class _Payload:
    """The payload of CBH: all numbers are big-endian, a name follows its length and precedes a zero."""

    def __init__(self, data: bytes) -> None:
        self.data, self.place = data, 0

    def numbers(self, layout: str) -> tuple[int, ...]:
        found: tuple[int, ...] = struct.unpack_from(f">{layout}", self.data, self.place)
        self.place += struct.calcsize(f">{layout}")
        return found

    def name(self) -> bytes:
        size = self.data[self.place]
        self.place += size + 2
        return self.data[self.place - size - 1 : self.place - 1]


def _move(uci: str) -> bytes:
    if uci == "0000":
        return bytes(5)
    source, target = (chessbase_square("abcdefgh".index(uci[i]) + 8 * (int(uci[i + 1]) - 1)) for i in (0, 2))
    promotion = uci[4:]
    piece = _PROMOTIONS.index(promotion) if promotion else 0
    return bytes([source | 0x40 * bool(promotion), target | piece << 6, 0, 0, 0])


def _moves(moves: tuple[Move, ...]) -> bytes:
    position, stored = Position(), []
    for move in moves:
        stored.append(_move(position.uci(move)))
        position = position.play(move)
    return struct.pack("<i", len(stored)) + b"".join(stored)


def quotation(payload: bytes) -> bytes:
    """The stored form of a quotation; names keep their bytes."""
    reader = _Payload(payload)
    _, kind, flags = reader.numbers("HHH")
    try:
        moves = Quotation.decode(payload).moves
    except TabiyaError as error:
        raise CannotBeStoredError("a damaged quotation") from error
    if flags & _START:
        raise CannotBeStoredError("a quotation from a set-up position: where the side to move is stored is unknown")
    white, black = reader.name(), reader.name()
    elos = reader.numbers("HHH")
    event, site = reader.name(), reader.name()
    date, type_, nation, _, rounds = reader.numbers("IHHHH")
    subround, round_, result = reader.numbers("BBB")
    header = bytearray(35)
    struct.pack_into("<iB", header, 0, date, type_ & 0xFF)
    header[6], header[10], header[34] = nation, rounds, result
    struct.pack_into("<HHH", header, 28, *elos)
    more = bytearray(44)
    more[8], more[9] = round_, subround
    names = (*split_name(white), *split_name(black), site, event)
    ratings = (b"\1\0\1\0\0" + struct.pack("<i", 0)) * 2
    return b"".join(
        [
            *(b"\1", struct.pack("<HHiB", kind, 0, 1, 0), *map(_name, names), bytes(header), bytes(more)),
            *(ratings, bytes(26), b"\1", bytes(2), _moves(moves), bytes(4)),
        ]
    )
