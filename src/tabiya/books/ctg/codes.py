"""The tables of CTG: move codes, the hash, and the bits of pieces. Data only; ``signature_kernel`` compiles them.

A move is one byte. ChessBase numbers 235 moves ("opcodes", the same list as in its games) and maps the number through
a permutation of bytes; this module contains both as data. Squares and steps are those of the normalised board: White
to move.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from tabiya.chess.basics import PieceType


class Special:
    """Opcodes that are not a step of a piece."""

    STEP: Final = 0
    NULL: Final = 1
    KING_SIDE: Final = 2
    QUEEN_SIDE: Final = 3


class Opcode(NamedTuple):
    """The meaning of an opcode."""

    piece: int
    """The type of the piece; 0 for the null move."""
    number: int
    """Which of White's pieces of this type, from 0, counted a1, a2 … a8, b1 … h8."""
    right: int
    """Files to the right, modulo 8: one file to the left is seven to the right."""
    forward: int
    """Ranks forward, modulo 8."""
    special: int = Special.STEP


_FORWARD: Final = tuple((0, step) for step in range(1, 8))
_RIGHT: Final = tuple((step, 0) for step in range(1, 8))
_RISING: Final = tuple((step, step) for step in range(1, 8))
_FALLING: Final = tuple((step, -step) for step in range(1, 8))

_STEPS: Final[dict[int, tuple[tuple[int, int], ...]]] = {
    PieceType.KING: ((0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)),
    PieceType.QUEEN: _FORWARD + _RIGHT + _RISING + _FALLING,
    PieceType.ROOK: _FORWARD + _RIGHT,
    PieceType.BISHOP: _RISING + _FALLING,
    PieceType.KNIGHT: ((2, 1), (1, 2), (-1, 2), (-2, 1), (-2, -1), (-1, -2), (1, -2), (2, -1)),
    PieceType.PAWN: ((0, 1), (0, 2), (1, 1), (-1, 1)),
}

# Third pieces were added later, hence their place after the pawns; a fourth piece has no code.
_PIECES: Final = (
    *((PieceType.QUEEN, 0), (PieceType.ROOK, 0), (PieceType.ROOK, 1), (PieceType.BISHOP, 0), (PieceType.BISHOP, 1)),
    *((PieceType.KNIGHT, 0), (PieceType.KNIGHT, 1)),
    *((PieceType.PAWN, number) for number in range(8)),
    *((PieceType.QUEEN, 1), (PieceType.QUEEN, 2), (PieceType.ROOK, 2), (PieceType.BISHOP, 2), (PieceType.KNIGHT, 2)),
)


def _opcodes_of(piece: int, number: int) -> list[Opcode]:
    return [Opcode(piece, number, right % 8, forward % 8) for right, forward in _STEPS[piece]]


OPCODES: Final = (
    Opcode(0, 0, 0, 0, Special.NULL),
    *_opcodes_of(PieceType.KING, 0),
    Opcode(PieceType.KING, 0, 0, 0, Special.KING_SIDE),
    Opcode(PieceType.KING, 0, 0, 0, Special.QUEEN_SIDE),
    *(opcode for piece, number in _PIECES for opcode in _opcodes_of(piece, number)),
)
"""The 235 moves in ChessBase's order.

Steps are modulo 8, so (4, 4) and (4, -4) are the same step of a queen or bishop; ChessBase writes the first of the two.
"""

CODES: Final = bytes.fromhex(
    "af1367be440a8c97df6bf6059d9437b79afd2f7431e539298ff1a245e72861ed"
    "42804b477ed9d781e87a998750e17fcd98ef6e52867df4e3c5a57b69c4a90ead"
    "b5d8212ec10d6a153a1226b23ca766c31bf5c2b99f32091d7279cc88ca225436"
    "3485f70fda8ae9d24cf3d301302ae0ecdb8b0c046296d1559b7c27cfe6eb06bb"
    "5f00decbb12d8218c85cc7a34a14244dbda0b0c61ac9f803fa08bcf9f092fbae"
    "3841236f63ab3b53fe8eee596571ea7657ce64d49e1777900725badc35464eac"
    "1e6c2c027075d5a8105e959cc0d6f2405d3383bf0b736dfc683e164f51e4b848"
    "e293a13f602b193db489431f11915bdd8456a68daa1c7858d0ff20b3b6a45a49"
)
"""The byte in a book by opcode: a permutation of all 256 bytes; those from index 235 on are unassigned."""

HASH_TABLE: Final = (
    *(0x3100D2BF, 0x3118E3DE, 0x34AB1372, 0x2807A847, 0x1633F566, 0x2143B359, 0x26D56488, 0x3B9E6F59),
    *(0x37755656, 0x3089CA7B, 0x18E92D85, 0x0CD0E9D8, 0x1A9E3B54, 0x3EAA902F, 0x0D9BFAAE, 0x2F32B45B),
    *(0x31ED6102, 0x3D3C8398, 0x146660E3, 0x0F8D4B76, 0x02C77A5F, 0x146C8799, 0x1C47F51F, 0x249F8F36),
    *(0x24772043, 0x1FBC1E4D, 0x1E86B3FA, 0x37DF36A6, 0x16ED30E4, 0x02C3148E, 0x216E5929, 0x0636B34E),
    *(0x317F9F56, 0x15F09D70, 0x131026FB, 0x38C784B1, 0x29AC3305, 0x2B485DC5, 0x3C049DDC, 0x35A9FBCD),
    *(0x31D5373B, 0x2B246799, 0x0A2923D3, 0x08A96E9D, 0x30031A9F, 0x08F525B5, 0x33611C06, 0x2409DB98),
    *(0x0CA4FEB2, 0x1000B71E, 0x30566E32, 0x39447D31, 0x194E3752, 0x08233A95, 0x0F38FE36, 0x29C7CD57),
    *(0x0F7B3A39, 0x328E8A16, 0x1E7D1388, 0x0FBA78F5, 0x274C7E7C, 0x1E8BE65C, 0x2FA0B0BB, 0x1EB6C371),
)
"""The hash table of the Unix dbm library, on which CTG is based."""

PIECE_BITS: Final[dict[int, str]] = {
    0: "0",
    PieceType.PAWN: "110",
    PieceType.KNIGHT: "10010",
    PieceType.BISHOP: "10100",
    PieceType.ROOK: "10110",
    PieceType.QUEEN: "100010",
    PieceType.KING: "100000",
}
"""The bits of an empty square and of White's pieces; the last bit is set for Black's."""
