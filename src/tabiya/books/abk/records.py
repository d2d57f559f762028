"""Layouts of the header and the records of Arena books, for reading and writing. Numbers are little-endian."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from tabiya.binary import Layout
from tabiya.errors import CorruptError, FormatError

if TYPE_CHECKING:
    from pathlib import Path

LAYOUT: Final = Layout.of(
    *("abk record", "<"),
    "u8 source target",
    "i8 promotion",  # 1 rook, 2 knight, 3 bishop, 4 queen; negative for White
    "u8 priority",  # 0 (never play) to 9, usually 5
    "u32 games won lost",  # by White
    "u32 flags",
    "i32 reply",  # the first one, -1 if there is none
    "i32 next",  # the next alternative to this move, -1 if there is none
)
RECORD: Final = LAYOUT.dtype
RECORD_BYTES: Final = LAYOUT.size
FIRST_RECORD: Final = 900
DATA_OFFSET: Final = FIRST_RECORD * RECORD_BYTES
DELETED: Final = 0x01000000
"""A bit of ``flags``; the other bits have no known meaning."""
USUAL_PRIORITY: Final = 5
MOST_PRIORITY: Final = 9
MOST_COUNT: Final = 0xFFFFFFFF
TOO_MANY: Final = ("numbers", "moves with more games than 32 bits can hold")
"""Name and text in the loss report."""

HEADER: Final = Layout.of(
    *("abk header", "<"),
    "4s magic",
    f"u32 data_offset={DATA_OFFSET} record_size={RECORD_BYTES}",
    *("u8 comment_length", "120s comment", "u8 author_length", "80s author"),
    "u32 depth moves min_games min_won_games min_white_percent min_black_percent",
    "u32 priority_importance games_importance score_importance last_ply",
)
_TEXTS: Final = ("comment", "author")
_NUMBERS: Final = tuple(field.name for field in HEADER.fields[7:])
_ENCODING: Final = "cp1252"
_MAGICS: Final = {b"\x03ABK": b"x", b"\x03AB2": b"y"}
"""The first bytes of a file, and the letter that pads its header."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Header:
    """The header of an Arena book, in the order of the file."""

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
    """The weight of the priority in the choice of a move, 0 to 15; likewise for games and score."""
    games_importance: int = 0
    score_importance: int = 0
    last_ply: int = 0
    """The book is used up to this half-move."""
    magic: bytes = b"\x03AB2"

    @classmethod
    def decode(cls, data: bytes, path: Path | None = None) -> Header:
        """Return the header at the front of a file."""
        if not data.startswith(tuple(_MAGICS)):
            raise FormatError("is not an Arena book: it does not begin with ABK or AB2", path=path, offset=0)
        if len(data) < HEADER.size:
            raise CorruptError("ends inside its header", path=path, offset=len(data))
        values = HEADER.read(data)
        if (place := (values["data_offset"], values["record_size"])) != (DATA_OFFSET, RECORD_BYTES):
            raise CorruptError(
                f"has records of {place[1]} bytes from offset {place[0]} on, an unknown layout", offset=4
            )
        texts = {name: values[name][: values[f"{name}_length"]].decode(_ENCODING, "replace") for name in _TEXTS}
        return cls(magic=values["magic"], **texts, **{name: values[name] for name in _NUMBERS})

    def encode(self) -> bytes:
        """Return the first 900 slots of a file: the header, and the padding."""
        values: dict[str, int | bytes] = {"magic": self.magic, **{name: getattr(self, name) for name in _NUMBERS}}
        for name in _TEXTS:
            text = getattr(self, name).encode(_ENCODING, "replace")[: HEADER[name].size]
            values |= {name: text, f"{name}_length": len(text)}
        return HEADER.encode(values).ljust(DATA_OFFSET, _MAGICS[self.magic])


def new_header(depth: int, moves: int, min_games: int = 0) -> Header:
    """Return the header of a new book, in which moves are chosen by priority and games equally."""
    return Header(
        depth=depth, moves=moves, min_games=min_games, priority_importance=1, games_importance=1, last_ply=9999
    )
