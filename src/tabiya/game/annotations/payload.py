"""Byte-wise access to payloads: a reader with bounds checks, a writer with range checks."""

from __future__ import annotations

import struct
from typing import Final

from tabiya.chess import Square
from tabiya.errors import FormatError
from tabiya.game.annotations.encoding import TextEncoding

_LONGEST_PASCAL: Final = 255


class PayloadReader:
    """Reads a payload from its start."""

    __slots__ = ("_data", "_place", "encoding")

    def __init__(self, data: bytes, encoding: TextEncoding) -> None:
        self._data = data
        self._place = 0
        self.encoding = encoding

    def __len__(self) -> int:
        """Return the number of remaining bytes."""
        return len(self._data) - self._place

    @property
    def size(self) -> int:
        """The size of the whole payload in bytes."""
        return len(self._data)

    def take(self, count: int) -> bytes:
        """Return exactly this many bytes."""
        if count > len(self):
            raise FormatError(f"the payload ends {count - len(self)} bytes early")
        self._place += count
        return self._data[self._place - count : self._place]

    def rest(self) -> bytes:
        """Return all remaining bytes."""
        return self.take(len(self))

    def number(self, layout: str) -> int:
        """Return the next number, in a format of ``struct``."""
        found: int = struct.unpack(layout, self.take(struct.calcsize(layout)))[0]
        return found

    def square(self) -> Square:
        """Return a square of ChessBase: 1 is a1, 2 is a2, … 64 is h8."""
        number = self.number("B")
        if not 1 <= number <= 64:
            raise FormatError(f"{number} is not the number of a square")
        return square_of(number - 1)

    def pascal(self) -> str:
        """Return a name, which follows its length in one byte."""
        return self.encoding.decode_name(self.take(self.number("B")))

    def expect(self, layout: str, expected: int, what: str) -> None:
        """Read a number with only one valid value."""
        number = self.number(layout)
        if number != expected:
            raise FormatError(f"{what} is {number}, not {expected}")

    def end(self) -> None:
        """Raise an error if bytes remain."""
        if len(self):
            raise FormatError(f"the payload has {len(self)} bytes too many")


class PayloadWriter:
    """Writes a payload from its start."""

    __slots__ = ("data", "encoding")

    def __init__(self, encoding: TextEncoding) -> None:
        self.data = bytearray()
        self.encoding = encoding

    def put(self, data: bytes) -> None:
        """Append bytes as they are."""
        self.data += data

    def number(self, layout: str, number: int) -> None:
        """Append a number; FormatError if it does not fit."""
        try:
            self.data += struct.pack(layout, number)
        except struct.error as error:
            raise FormatError(f"{number} is out of range here") from error

    def square(self, square: Square) -> None:
        """Append a square with ChessBase's number."""
        self.number("B", 1 + square_number(square))

    def pascal(self, text: str) -> None:
        """Append a name after its length in one byte."""
        data = self.encoding.encode_name(text)
        if len(data) > _LONGEST_PASCAL:
            raise FormatError(f"a name of {len(data)} bytes is longer than 255")
        self.number("B", len(data))
        self.put(data)


def square_of(number: int) -> Square:
    """Return the square of ChessBase's number, which counts up the files: 0 is a1, 1 is a2, … 63 is h8."""
    return Square((number & 7) * 8 + (number >> 3))


def square_number(square: Square) -> int:
    """Return ChessBase's number of a square."""
    return square.file * 8 + square.rank
