"""Weights in a format without weights that counts games: CTG."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from tabiya.books.entry import Recommendation

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

    from tabiya.books.entry import Entry
    from tabiya.chess import Position


class WeightsAsGames:
    """A move with unknown games gets as many games without a result as its weight.

    Such a game counts half a point in a book, so weights computed from points are the original ones. A move that must
    never be played (weight 0 and unknown games, or priority 0) is marked red. Both marks and games belong to the
    position that a move leads to: if several moves lead there, the largest weight counts, and the mark is set only if
    none of them may be played.
    """

    def __init__(self, identity: Callable[[Position], Hashable]) -> None:
        self._identity = identity
        self._weights: dict[Hashable, int] = {}
        self.carried = 0
        """Number of weights that became games."""
        self.clashes = 0
        """Number of moves to a position that another move leads to with a different weight."""

    def carry(self, position: Position, entries: tuple[Entry, ...]) -> tuple[tuple[Entry, ...], bool]:
        """Return the entries with games for weights, and whether one is never played, so that ``mark`` must follow."""
        found, waits = [], False
        for entry in entries:
            if entry.recommendation is None:  # else the source has its own marks for moves never to be played
                self._note(position, entry)
                waits = waits or _is_never_played(entry)
                if entry.games is None:
                    self.carried += entry.weight > 0
                    entry = replace(entry, games=entry.weight)
            found.append(entry)
        return tuple(found), waits

    def mark(self, position: Position, entries: tuple[Entry, ...]) -> tuple[Entry, ...]:
        """Return the entries with red marks, once all positions are known."""
        return tuple(
            replace(entry, recommendation=Recommendation.AVOID)
            if entry.recommendation is None
            and _is_never_played(entry)
            and self._weights[self._identity(position.play(entry.move))] == 0
            else entry
            for entry in entries
        )

    def _note(self, position: Position, entry: Entry) -> None:
        place = self._identity(position.play(entry.move))
        weight = 0 if _is_never_played(entry) else 1 if entry.games is not None else entry.weight
        known = self._weights.setdefault(place, weight)
        self.clashes += known != weight
        self._weights[place] = max(known, weight)


def _is_never_played(entry: Entry) -> bool:
    return entry.priority == 0 or (entry.weight == 0 and not entry.games and entry.wins is None)
