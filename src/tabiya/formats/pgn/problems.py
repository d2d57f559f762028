"""Problems of PGN files."""

from __future__ import annotations

from typing import Final

SENTENCES: Final[dict[int, str]] = {
    2: 'a tag is not written as [Name "value"]',
    3: "the capitalisation of a tag name is unusual",
    4: "the text is too long to be a single game; the rest was skipped",
    5: "the compressed file is damaged or truncated here",
    17: "a comment is not closed",
    18: "the result after the moves is missing",
    19: "the result after the moves differs from the Result tag",
    20: "an unexpected word was skipped",
    24: "there is no space after a move; the move and what follows it were read separately",
}

LEFT_OUT: Final[dict[int, str]] = {
    4: "the rest of an overlong text",
    5: "data after damage in a compressed file",
}
