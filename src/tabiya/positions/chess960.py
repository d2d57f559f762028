"""The key of a position in a game of Chess960, as the position index has it; ``chess960.pxd`` computes the same.

Polyglot's key has the castling rights, but not the rooks that they belong to. Its combination with these is different
for every set of rooks, and always different from Polyglot's key, so games of usual chess are found separately.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from tabiya.chess import Position

_MIXER: Final = 0x9E3779B97F4A7C15
_NO_ROOK: Final = 8
_ALL_BITS: Final = (1 << 64) - 1


def chess960_key(position: Position) -> int:
    """Return the key that a game of Chess960 has for a position."""
    rooks = sum((_NO_ROOK if rook is None else rook & 7) << 4 * right for right, rook in enumerate(position.castling()))
    return position.key ^ rooks * _MIXER & _ALL_BITS
