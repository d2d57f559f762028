"""Databases of a collection: which of them stay open, and which are read at once."""

from __future__ import annotations

from collections import Counter, OrderedDict
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from tabiya.formats.database import Database
    from tabiya.formats.sources import Source

__all__ = ["Shelf", "together"]

_MOST_OPEN: Final = 16
"""How many databases are kept open besides those that are just being read."""
_JOINED_BYTES: Final = 1 << 20
_JOINED_FILES: Final = 500
"""So many files, or so many bytes of them, are read at once where the format can do that."""


class Shelf:
    """Databases that are open: those that are being read, and the latest few of the others."""

    def __init__(self) -> None:
        self._databases: OrderedDict[int, Database] = OrderedDict()
        self._readers: Counter[int] = Counter()
        self._kept: set[int] = set()

    def take(self, index: int) -> Database | None:
        """Return an open database to one who gives it back."""
        database = self._databases.get(index)
        if database is not None:
            self._readers[index] += 1
            self._databases.move_to_end(index)
        return database

    def add(self, index: int, database: Database, *, keep: bool) -> None:
        """Put a database on the shelf that is in use already; what can be read only once is kept."""
        self._databases[index] = database
        self._readers[index] += 1
        if keep:
            self._kept.add(index)

    def give_back(self, index: int) -> None:
        """Note that somebody is done with a database; close the oldest that nobody reads."""
        self._readers[index] -= 1
        idle = [each for each in self._databases if not self._readers[each] and each not in self._kept]
        for each in idle[: max(0, len(idle) - _MOST_OPEN)]:
            del self._readers[each]
            self._databases.pop(each).close()

    def close(self) -> None:
        """Close all of them."""
        while self._databases:
            self._databases.popitem()[1].close()


def together(sources: Sequence[Source], indexes: Iterable[int]) -> Iterator[list[int]]:
    """Yield small databases of one format in groups that are read at once."""
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
