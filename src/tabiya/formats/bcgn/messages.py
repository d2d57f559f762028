"""Messages of BCGN files."""

from __future__ import annotations

from typing import Final

from tabiya.formats.losses import LossKinds

SENTENCES: Final[dict[int, str]] = {
    50: "the length of the entry is wrong; it was read up to the next one",
    51: "the file ends in the middle of this entry",
    52: "the header of the entry is invalid; its bytes are kept",
    53: "the start position of the entry is invalid; its bytes are kept",
    54: "a text runs past the header of its entry, or is missing there",
    55: "a move number matches no legal move; the moves stop there, and their bytes are kept",
    56: "the bytes of the moves end too early; they are kept",
    57: "unassigned bytes were found; they are kept",
    58: "the FEN tag differs from the stored start position, which was used; the text of the tag is kept",
    59: "a date is invalid; its bytes are kept",
    60: "an ECO code is invalid; its bytes are kept",
    61: "unknown flags are set",
}

LOSSES: Final = LossKinds(
    {
        "bcgn-texts": "texts of more than 255 bytes, cut",
        "bcgn-tags": "tags beyond the 255 that a game may have",
        "bcgn-dates": "parts of dates that are out of range",
        "bcgn-starts": "counters or spellings of start positions",
        "bcgn-results": "missing results, written as unknown",
        "bcgn-spellings": "rounds, ECO codes and empty names that change when read back",
    },
    rank=900,
)

REFUSALS: Final = LossKinds(
    {
        "bcgn-rules": "games that castle as in Chess960, left out",
        "bcgn-men": "games from a position with more than 32 pieces, left out",
        "bcgn-positions": "games from an invalid position, left out",
        "bcgn-moves": "games with moves that are not legal, left out",
        "bcgn-index": "games with a move index that does not fit one byte, left out",
        "bcgn-plies": "games of more than 16383 moves, left out",
        "bcgn-length": "games of more than 65534 bytes, left out",
    },
    rank=900,
)
"""In the order of the codes of the kernel, from 1."""
