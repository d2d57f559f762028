"""A database of games that were made by a test."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tabiya import Database, Game, GameBatch
from tests.formats.memory_format import FULL


class InMemory(Database):
    """Games in batches of three, so that nothing depends on where batches end."""

    def __init__(self, games: Sequence[Game]) -> None:
        super().__init__(None, FULL)
        self._games = GameBatch.from_games(games)

    def _count(self) -> int:
        return len(self._games)

    def _read(self, start: int, stop: int) -> GameBatch:
        return self._games[start:stop]

    def _batches(self, threads: int) -> Iterator[GameBatch]:
        return (self._games[start : start + 3] for start in range(0, len(self._games), 3))
