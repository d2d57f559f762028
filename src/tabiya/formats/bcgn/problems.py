"""What may be wrong with a BCGN file."""

from __future__ import annotations

from typing import Final

__all__ = ["SENTENCES"]

SENTENCES: Final[dict[int, str]] = {
    50: "the length of the entry is wrong; it was read up to the next one",
    51: "the file breaks off in this entry",
    52: "the header of the entry makes no sense; its bytes are kept",
    53: "the start position of the entry makes no sense; its bytes are kept",
    54: "a text runs past the header of its entry, or is missing there",
    55: "no legal move has this number; the moves end before it, and their bytes are kept",
    56: "the bytes of the moves end too early; they are kept",
    57: "bytes that belong to nothing are kept",
    58: "the tag FEN is not the start position that is stored, which counts; its text is kept",
    59: "a date makes no sense; its bytes are kept",
    60: "an ECO code makes no sense; its bytes are kept",
    61: "flags are set that mean nothing",
}
