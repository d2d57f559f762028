"""A list of games to display: the result of a query, in any order, row by row, growing during the search.

A ``ListedDatabase`` is a database with its catalogue, a ``Listing`` one query on it. ``run`` does the work, in a thread
of the caller; known rows can be requested at any time.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from threading import Condition
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pyarrow as pa

from tabiya.errors import TabiyaError, UsageError
from tabiya.formats.progress import Progress
from tabiya.formats.runs import Runs, runs_of
from tabiya.formats.subset import Subset
from tabiya.game import RecordFilter
from tabiya.game.quick_filter import QuickFilter
from tabiya.game.time_controls import TimeClass
from tabiya.game.where import mask_of
from tabiya.search.catalogue import UNKNOWN_BODY, Catalogue, catalogue_of
from tabiya.search.directories import Directories
from tabiya.search.finding import Matches
from tabiya.search.list_order import Orders
from tabiya.search.list_rows import list_rows
from tabiya.search.list_statistics import ListStatistics, list_statistics
from tabiya.search.query import Query

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from tabiya.formats.database import Database
    from tabiya.formats.progress import Watcher
    from tabiya.game.where import Where
    from tabiya.search.list_query import ListQuery

_FIRST: Final = 1 << 16
_STRETCH: Final = 1 << 19
"""Number of records whose headers are tested together; fewer at first, so that the first rows appear at once."""
_NEW: Final = 4096
"""While the catalogue grows, names are read again after this many new records, or an eighth of all."""
_NO_FACTS: Final = frozenset({"tags", "comment", "has", "without"})
"""Conditions that the catalogue cannot test."""
_BY_FACTS: Final = ("min_plies", "max_plies", "time_controls")
"""Conditions that it tests itself."""

Found = tuple["NDArray[np.int64]", "NDArray[np.int32] | None"]


class StoppedError(Exception):
    """The list is no longer needed."""


class ListedDatabase:
    """A database with the data that lists of its games need."""

    def __init__(self, database: Database, *, threads: int = 1) -> None:
        self.database = database
        self.threads = threads
        self.catalogue: Catalogue = catalogue_of(database)
        self.orders = Orders(self.catalogue)
        self.directories = Directories(self.catalogue)
        self._counts = database.headers_apart

    def start(self) -> None:
        """Start to count records, if that requires reading all of them."""
        if not self._counts:
            self.catalogue.start()

    @property
    def count(self) -> int:
        """Number of known records."""
        return len(self.database) if self._counts else len(self.catalogue)

    @property
    def counted(self) -> bool:
        """Whether all records are known."""
        return self._counts or self.catalogue.complete

    @property
    def indexed(self) -> bool:
        """Whether positions are found without reading games."""
        searchable = self.database.searchable()
        return searchable is not None and all(segment.has_positions for segment in searchable.segments)

    def gather(self, progress: Watcher = None) -> None:
        """Wait until the catalogue has all records.

        Raises:
            TabiyaError: The database cannot be read.
        """
        catalogue = self.catalogue
        catalogue.start()
        while not catalogue.complete:
            catalogue.wait(len(catalogue))
            if progress is not None:
                progress(Progress(len(catalogue), catalogue.progress))
        if catalogue.failure is not None:
            raise catalogue.failure

    def list(self, query: ListQuery) -> Listing:
        """Return the list of a query; ``run`` fills it."""
        return Listing(self, query)

    def close(self) -> None:
        """Stop reading and close the database."""
        self.catalogue.close()
        self.database.close()


class Listing:
    """The found records, in order."""

    def __init__(self, listed_database: ListedDatabase, query: ListQuery) -> None:
        self.query = query
        self._listed_database = listed_database
        self._places = np.empty(0, np.int32)
        self._plies: NDArray[np.int32] | None = np.empty(0, np.int32) if query.position is not None else None
        self._done = query.everything and query.sort_by is None
        self._plain = self._done
        self._progress: float | None = 0.0
        self._stopped = False
        self._changed = Condition()
        self.error: TabiyaError | None = None
        """The error that ended the search."""

    @property
    def total(self) -> int:
        """Number of known rows."""
        return self._listed_database.count if self._plain else len(self._places)

    @property
    def complete(self) -> bool:
        """Whether all rows are known."""
        return self._done and (not self._plain or self._listed_database.counted)

    @property
    def progress(self) -> float | None:
        """The part of the work that is done, from 0 to 1, if known."""
        return 1.0 if self.complete else self._listed_database.catalogue.progress if self._plain else self._progress

    @property
    def has_plies(self) -> bool:
        """Whether rows contain the place of the match in the game."""
        return self._plies is not None

    @property
    def arrays(self) -> list[NDArray[np.int32]]:
        """The arrays that it holds in memory; lists in the order of all records share one array."""
        return [self._places] if self._plies is None else [self._places, self._plies]

    def wait(self, seconds: float) -> None:
        """Wait for a change, at most this long."""
        with self._changed:
            if not self.complete:
                self._changed.wait(seconds)

    def places(self, begin: int = 0, end: int | None = None) -> NDArray[np.int64]:
        """Return the places in the database of some rows."""
        last = self.total if end is None else min(end, self.total)
        if self._plain:
            return np.arange(begin, max(begin, last), dtype=np.int64)
        return self._places[begin:last].astype(np.int64)

    def rows(self, begin: int, end: int) -> list[dict[str, Any]]:
        """Return some rows as values by name."""
        with self._changed:  # places and plies must match
            places = self.places(begin, end)
            plies = None if self._plies is None else self._plies[begin : begin + len(places)]
        return list_rows(self._listed_database.database, self._listed_database.catalogue, places, plies)

    @property
    def catalogued(self) -> bool:
        """Whether the catalogue has all records, so that statistics are about all rows."""
        return self.complete and self._listed_database.catalogue.complete

    def statistics(self) -> ListStatistics:
        """Return the statistics of the known rows; those of a database that is read for this grow."""
        self._listed_database.catalogue.start()
        return list_statistics(self._listed_database.catalogue, self.places())

    def database(self) -> Database:
        """Return the records of all rows as a database, in the order of the original one."""
        database = self._listed_database.database
        return database if self._plain else Subset(database, Runs.of(self.places()), direct=True)

    def offset_of(self, number: int) -> int | None:
        """Return the row of the record with this number; None if it is not in the list."""
        if self._plain:
            return number - 1 if 1 <= number <= self.total else None
        found = np.flatnonzero(self._places == number - 1)
        return int(found[0]) if len(found) else None

    def stop(self) -> None:
        """Declare the list unneeded; ``run`` ends soon."""
        self._stopped = True

    def run(self) -> None:
        """Find and sort all matching records."""
        try:
            if not self._plain:
                self._look()
        except StoppedError:
            pass
        except TabiyaError as error:
            self.error = error
        except Exception:  # a partial list must not pass for a complete one
            self.error = TabiyaError("not all games could be read: something unexpected went wrong")
            raise
        finally:
            with self._changed:
                self._done = True
                self._changed.notify_all()

    def _look(self) -> None:
        query, listed_database = self.query, self._listed_database
        if query.sort_by is not None:
            listed_database.catalogue.start()
        kept: list[Found] = []
        if not query.everything:
            for places, plies in self._found():
                chosen = self._numbered(places)
                piece = places[chosen], None if plies is None else plies[chosen]
                if query.sort_by is None:
                    self._grow(*piece)
                else:
                    kept.append(piece)
                self._check()
        if query.sort_by is not None:
            self._put_in_order(kept)

    def _grow(self, places: NDArray[np.int64], plies: NDArray[np.int32] | None) -> None:
        with self._changed:
            self._places = np.concatenate((self._places, places.astype(np.int32)))
            if self._plies is not None and plies is not None:
                self._plies = np.concatenate((self._plies, plies))
            self._changed.notify_all()

    def _put_in_order(self, found: list[Found]) -> None:
        query, orders = self.query, self._listed_database.orders
        assert query.sort_by is not None
        for _ in self._catalogued():
            pass
        if query.everything:
            with self._changed:
                self._places = orders.whole(query.sort_by, descending=query.descending)
            return
        places = np.concatenate([np.empty(0, np.int64), *(each for each, _ in found)]).astype(np.int32)
        order = orders.of(places, query.sort_by, descending=query.descending)
        with self._changed:
            self._places = places[order]
            if self._plies is not None:
                plies = [each for _, each in found if each is not None]
                self._plies = np.concatenate([self._plies, *plies])[order]

    def _catalogued(self) -> Iterator[tuple[int, int]]:
        """Yield ranges of records as the catalogue reads them."""
        catalogue, begin = self._listed_database.catalogue, 0
        catalogue.start()
        while True:
            complete, known = catalogue.complete, len(catalogue)
            if complete and begin == known:
                break
            if known - begin >= max(_NEW, begin // 8) or complete:
                end = min(known, begin + min(max(_FIRST, begin), _STRETCH))
                yield begin, end
                begin = end
            else:
                catalogue.wait(known)
            self._progress = catalogue.progress if not complete else begin / max(1, known)
            self._check()
        if catalogue.failure is not None:
            raise catalogue.failure

    def _found(self) -> Iterator[Found]:
        """Yield the places of found records, and the plies if there is a condition on positions."""
        query, where = self.query, self._where
        if query.position is None:
            yield from ((places, None) for places in self._of_headers(where))
            return
        limited = query.position.skip or query.position.limit is not None
        by_facts = None if limited or self._listed_database.database.searchable() is None else self._mask()
        search_query = Query(
            query.position.condition,
            where=where if by_facts is None else None,
            variations=query.variations,
            side_of=query.position.side_of,
            skip=query.position.skip,
            limit=query.position.limit,
        )
        matches = Matches(self._listed_database.database, search_query, threads=self._listed_database.threads)
        for places, plies in matches.places(progress=self._note):
            chosen = slice(None) if by_facts is None else by_facts[places]
            yield places[chosen], plies[chosen]

    def _of_headers(self, where: Where | None) -> Iterator[NDArray[np.int64]]:
        if self._answerable:
            try:
                for begin, end in self._catalogued():
                    yield begin + np.flatnonzero(self._met(begin, end))
                return
            except UsageError:  # the catalogue cannot test all conditions
                with self._changed:
                    self._places = self._places[:0]
        for headers in self._listed_database.database.filter(where).headers(threads=self._listed_database.threads):
            yield headers["number"].to_numpy().astype(np.int64) - 1
            self._progress = self._listed_database.database.progress
            self._check()

    @cached_property
    def _where(self) -> Where | None:
        """The conditions on headers as one filter."""
        tests = _tests(self.query.headers, self.query.text)
        if not tests:
            return None
        return lambda records: pa.array(np.logical_and.reduce([mask_of(records, test) for test in tests]))

    @property
    def _answerable(self) -> bool:
        return _NO_FACTS.isdisjoint(self.query.headers)

    def _mask(self) -> NDArray[np.bool_] | None:
        """Return which records of a library meet the conditions on headers; None if its catalogue cannot test them."""
        if not self._answerable:
            return None
        try:
            masks = [self._met(begin, end) for begin, end in self._catalogued()]
        except UsageError:
            return None
        return np.concatenate([np.empty(0, np.bool_), *masks])

    def _met(self, begin: int, end: int) -> NDArray[np.bool_]:
        """Return which of these records meet the conditions on headers, according to the catalogue."""
        headers = self.query.headers
        mask = _bounds_met(self._listed_database.catalogue, headers, begin, end)
        self._listed_database.catalogue.know(headers)
        if self._tests:
            records = self._listed_database.catalogue.records(begin, end, self._columns)
            if "eco" not in records.schema.names and self._needs_eco_codes:  # such as B90a: facts lack the letter
                self._listed_database.catalogue.know(["eco_text"])
                records = self._listed_database.catalogue.records(begin, end, self._columns)
            for test in self._tests:
                mask &= mask_of(records, test)
        return mask

    @property
    def _needs_eco_codes(self) -> bool:
        return "eco" in self.query.headers or QuickFilter(self.query.text).needs_eco_codes

    @cached_property
    def _columns(self) -> frozenset[str] | None:
        """The columns of records that the tests use; None for all."""
        return None if self.query.headers else QuickFilter(self.query.text).columns

    @cached_property
    def _tests(self) -> list[Where]:
        """The conditions that are tested on records made from the catalogue."""
        headers = {name: value for name, value in self.query.headers.items() if name not in _BY_FACTS}
        return _tests(headers, self.query.text)

    def _numbered(self, places: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Return which places are among the requested numbers."""
        if self.query.records is None:
            return np.ones(len(places), np.bool_)
        return runs_of(self.query.records).holds(places)

    def _note(self, progress: Progress) -> None:
        self._progress = progress.fraction
        self._check()

    def _check(self) -> None:
        if self._stopped:
            raise StoppedError


def _tests(headers: Mapping[str, Any], text: str) -> list[Where]:
    """Return the conditions that do not match everything."""
    conditions, words = RecordFilter(**headers), QuickFilter(text)
    return [*([conditions] if conditions else []), *([words] if words else [])]


def _bounds_met(catalogue: Catalogue, headers: Mapping[str, Any], begin: int, end: int) -> NDArray[np.bool_]:
    """Return which records meet the conditions on length and speed."""
    mask = np.ones(end - begin, np.bool_)
    conditions = {name: headers[name] for name in _BY_FACTS if name in headers}
    if not conditions:
        return mask
    rows = catalogue.stretch(begin, end)
    if ("min_plies" in conditions or "max_plies" in conditions) and (rows["flags"] & UNKNOWN_BODY).any():
        raise UsageError("the lengths of games are not known here")
    mask &= rows["plies"] >= (conditions.get("min_plies") or 0)
    if conditions.get("max_plies") is not None:
        mask &= rows["plies"] <= conditions["max_plies"]
    if names := conditions.get("time_controls"):
        listed = [names] if isinstance(names, str) else names
        mask &= np.isin(rows["time_class"], [TimeClass[name.upper()] for name in listed])
    return mask
