"""Messages for problems in the moves, texts and annotations of a game in any format.

The description of a format has those specific to it (``Format.problems``); ``formats.registry`` has all of them. Codes
are those of the kernels, never change their meaning, and are unique: a new format takes unused numbers.
"""

from __future__ import annotations

from typing import Final

SENTENCES: Final[dict[int, str]] = {
    1: "a text is not UTF-8 and was read by its code page",
    10: "this is not a move; the rest of the line is kept as text",
    11: "the move is not legal; the rest of the line is kept as text",
    12: "the move is ambiguous; the rest of the line is kept as text",
    13: "a variation comes before the move that it replaces",
    14: "a variation has no moves",
    15: "a variation is not closed",
    16: "a closing parenthesis has no matching opening one",
    21: "this record has more problems than can be listed",
    22: "a command in a comment was not understood; it stays in the text",
    23: "the stored bytes of an annotation no longer match its text, so the text was used",
    25: "a part of a command in a comment was not understood; the other parts were read, and its spelling is kept",
    30: "the start position is invalid; the moves are kept as text",
    31: "this variant is not supported; the moves are kept as text",
    40: "the game cannot be replayed",
}
"""By code of a problem. The text of a problem with code 0 is a complete sentence."""
