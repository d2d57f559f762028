"""Header and records of Arena books as tables, for reading and writing alike. Numbers are little-endian."""

from __future__ import annotations

from dataclasses import dataclass, fields
from struct import Struct
from typing import TYPE_CHECKING, Final

import numpy as np

from tabiya.errors import CorruptError, FormatError

if TYPE_CHECKING:
    from pathlib import Path

__all__ = [
    "DATA_OFFSET",
    "DELETED",
    "FIRST_RECORD",
    "MOST_COUNT",
    "MOST_PRIORITY",
    "RECORD",
    "RECORD_BYTES",
    "TOO_MANY",
    "USUAL_PRIORITY",
    "Header",
    "new_header",
]

RECORD_BYTES: Final = 28
FIRST_RECORD: Final = 900
DATA_OFFSET: Final = FIRST_RECORD * RECORD_BYTES
DELETED: Final = 0x01000000
"""In ``flags``; the other bits have no known meaning."""
USUAL_PRIORITY: Final = 5
MOST_PRIORITY: Final = 9
MOST_COUNT: Final = 0xFFFFFFFF
TOO_MANY: Final = ("numbers", "moves with more games than 32 bits count")
"""Name and words in the loss report."""

RECORD: Final = np.dtype(
    [
        ("source", "u1"),
        ("target", "u1"),
        ("promotion", "i1"),  # 1 rook, 2 knight, 3 bishop, 4 queen; negative for White
        ("priority", "u1"),  # 0 (never play) to 9, usually 5
        ("games", "<u4"),
        ("won", "<u4"),  # by White
        ("lost", "<u4"),  # by White
        ("flags", "<u4"),
        ("reply", "<i4"),  # the first reply, -1 if there is none
        ("next", "<i4"),  # the next alternative to this move, -1 if there is none
    ]
)

_HEADER: Final = Struct("<4sII121p81p10I")
_ENCODING: Final = "cp1252"
_MAGICS: Final = {b"\x03ABK": b"x", b"\x03AB2": b"y"}
"""What a file begins with, and the letter that fills its header."""
_COMMENT_BYTES, _AUTHOR_BYTES = 120, 80


@dataclass(frozen=True, slots=True, kw_only=True)
class Header:
    """What an Arena book says about itself, in the order of the file."""

    comment: str = ""
    author: str = ""
    depth: int = 0
    """The longest line, in plies."""
    moves: int = 0
    min_games: int = 0
    min_won_games: int = 0
    min_white_percent: int = 0
    min_black_percent: int = 0
    priority_importance: int = 0
    """How much the priority counts when a move is chosen, 0 to 15; the same for games and score."""
    games_importance: int = 0
    score_importance: int = 0
    last_ply: int = 0
    """The book is used up to this half-move."""
    magic: bytes = b"\x03AB2"

    @classmethod
    def decode(cls, data: bytes, path: Path | None = None) -> Header:
        """The header at the front of a file."""
        if not data.startswith(tuple(_MAGICS)):
            raise FormatError("is not an Arena book: it does not begin with ABK or AB2", path=path, offset=0)
        if len(data) < _HEADER.size:
            raise CorruptError("breaks off inside its header", path=path, offset=len(data))
        magic, offset, size, comment, author, *numbers = _HEADER.unpack_from(data)
        if (offset, size) != (DATA_OFFSET, RECORD_BYTES):
            raise CorruptError(
                f"has records of {size} bytes from offset {offset} on, which no known book has", offset=4
            )
        names = [field.name for field in fields(cls)[2:-1]]
        return cls(
            comment=comment.decode(_ENCODING, "replace"),
            author=author.decode(_ENCODING, "replace"),
            **dict(zip(names, numbers, strict=True)),
            magic=magic,
        )

    def encode(self) -> bytes:
        """The first 900 slots of a file: the header, and the letter that fills the rest."""
        numbers = [getattr(self, field.name) for field in fields(self)[2:-1]]
        comment = self.comment.encode(_ENCODING, "replace")[:_COMMENT_BYTES]
        author = self.author.encode(_ENCODING, "replace")[:_AUTHOR_BYTES]
        head = _HEADER.pack(self.magic, DATA_OFFSET, RECORD_BYTES, comment, author, *numbers)
        return head.ljust(DATA_OFFSET, _MAGICS[self.magic])


def new_header(depth: int, moves: int, min_games: int = 0) -> Header:
    """The header of a new book, with the choice of moves left to priority and games alike."""
    return Header(
        depth=depth, moves=moves, min_games=min_games, priority_importance=1, games_importance=1, last_ply=9999
    )
