"""Databases of a collection: which of them remain open, and which are read together."""

from __future__ import annotations

from collections import Counter, OrderedDict
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from tabiya.formats.collection.sources import FoundDatabase
    from tabiya.formats.database import Database

_MOST_OPEN: Final = 16
"""Number of databases kept open in addition to those being read."""
_JOINED_BYTES: Final = 1 << 20
_JOINED_FILES: Final = 500
"""Up to this number of files, or of bytes, is read together where the format supports it."""


class OpenDatabases:
    """Open databases: those being read, and the most recently used of the others."""

    def __init__(self) -> None:
        self._databases: OrderedDict[int, Database] = OrderedDict()
        self._readers: Counter[int] = Counter()
        self._kept: set[int] = set()

    def take(self, index: int) -> Database | None:
        """Return an open database, if there is one; the caller must give it back."""
        database = self._databases.get(index)
        if database is not None:
            self._readers[index] += 1
            self._databases.move_to_end(index)
        return database

    def add(self, index: int, database: Database, *, keep: bool) -> None:
        """Add a database that is in use; with ``keep`` it is never closed early, because it can be read only once."""
        self._databases[index] = database
        self._readers[index] += 1
        if keep:
            self._kept.add(index)

    def give_back(self, index: int) -> None:
        """Record that a caller has finished with a database; close the oldest ones that are not in use."""
        self._readers[index] -= 1
        idle = [each for each in self._databases if not self._readers[each] and each not in self._kept]
        for each in idle[: max(0, len(idle) - _MOST_OPEN)]:
            del self._readers[each]
            self._databases.pop(each).close()

    def close(self) -> None:
        """Close all databases."""
        while self._databases:
            self._databases.popitem()[1].close()


def together(sources: Sequence[FoundDatabase], indexes: Iterable[int]) -> Iterator[list[int]]:
    """Yield small databases of one format in groups that are read together."""
    group: list[int] = []
    size = 0
    for index in indexes:
        source = sources[index]
        full = len(group) == _JOINED_FILES or size + source.size > _JOINED_BYTES
        if group and (full or source.format is not sources[group[0]].format):
            yield group
            group, size = [], 0
        group.append(index)
        size += source.size
    if group:
        yield group
