"""A game of jose's tables: what the server and the archives have in common.

Names stand for the rows of Player, Event, Site and Opening that a game refers to; dates are numbers such as 20011231.
"""

from __future__ import annotations

from typing import Final, NamedTuple

__all__ = [
    "DEFAULT_COLLECTION",
    "INFO_LENGTH",
    "LAST_TAG",
    "NAME_LENGTH",
    "NO_VARIANT",
    "OWN_TAGS",
    "SHORT_LENGTH",
    "TRASH",
    "Row",
]

NAME_LENGTH: Final = 255
INFO_LENGTH: Final = 255
SHORT_LENGTH: Final = 32
"""Of Round, Board and the titles."""
DEFAULT_COLLECTION: Final = "tabiya"
TRASH: Final = 3
"""The collection of games that were deleted."""
OWN_TAGS: Final = ("WhiteTitle", "BlackTitle", "Board", "Opening")
"""Tags with columns in jose but not here, in the order in which they are read; then come those of Info."""
LAST_TAG: Final = "EventDate"
"""One more, behind those of Info: that is where most PGN files have it."""
NO_VARIANT: Final = ""
"""What Info says of a game by the usual rules whose castling rights look like those of Chess960: it has no such tag."""


class Row(NamedTuple):
    """One game. Texts are as jose stores them; None is a value that is not known."""

    white: bytes | None = None
    black: bytes | None = None
    event: bytes | None = None
    site: bytes | None = None
    opening: bytes | None = None
    annotator: bytes | None = None
    attributes: int = 0
    ply_count: int = 0
    result: int = -1
    white_elo: int | None = None
    black_elo: int | None = None
    game_date: int | None = None
    event_date: int | None = None
    date_flags: int = 0
    eco: bytes | None = None
    white_title: bytes | None = None
    black_title: bytes | None = None
    round: bytes | None = None
    board: bytes | None = None
    fen: bytes | None = None
    info: bytes | None = None
    codes: bytes | None = None
    comments: bytes | None = None
    evaluations: bytes | None = None
    deleted: int | bool = False
