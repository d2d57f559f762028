"""A move of a book, with all its data."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import IntFlag
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tabiya.chess import Move, Position

_WIDEST_GAP = 800
"""Performance ratings stay this close to the opponents: a score of 0 or 100 percent allows no exact value."""


class Recommendation(IntFlag):
    """The recommendation of a book for a move. Bits of unknown meaning are kept."""

    NONE = 0
    AVOID = 0x40
    """Not to be played in tournaments: shown red."""
    MAIN = 0x80
    """The main move: shown green."""


@dataclass(frozen=True, slots=True)
class Ratings:
    """Ratings of the players of one side, added up."""

    games: int
    """How many of the players had a rating."""
    total: int

    @property
    def average(self) -> float | None:
        """The average; None if no player had a rating."""
        return self.total / self.games if self.games else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A move in a position of a book. Unknown values are None.

    Results and ratings are those of the side that makes the move, and of its opponents.
    """

    move: Move
    weight: int
    """The probability with which ``Book.choose`` plays it, relative to the other moves of the position; 0 is never."""
    games: int | None = None
    """Games with this move. May be more than wins, draws and losses: games without a result count too."""
    wins: int | None = None
    draws: int | None = None
    losses: int | None = None
    ratings: Ratings | None = None
    """Ratings of the players who made the move."""
    opponents: Ratings | None = None
    """Ratings of the players it was made against."""
    nag: int | None = None
    """The NAG of the move: 1 is !, 2 is ? and so on."""
    recommendation: Recommendation | None = None
    comment: int | None = None
    """The NAG of the position after the move: 14 is +=, from White's point of view, whichever side is to move."""
    priority: int | None = None
    """The priority in Arena books, 0 (never) to 9."""
    learning: int | None = None
    """The four bytes of learning data in Polyglot books, as a number."""
    transposition: bool = False
    """Not a move of the book itself: it leads to a position of the book."""

    @property
    def score(self) -> float | None:
        """Points per game with a result, from 0 to 1; None without such games."""
        if self.wins is None or self.draws is None or self.losses is None:
            return None
        decided = self.wins + self.draws + self.losses
        return (self.wins + self.draws / 2) / decided if decided else None

    @property
    def rating(self) -> float | None:
        """The average rating of the players who made the move."""
        return None if self.ratings is None else self.ratings.average

    @property
    def performance(self) -> float | None:
        """The rating that fits this score against these opponents, on the logistic curve of Elo; at most 800 away."""
        opponents = None if self.opponents is None else self.opponents.average
        score = self.score
        if opponents is None or score is None:
            return None
        certain = 1 / (1 + 10 ** (_WIDEST_GAP / 400))
        score = min(max(score, certain), 1 - certain)
        return opponents + 400 * math.log10(score / (1 - score))


class BookMoves(tuple[Entry, ...]):  # noqa: SLOT001 - a tuple cannot have slots
    """The moves of a book in a position, most likely first: a tuple of entries that notebooks show as a table."""

    position: Position
    """Set by ``Book.probe``: a constructor of its own would make every probe slower."""

    def _repr_html_(self) -> str:
        from tabiya.books.tables import moves_html  # noqa: PLC0415 - for notebooks

        return moves_html(self)
