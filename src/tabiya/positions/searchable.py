"""What a database with a position index offers to those who ask questions: ``Database.searchable``.

A library has such an index. Whoever asks knows these faces only, not the files behind them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Protocol

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from tabiya.positions.game_facts import MainLines
    from tabiya.positions.name_table import NameTable

__all__ = ["MOST_PLY", "IndexRows", "Searchable", "Segment", "VariationRows"]

MOST_PLY: Final = 0x7FFF
"""As far as an index counts the half-moves of a game."""


class IndexRows(NamedTuple):
    """The games that reach a position in their main lines, each once, in order."""

    games: NDArray[np.int32]
    """How many records come before each of them in the library."""
    plies: NDArray[np.int16]
    """How many half-moves led there first."""
    moves: NDArray[np.int16]
    """The token of the move that was played there; -1 where the game ends, 0 a null move."""


class VariationRows(NamedTuple):
    """The games that reach a position in a variation."""

    games: NDArray[np.int32]
    moves: NDArray[np.int32]
    """The number on the tape of the move after which the position stands."""


class Segment(Protocol):
    """A part of a library: records that were added together."""

    @property
    def first(self) -> int:
        """How many records come before it, if its records follow each other (``numbers`` is None)."""

    @property
    def numbers(self) -> NDArray[np.int32] | None:
        """How many records come before each of its rows, ascending, if these take the place of earlier records."""

    @property
    def hidden(self) -> NDArray[np.bool_] | None:
        """Which of its rows a later segment has replaced or deleted; None if there are none."""

    @property
    def facts(self) -> NDArray[Any]:
        """A row of FACTS for each of its records, mapped into memory."""

    @property
    def lines(self) -> MainLines:
        """The moves of its main lines, mapped into memory."""

    @property
    def has_positions(self) -> bool:
        """Whether there is an index; a library may be made without."""

    @property
    def has_variations(self) -> bool:
        """Whether there is one of the positions in variations."""

    @property
    def cut_rows(self) -> NDArray[np.int64]:
        """Its rows whose games are longer than an index can count: their later positions are not in it."""

    def find(self, key: int, *, plies: bool = True) -> IndexRows:
        """Return the games of a position, by Polyglot's key. If ``plies`` is False they are not read, and all 0."""

    def find_variations(self, key: int) -> VariationRows:
        """Return the games that have it in a variation."""


class Searchable(Protocol):
    """All segments of a library."""

    @property
    def segments(self) -> Sequence[Segment]:
        """Oldest first."""

    @property
    def names(self) -> NameTable:
        """The names behind the numbers in the facts."""
