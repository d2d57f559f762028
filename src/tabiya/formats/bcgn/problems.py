"""Problems of BCGN files."""

from __future__ import annotations

from typing import Final

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
