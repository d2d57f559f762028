"""Messages of PGN files."""

from __future__ import annotations

from typing import Final

from tabiya.formats.losses import LossKinds

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

LOSSES: Final = LossKinds(
    {
        "pgn-text": "texts that had to be changed to fit into a PGN comment",
        "pgn-place": "annotations in a place that PGN does not have",
        "pgn-tag": "tags that had to be changed to fit into a line",
        "pgn-value": "clocks, times and marks that other programs read in part or not at all",
        "pgn-blanks": "texts whose spaces and line breaks changed",
        "pgn-exact": "annotations stored in a form that cannot be written exactly",
        "pgn-dialect": "values that the programs of this dialect read in part",
        "pgn-rules": "Variant and FEN tags that contradict the game",
        "pgn-extras": "details of other formats whose names cannot be tag names",
    }
)
