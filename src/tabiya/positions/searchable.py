"""The interface of databases with a position index: ``Database.searchable``.

A library has such an index. Callers use only these protocols, not the files.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Protocol

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from tabiya.positions.game_facts import MainLines
    from tabiya.positions.name_table import NameTable

MOST_PLY: Final = 0x7FFF
"""The maximum number of half-moves of a game in an index."""


class IndexRows(NamedTuple):
    """The games that reach a position in their main lines, each once, in order."""

    games: NDArray[np.int32]
    """Their numbers in the library from 0."""
    plies: NDArray[np.int16]
    """Number of half-moves before the first occurrence."""
    moves: NDArray[np.int16]
    """The token of the move that was played there; -1 where the game ends, 0 a null move."""


class VariationRows(NamedTuple):
    """The games that reach a position in a variation."""

    games: NDArray[np.int32]
    moves: NDArray[np.int32]
    """The number on the tape of the move that leads to the position."""


class Segment(Protocol):
    """A part of a library: records that were added together."""

    @property
    def first(self) -> int:
        """Number of records before it, if its records are consecutive (``numbers`` is None)."""

    @property
    def numbers(self) -> NDArray[np.int32] | None:
        """Numbers of its rows in the library from 0, ascending, if they replace earlier records."""

    @property
    def hidden(self) -> NDArray[np.bool_] | None:
        """Which of its rows a later segment has replaced or deleted; None if there are none."""

    @property
    def facts(self) -> NDArray[Any]:
        """A row of FACTS for each of its records, mapped into memory."""

    @property
    def lines(self) -> MainLines:
        """The moves of its main lines, mapped into memory."""

    def forget_pages(self) -> None:
        """Drop the mapped pages of facts and main lines from memory; they are read again when needed."""

    @property
    def has_positions(self) -> bool:
        """Whether there is an index; a library can be created without one."""

    @property
    def has_chess960(self) -> bool:
        """Whether the index includes games of Chess960, under keys of their own (``chess960_key``)."""

    @property
    def has_variations(self) -> bool:
        """Whether there is an index of the positions in variations."""

    @property
    def cut_rows(self) -> NDArray[np.int64]:
        """Its rows whose games are too long for an index, which lacks their later positions."""

    def find(self, key: int, *, plies: bool = True) -> IndexRows:
        """Return the games of a position, by Polyglot's key, or by that of Chess960.

        If ``plies`` is False they are not read, and all 0.
        """

    def find_variations(self, key: int) -> VariationRows:
        """Return the games that have it in a variation."""


class Searchable(Protocol):
    """All segments of a library."""

    @property
    def segments(self) -> Sequence[Segment]:
        """Oldest first."""

    @property
    def names(self) -> NameTable:
        """The names for the numbers in the facts."""
