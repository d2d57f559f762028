"""The lists that pages are looking at, by id: bounded in number, and forgotten when nobody asks for them any more."""

from __future__ import annotations

import time
from collections import OrderedDict
from dataclasses import dataclass, field
from threading import Lock, Thread
from typing import TYPE_CHECKING, Any, Final

from tabiya.web.calls import ApiError, error_of

if TYPE_CHECKING:
    from tabiya.search.listing import Asked, Listing
    from tabiya.web.source import Opened, Source

__all__ = ["Queries", "StandingQuery"]

_MOST: Final = 32
_IDLE_SECONDS: Final = 30 * 60


@dataclass(slots=True)
class StandingQuery:
    """A list, and the source as it was when it was asked for."""

    name: str
    source: Source
    opened: Opened
    listing: Listing
    used: float = field(default_factory=time.monotonic)

    def as_dict(self) -> dict[str, Any]:
        """Return how far it is."""
        listing = self.listing
        complete = listing.complete  # before the total, which may grow meanwhile
        return {
            "query": self.name,
            "source": self.source.id,
            "generation": self.opened.generation,
            "total": listing.total,
            "complete": complete,
            "progress": listing.progress,
            "sorted": listing.asked.sort_by is not None,
            "has_plies": listing.has_plies,
            "error": None if listing.error is None else error_of(listing.error).sentence,
        }


class Queries:
    """All lists."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._standing: OrderedDict[str, StandingQuery] = OrderedDict()
        self._counted = 0

    def create(self, source: Source, asked: Asked) -> StandingQuery:
        """Begin to look for what is asked."""
        opened = source.acquire()
        if opened.shelf is None:
            source.release(opened)
            raise ApiError(422, f"{source.path.name} is an opening book: it has no games.")
        listing = opened.shelf.list(asked)
        with self._lock:
            self._counted += 1
            query = StandingQuery(f"q{self._counted}", source, opened, listing)
            self._standing[query.name] = query
            old = self._outdated()
        for each in old:
            self._end(each)
        if listing.complete:
            return query
        source.hold(opened)  # until the work has ended, whoever gives the list up before
        Thread(target=self._run, args=(query,), name=f"tabiya-{query.name}", daemon=True).start()
        return query

    def _run(self, query: StandingQuery) -> None:
        try:
            query.listing.run()
        finally:
            query.source.release(query.opened)

    def _outdated(self) -> list[StandingQuery]:
        """Take out those that nobody has asked for in a while, and the oldest if there are too many."""
        limit = time.monotonic() - _IDLE_SECONDS
        old = [query for query in self._standing.values() if query.used < limit]
        rest = len(self._standing) - len(old)
        old += [query for query in self._standing.values() if query not in old][: max(0, rest - _MOST)]
        for query in old:
            del self._standing[query.name]
        return old

    def get(self, name: str) -> StandingQuery:
        """Return a list that is still true: an error if its source has changed."""
        with self._lock:
            query = self._standing.get(name)
            if query is not None:
                self._standing.move_to_end(name)
                query.used = time.monotonic()
        if query is None:
            raise ApiError(410, "This list is no longer there; ask for it again.")
        if not query.source.is_current(query.opened):
            self.remove(name)
            raise ApiError(410, f"{query.source.path.name} has changed; ask for the list again.")
        return query

    def remove(self, name: str) -> None:
        """Forget a list, and stop its work."""
        with self._lock:
            query = self._standing.pop(name, None)
        if query is not None:
            self._end(query)

    def _end(self, query: StandingQuery) -> None:
        query.listing.stop()
        query.source.release(query.opened)

    def close(self) -> None:
        """Forget all lists."""
        for name in [*self._standing]:
            self.remove(name)
