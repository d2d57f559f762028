"""The basic values of a record, besides its tags and its tree of moves."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

from tabiya.lazy import borrowed

RAW_ANNOTATIONS = ".annotations"
"""Suffix of the key of an extra that contains the bytes of all annotations of a record: ``cbh.annotations``."""


class RecordKind(IntEnum):
    """The kind of a record."""

    GAME = 0
    TEXT = 1
    """A guiding text: no moves, its bodies are in ``texts``."""
    OPAQUE = 2
    """A record that could not be decoded; its raw body is in ``extras``."""


class Variant(IntEnum):
    """The rules of a game."""

    STANDARD = 0
    CHESS960 = 1


class Result(IntEnum):
    """The result of a game; null in a batch if the source has none."""

    UNKNOWN = 0
    WHITE_WINS = 1
    BLACK_WINS = 2
    DRAW = 3
    LINE = 4
    """Not a game but an analysis (ChessBase)."""
    WHITE_WINS_FORFEIT = 5
    BLACK_WINS_FORFEIT = 6
    DRAW_FORFEIT = 7
    BOTH_LOSE = 8


@dataclass(frozen=True, slots=True)
class GuidingText:
    """One language of a guiding text: a record of a database that contains prose instead of moves."""

    lang: int
    title: str
    format: int
    body: bytes
    formatting: bytes | None = None

    def html(self) -> str:
        """Return the text as an HTML page; for format 3 the stored page itself, so inspect it before running it."""
        from tabiya.game.guiding_view import guiding_html  # noqa: PLC0415 - only for display

        return guiding_html(self)

    def plain(self) -> str:
        """Return the text without markup; pictures, diagrams and links are described in words."""
        from tabiya.game.guiding_view import guiding_plain  # noqa: PLC0415 - only for display

        return guiding_plain(self)

    def media(self) -> list[str]:
        """Return the names of the files that the text shows or plays."""
        from tabiya.game.guiding_view import guiding_media  # noqa: PLC0415 - only for display

        return guiding_media(self)


@dataclass(frozen=True, slots=True)
class Extra:
    """Data specific to the source format, kept so that writing this format again is exact.

    The key begins with the name of the format and a dot: ``cbh.header``.
    """

    key: str
    value: bytes

    @property
    def format(self) -> str:
        """The name of the format that this belongs to."""
        return self.key.partition(".")[0]


@dataclass(frozen=True, slots=True)
class Problem:
    """A problem that a reader had to repair; ``offset`` counts bytes of the input, as far as known."""

    code: int
    offset: int | None
    text: str

    @property
    def sentence(self) -> str:
        """The message for the problem."""
        words: str = borrowed("formats.registry.sentence")(self.code, self.text)
        return words
