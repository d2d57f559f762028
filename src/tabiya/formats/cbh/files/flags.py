"""``.flags``: which games ChessBase counts among the top games. Two bits per game, number 0 unused."""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from tabiya.binary import Field, Layout

if TYPE_CHECKING:
    from numpy.typing import NDArray

MAGIC: Final = 0x0F010B09

HEADER: Final = Layout(
    "flags header",
    ">",
    Field(0, "u32", "magic", "0x0F010B09; an older kind without bits has another", MAGIC),
    Field(4, "u32", "words", "of 32 bits that follow; grows by 16"),
    Field(8, "u32", "bits", "per game", 2),
)

_WORD, _GROWTH = 4, 16
_MOST_BITS = 8


class TopGame(IntEnum):
    """The state of a game: bit 1 is set once it was evaluated, bit 0 if it is a top game."""

    UNKNOWN = 0
    NO = 2
    YES = 3


def is_known(data: Any) -> bool:
    """Return whether a file has a version whose bits are known."""
    if len(data) < HEADER.size:
        return False
    header = HEADER.read(data)
    return header["magic"] == MAGIC and 2 <= int(header["bits"]) <= _MOST_BITS


def top_games(data: Any, first: int, count: int) -> NDArray[np.uint8]:
    """Return the two bits of some games, from number ``first`` (from 1) on; 0 for games that the file does not contain.

    Bits are counted from the lowest of each byte. A file with three bits per game (ChessBase 12) has 0 in the third.
    """
    found = np.zeros(count, np.uint8)
    if not is_known(data):
        return found
    bits = int(HEADER.read(data)["bits"])
    begin, end = first * bits, (first + count) * bits
    piece = np.frombuffer(bytes(data[HEADER.size + begin // 8 : HEADER.size + -(-end // 8)]), np.uint8)
    unpacked = np.unpackbits(piece, bitorder="little")[begin % 8 :]
    whole = min(count, len(unpacked) // bits)
    per_game = unpacked[: whole * bits].reshape(whole, bits)
    found[:whole] = per_game[:, 0] | (per_game[:, 1] << 1)
    return found


def encode_top_games(values: NDArray[np.uint8]) -> bytes:
    """Return the file for games with these values, the first of them number 1; the inverse of ``top_games``."""
    bits = np.zeros((len(values) + 1, 2), np.uint8)
    bits[1:, 0] = values & 1
    bits[1:, 1] = values >> 1 & 1
    packed = np.packbits(bits.reshape(-1), bitorder="little").tobytes()
    words = -(-len(packed) // _WORD)
    words = -(-words // _GROWTH) * _GROWTH
    return HEADER.encode({"words": words}) + packed.ljust(words * _WORD, b"\0")
