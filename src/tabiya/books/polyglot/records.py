"""Decodes and encodes the records of a Polyglot book, and the moves in them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tabiya.binary import Layout
from tabiya.chess import Move, PieceType
from tabiya.chess.basics import all_moves

if TYPE_CHECKING:
    from tabiya.chess import Position

LAYOUT: Final = Layout.of("polyglot record", ">", "u64 key", "u16 move weight", "u32 learning")
RECORD: Final = LAYOUT.dtype
RECORD_BYTES: Final = LAYOUT.size
MOST_WEIGHT: Final = 0xFFFF
_MAGIC: Final = b"@PG@"
_MOST_PROMOTION: Final = 4

_KING_STEPS: Final = {
    Move.of(king, king + step): Move.of(king, king + rook)
    for king in (4, 60)  # e1 and e8
    for step, rook in ((2, 3), (-2, -4))
}
"""Maps castling as the king's two steps, which some programs write, to the correct form: king takes own rook."""


def decode_move(bits: int) -> Move | None:
    """Return the move of a record; None for impossible ones: the null move, an invalid promotion.

    Bits 0-5 are the target, 6-11 the source, 12-14 the promotion: source and target are swapped compared with a tape.
    """
    if bits >> 12 > _MOST_PROMOTION or bits & 63 == bits >> 6 & 63:
        return None
    return all_moves()[bits >> 6 & 63 | (bits & 63) << 6 | bits & 0x7000]


def encode_move(move: Move) -> int:
    """Return the bits of a move."""
    return move >> 6 & 63 | (move & 63) << 6 | move & 0x7000


def legal_move(position: Position, bits: int) -> Move | None:
    """Return the move of a record if it is legal here, with castling in its correct form; else None."""
    move = decode_move(bits)
    if move is None or position.is_legal(move):
        return move
    castling = _KING_STEPS.get(move)
    if castling is None or position.codes()[move & 63] & 7 != PieceType.KING or not position.is_legal(castling):
        return None
    return castling


def looks_like_records(head: bytes) -> bool:
    """Return whether the first bytes of a file can be records: half of them, without headers, contain a possible move.

    In other files one record in sixteen does: the upper four bits of a move without promotion are 0.
    """
    begins = range(0, len(head) - RECORD_BYTES + 1, RECORD_BYTES)
    moves = [head[begin + 8 : begin + 10] for begin in begins if head[begin : begin + 8] != bytes(8)]
    possible = sum(bits[0] < 0x10 and decode_move(int.from_bytes(bits)) is not None for bits in moves)
    return 2 * possible >= len(moves)


def header_of(head: bytes) -> bytes:
    """Return the records with key 0 at the front, which may contain a header."""
    end = 0
    while end + RECORD_BYTES <= len(head) and head[end : end + 8] == bytes(8):
        end += RECORD_BYTES
    return head[:end]


def header_text(header: bytes) -> str | None:
    """Return the text of a header (magic, version, variants, comment, one per line); None if it is not a header."""
    text = b"".join(header[begin + 8 : begin + RECORD_BYTES] for begin in range(0, len(header), RECORD_BYTES))
    return text.partition(b"\0")[0].decode("utf-8", "replace") if text.startswith(_MAGIC) else None
