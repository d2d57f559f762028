"""Error messages for FENs. The codes are those of ``fen_kernel.pxd``."""

from __future__ import annotations

from tabiya.errors import FormatError, shortened

_SENTENCES = (
    "",
    "the FEN is empty",
    "the FEN has a letter that is not a piece",
    "a rank of the FEN does not have eight squares",
    "the FEN does not have eight ranks",
    "each side must have exactly one king",
    "a pawn stands on the first or the eighth rank",
    "the side to move must be w or b",
    "the castling field must be -, or made of KQkq and of the letters of rooks' files",
    "the en passant field must be - or a square on the third or sixth rank",
    "the clock and the move number must be whole numbers up to 65535",
    "the FEN has text after its sixth field",
)
_LONGEST_QUOTE = 100


def fen_error(fen: str, code: int, offset: int) -> FormatError:
    """Return the error for a code of the FEN kernel; ``offset`` counts bytes of the text."""
    quoted = shortened(fen, _LONGEST_QUOTE)
    return FormatError(f"{_SENTENCES[code]} (at character {offset + 1} of {quoted!r})")
