"""The lists that pages show, by id: limited in number and in bytes, and dropped when they are no longer used.

Clients that request the same list share it.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from dataclasses import dataclass, field
from threading import Lock, Thread
from typing import TYPE_CHECKING, Final

from tabiya.web.request import ApiError, error_of

if TYPE_CHECKING:
    from tabiya.search.list_query import ListQuery
    from tabiya.search.listing import Listing
    from tabiya.web.answers.games import Status
    from tabiya.web.source import Opened, Source

_MOST: Final = 128
_MOST_BYTES: Final = 256 << 20
"""Maximum size of all lists together: a sorted list of a million games has 4 MB, and 4 more if it contains plies."""
_IDLE_SECONDS: Final = 30 * 60


@dataclass(slots=True)
class OpenQuery:
    """A list, and the source as it was when the list was requested."""

    name: str
    words: str
    """What was requested."""
    source: Source
    opened: Opened
    listing: Listing
    used: float = field(default_factory=time.monotonic)

    def as_dict(self) -> Status:
        """Return the status of the list."""
        listing = self.listing
        complete = listing.complete  # before the total, which may grow meanwhile
        return {
            "query": self.name,
            "source": self.source.id,
            "generation": self.opened.generation,
            "total": listing.total,
            "complete": complete,
            "progress": listing.progress,
            "sorted": listing.query.sort_by is not None,
            "has_plies": listing.has_plies,
            "error": None if listing.error is None else error_of(listing.error).sentence,
        }


class Queries:
    """All lists."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._open_queries: OrderedDict[str, OpenQuery] = OrderedDict()
        self._counted = 0

    def create(self, source: Source, request: ListQuery, words: str) -> OpenQuery:
        """Start a search; ``words`` are equal if and only if the request is."""
        opened = source.acquire()
        if opened.listed_database is None:
            source.release(opened)
            raise ApiError(422, f"{source.path.name} is an opening book: it has no games.")
        with self._lock:
            existing = self._same_list(opened, words)
            listing = opened.listed_database.list(request) if existing is None else existing
            self._counted += 1
            query = OpenQuery(f"q{self._counted}", words, source, opened, listing)
            self._open_queries[query.name] = query
        self._trim()
        if existing is not None or listing.complete:
            return query
        source.hold(opened)  # until the work has ended, even if the list is closed before
        Thread(target=self._run, args=(query,), name=f"tabiya-{query.name}").start()
        return query

    def _run(self, query: OpenQuery) -> None:
        try:
            query.listing.run()
        finally:
            query.source.release(query.opened)
            self._trim()

    def _same_list(self, opened: Opened, words: str) -> Listing | None:
        """Return the list of an earlier request that was the same, unless it failed."""
        same = (each.listing for each in self._open_queries.values() if each.opened is opened and each.words == words)
        return next((listing for listing in same if listing.error is None), None)

    def _trim(self) -> None:
        """Close lists that were not used for a while, and the oldest while there are too many or they are too large."""
        limit = time.monotonic() - _IDLE_SECONDS
        old: list[OpenQuery] = []
        with self._lock:
            while len(self._open_queries) > 1:
                name, query = next(iter(self._open_queries.items()))
                if query.used >= limit and len(self._open_queries) <= _MOST and self._bytes() <= _MOST_BYTES:
                    break
                old.append(self._open_queries.pop(name))
        for query in old:
            self._end(query)

    def _bytes(self) -> int:
        """Return how much memory all lists use; what they share counts once."""
        arrays = {id(array): array.nbytes for query in self._open_queries.values() for array in query.listing.arrays}
        return sum(arrays.values())

    def get(self, name: str) -> OpenQuery:
        """Return a valid list; raise an error if its source has changed."""
        with self._lock:
            query = self._open_queries.get(name)
            if query is not None:
                self._open_queries.move_to_end(name)
                query.used = time.monotonic()
        if query is None:
            raise ApiError(410, "This list no longer exists; request it again.")
        if not query.source.is_current(query.opened):
            self.remove(name)
            raise ApiError(410, f"{query.source.path.name} has changed; request the list again.")
        return query

    def remove(self, name: str) -> None:
        """Close a list, and stop its work."""
        with self._lock:
            query = self._open_queries.pop(name, None)
        if query is not None:
            self._end(query)

    def _end(self, query: OpenQuery) -> None:
        """Release a list that was taken out; its work stops unless others share it."""
        with self._lock:
            if not any(each.listing is query.listing for each in self._open_queries.values()):
                query.listing.stop()
        query.source.release(query.opened)

    def close(self) -> None:
        """Forget all lists."""
        for name in [*self._open_queries]:
            self.remove(name)
