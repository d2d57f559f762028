"""A game of jose's tables: common to the server and the archives.

Names are those of the rows of Player, Event, Site and Opening that a game refers to; dates are numbers such as
20011231.
"""

from __future__ import annotations

from typing import Final, NamedTuple

NAME_LENGTH: Final = 255
INFO_LENGTH: Final = 255
SHORT_LENGTH: Final = 32
"""Length of Round, Board and the titles."""
DEFAULT_COLLECTION: Final = "tabiya"
TRASH: Final = 3
"""The collection of deleted games."""
OWN_TAGS: Final = ("WhiteTitle", "BlackTitle", "Board", "Opening")
"""Tags with columns in jose but not here, in the order in which they are read; followed by those of Info."""
LAST_TAG: Final = "EventDate"
"""One more, after those of Info: its position in most PGN files."""
NO_VARIANT: Final = ""
"""Value in Info for a standard game whose castling rights look like those of Chess960: it has no such tag."""


class Row(NamedTuple):
    """One game. Texts are as jose stores them; None is an unknown value."""

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
