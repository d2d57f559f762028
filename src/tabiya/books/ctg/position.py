"""Single positions as books store them: packed, as signatures."""

from __future__ import annotations

from typing import Final

from tabiya.books.ctg.signature_kernel import hash_signature, load_signature, pack_position
from tabiya.chess import Position
from tabiya.errors import CorruptError, UnsupportedError

PROBLEMS: Final = (
    "",
    "the packed position ends before its 64th square",
    "the position does not have one king on each side",
    "a pawn stands on the first or the eighth rank",
    "a castling right lacks its king or rook",
    "the en passant capture has no pawn that could have made a double step",
    "the mirror image of the position should be stored instead",
    "the position is not packed in the canonical form",
    "the side that has just moved is in check",
)
"""Problems of a signature, by the codes of ``signature_kernel.pxd``."""

_TOO_SHORT: Final = 1
_MIRRORED_FILES: Final = str.maketrans("abcdefgh", "hgfedcba")
_OTHER_SIDE: Final = str.maketrans("wb36", "bw63")


def signature_of(position: Position, *, pseudo: bool = False) -> bytes:
    """Return the packed position, with White to move, mirrored if neither side can castle and the king is on the left.

    En passant counts if a legal capture exists; with ``pseudo`` also if a pin forbids it, as in some books.
    """
    signature = pack_position(position, pseudo)
    if not signature:
        raise UnsupportedError(f"a CTG book cannot hold this position: {position.fen()}")
    return signature


def position_of(signature: bytes) -> Position:
    """Return the position of a signature, White to move; CorruptError if it is invalid."""
    position = Position()
    code = load_signature(position, signature) if _has_its_length(signature) else _TOO_SHORT
    if code:
        raise CorruptError(f"{PROBLEMS[code]}: {signature.hex()}")
    return position


def views_of(position: Position) -> tuple[Position, ...]:
    """Return the positions with the same signature: with both colours, and mirrored as well if neither side can castle.

    Move counters are reset.
    """
    board, turn, castling, ep = position.fen().split()[:4]
    turned = "/".join(reversed(board.swapcase().split("/")))
    views = [
        (board, turn, castling, ep),
        (turned, turn.translate(_OTHER_SIDE), castling.swapcase(), ep[0] + ep[1:].translate(_OTHER_SIDE)),
    ]
    if castling == "-":
        views += [
            ("/".join(rank[::-1] for rank in pieces.split("/")), side, castling, square.translate(_MIRRORED_FILES))
            for pieces, side, _, square in views
        ]
    return tuple(Position.from_fen(" ".join((*view, "0 1"))) for view in views)


def hash_of(signature: bytes) -> int:
    """Return the hash that determines the page."""
    if not _has_its_length(signature):
        raise CorruptError(f"the first byte of a packed position must be its length: {signature.hex()}")
    return hash_signature(signature)


def _has_its_length(signature: bytes) -> bool:
    return len(signature) > 0 and len(signature) == signature[0] & 31


def identity_of(position: Position) -> bytes:
    """Return the signature without validation; it is the same for a position and its mirror images."""
    return pack_position(position, False)
