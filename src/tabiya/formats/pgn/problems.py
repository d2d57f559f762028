"""What may be wrong with a PGN file."""

from __future__ import annotations

from typing import Final

__all__ = ["LEFT_OUT", "SENTENCES"]

SENTENCES: Final[dict[int, str]] = {
    2: 'a tag is not written as [Name "value"]',
    3: "the name of a tag has other capitals than usual",
    4: "the text goes on for too long without a new game; the rest was left out",
    5: "the packed file is damaged or breaks off here",
    17: "a comment is not closed",
    18: "the result after the moves is missing",
    19: "the result after the moves is not that of the tag",
    20: "a word that says nothing here was passed over",
    24: "there is no space after a move; the move and what follows it were read separately",
}

LEFT_OUT: Final[dict[int, str]] = {
    4: "the rest of a text that is too long",
    5: "what follows damage in a packed file",
}
