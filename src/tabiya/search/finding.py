"""Finding games by their positions and moves."""

from __future__ import annotations

import sys
from bisect import bisect_left
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pyarrow as pa

from tabiya.errors import CorruptError, UsageError
from tabiya.files.closing import Closing
from tabiya.files.parallel import check_threads, ordered_map
from tabiya.formats import open as open_database
from tabiya.formats.database import HEADER_SCHEMA, Database
from tabiya.formats.progress import Progress
from tabiya.formats.runs import Runs
from tabiya.formats.subset import Subset, picked, places_where
from tabiya.game import GameBatch, RecordFilter
from tabiya.game.tag_values import RESULTS
from tabiya.game.where import both
from tabiya.search.conditions import ANYTHING, Condition
from tabiya.search.narrowing import Narrowed, narrowed
from tabiya.search.query import Query
from tabiya.search.scan import COUNT, FIRST, LAST, PLACE, Scanner

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from tabiya.chess import Position
    from tabiya.formats.open_and_create import Location
    from tabiya.formats.progress import Watcher
    from tabiya.game import Game, Node
    from tabiya.game.where import Where

_FIRST_CANDIDATES: Final = 64
_CANDIDATES: Final = 4096
"""Number of records to read at a time from the result of an index, first and later."""


@dataclass(frozen=True, slots=True)
class Match:
    """A game that was found, and the place of the match."""

    number: int
    """Number of the game in its database, from 1."""
    ply: int
    """Number of half-moves before the first match."""
    last: int
    """Ply of the last match, with ``everything``; else of the first."""
    count: int
    """Number of matches, with ``everything``; else 1."""
    _batch: GameBatch
    _row: int
    _place: int

    @property
    def game(self) -> Game:
        """The game."""
        return self._batch[self._row]

    @property
    def node(self) -> Node:
        """The move in the game that led to the first match; the root for the start position."""
        root = self.game.root
        if self._place < 0:
            return root
        return next(islice(root.walk(), self._place, None))

    @property
    def position(self) -> Position:
        """The position of the first match."""
        return self.node.position

    @property
    def headers(self) -> dict[str, Any]:
        """The columns of HEADER_SCHEMA of the game, by name; the result is a text, ``1-0``."""
        row: dict[str, Any] = self._batch.record_batch.slice(self._row, 1).select(HEADER_SCHEMA.names).to_pylist()[0]
        return row | {"result": RESULTS.get(row["result"])}

    @property
    def record(self) -> GameBatch:
        """The game as a batch of one record."""
        return self._batch.slice(self._row, 1)

    @property
    def move(self) -> str:
        """The move number of the first match: ``12.`` is White's move, ``12...`` Black's."""
        return move_text(self._batch.record_batch["start"][self._row].as_py(), self.ply)

    def __repr__(self) -> str:
        return f"<game {self.number} at {self.move}>"


def move_text(start: str | None, ply: int) -> str:
    """Return the number of the move after ``ply`` half-moves in the usual notation: ``12.`` or ``12...``."""
    fields = (start or "").split()
    black = len(fields) > 1 and fields[1] == "b"
    first = int(fields[5]) if len(fields) > 5 and fields[5].isdecimal() else 1
    half_moves = ply + black
    return f"{max(first, 1) + half_moves // 2}{'...' if half_moves % 2 else '.'}"


class Matches(Closing):
    """Result of ``search``: the games that were found, in the order of the database.

    Reading starts on use: iterate for one ``Match`` after the other, or call ``count()`` or ``database()``. Each of
    these reads the database again, but of a library only what its index does not exclude. ``with`` closes the database
    if ``search`` has opened it.
    """

    def __init__(
        self, database: Database, query: Query, *, threads: int = 1, everything: bool = False, owned: bool = False
    ) -> None:
        self._database = database
        self._query = query
        self._threads = check_threads(threads)
        self._owned = owned
        self._scanner = Scanner(
            query.condition or ANYTHING,
            query.where,
            variations=query.variations,
            everything=everything,
            side_of=query.side_of,
        )

    def __iter__(self) -> Iterator[Match]:
        for batch, found in self.batches():
            numbers = batch.record_batch["number"].to_pylist()
            for row, (number, where) in enumerate(zip(numbers, found.tolist(), strict=True)):
                yield Match(number, where[FIRST], where[LAST], where[COUNT], batch, row, where[PLACE])

    def batches(
        self, *, threads: int | None = None, progress: Watcher = None
    ) -> Iterator[tuple[GameBatch, NDArray[np.int32]]]:
        """Yield batches of found games with their matches: plies of first and last match, number, place on the tape.

        Args:
            threads: number of threads that read, and of threads that search; those of ``search`` if None.
            progress: called after every batch that was read.
        """
        indexes, seen, passed = self._selected_indexes, 0, 0
        narrowed = self._narrowed
        if not indexes:
            return
        for records, batch, found in self._all(self._threads if threads is None else check_threads(threads)):
            chosen = indexes[bisect_left(indexes, passed) : bisect_left(indexes, passed + len(batch))]
            if isinstance(chosen, range):
                part = slice(chosen.start - passed, chosen.stop - passed)
                some = batch[part], found[part]
            else:
                rows = np.array(chosen, np.int64) - passed
                some = GameBatch(batch.record_batch.take(pa.array(rows))), found[rows]
            passed += len(batch)
            seen += records
            if chosen:
                yield some
            if progress is not None:
                done = self._database.progress if narrowed is None else seen / max(1, len(narrowed.places))
                progress(Progress(seen, done))
            if passed > indexes[-1]:
                return

    def _all(self, threads: int) -> Iterator[tuple[int, GameBatch, NDArray[np.int32]]]:
        """Yield everything that is found, and how many records were searched for it."""
        narrowed = self._narrowed
        source = self._database.batches(threads=threads) if narrowed is None else self._candidates(narrowed)
        return ordered_map(self._found, source, threads)

    @cached_property
    def _narrowed(self) -> Narrowed | None:
        """The records that may match, if the database has an index."""
        database = self._database
        rows, whole = (database.positions, database.whole) if isinstance(database, Subset) else (None, database)
        searchable = (database if rows is None else whole).searchable()
        if searchable is None:
            return None
        try:
            found = narrowed(searchable, self._scanner, threads=self._threads)
        except CorruptError as error:
            error.path = error.path or str(database.path)
            raise
        if rows is None or found is None:
            return found
        chosen = rows.holds(found.places)
        return Narrowed(rows.rank(found.places[chosen]), found.plies[chosen], found.certain)

    @cached_property
    def _selected_indexes(self) -> range | list[int]:
        """The requested part of the found games, by their positions among these."""
        query = self._query
        chosen: range | list[int] = range(sys.maxsize)
        if query.sample is not None:
            chosen = picked(self._total(), query.sample, query.seed)
        return chosen[query.skip : None if query.limit is None else query.skip + query.limit]

    def _total(self) -> int:
        """Return how many games are found, regardless of limits."""
        narrowed = self._narrowed
        if narrowed is not None and narrowed.certain:
            return len(narrowed.places)
        if self._database.path is None:
            len(self._database)  # a stream that has been counted can be read again
        return sum(len(found) for _, _, found in self._all(self._threads))

    def _selected(self, numbers: NDArray[Any]) -> NDArray[Any]:
        """Return those of some numbers, one per found game, that belong to requested games."""
        indexes = self._selected_indexes
        return (
            numbers[indexes.start : indexes.stop]
            if isinstance(indexes, range)
            else numbers[np.array(indexes, np.int64)]
        )

    def _candidates(self, narrowed: Narrowed) -> Iterator[GameBatch]:
        """Yield the records that may match, in small batches at first: often only the first few are requested."""
        begin, size = 0, _FIRST_CANDIDATES
        while begin < len(narrowed.places):
            yield self._database.take(narrowed.places[begin : begin + size])
            begin, size = begin + size, _CANDIDATES

    def headers(self, *, progress: Watcher = None) -> Iterator[tuple[pa.RecordBatch, NDArray[np.int32]]]:
        """Yield the columns of HEADER_SCHEMA of the found games, and the plies of their first matches."""
        narrowed = self._narrowed
        if narrowed is None or not narrowed.certain:
            for batch, found in self.batches(progress=progress):
                yield batch.record_batch.select(HEADER_SCHEMA.names), found[:, FIRST]
            return
        places, plies = self._selected(narrowed.places), self._selected(narrowed.plies)
        for begin in range(0, len(places), _CANDIDATES):
            part = slice(begin, begin + _CANDIDATES)
            yield self._database.take_headers(places[part]), plies[part]
            if progress is not None:
                progress(Progress(begin + len(places[part]), (begin + _CANDIDATES) / len(places)))

    def places(self, *, progress: Watcher = None) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int32]]]:
        """Yield the positions in the database of the found games, and the plies of their first matches."""
        narrowed = self._narrowed
        if narrowed is not None and narrowed.certain:
            yield self._selected(narrowed.places), self._selected(narrowed.plies)
            return
        for batch, found in self.batches(progress=progress):
            yield batch.record_batch["number"].to_numpy().astype(np.int64) - 1, found[:, FIRST]

    def _found(self, batch: GameBatch) -> tuple[int, GameBatch, NDArray[np.int32]]:
        """Return the number of records in a batch, and those that are found."""
        found = self._scanner.scan(batch.record_batch)
        mask = found[:, FIRST] >= 0
        if mask.all():
            return len(batch), batch, found
        return len(batch), GameBatch(batch.record_batch.filter(pa.array(mask))), found[mask]

    def count(self) -> int:
        """Return the number of found games."""
        if self._narrowed is not None and self._narrowed.certain:
            return len(self._selected(self._narrowed.places))
        return sum(len(batch) for batch, _ in self.batches())

    def database(self) -> Database:
        """Return the found games as a database, to be converted, listed or searched again."""
        return Subset(
            self._database,
            self._rows,
            batches=lambda threads: (batch for batch, _ in self.batches(threads=threads)),
            headers=lambda _: (headers for headers, _ in self.headers()),
        )

    def _rows(self) -> Runs:
        """Return the places of the found and requested games."""
        narrowed = self._narrowed
        if narrowed is None or not narrowed.certain:
            return Runs.of(self._selected(places_where(self._database, self._scanner)))
        return Runs.of(self._selected(narrowed.places))

    def close(self) -> None:
        """Close the database if ``search`` has opened it."""
        if self._owned:
            self._database.close()

    def __repr__(self) -> str:
        return f"<games found in {self._database.name}>"

    def _repr_html_(self) -> str:
        """Show the first games in a notebook, and the first positions that were found."""
        from tabiya.search.result_tables import matches_html  # noqa: PLC0415 - for notebooks

        return matches_html(self, self._database.name, positions=self._query.condition is not None)


def search(
    source: Location | Database,
    condition: Condition | Query | None = None,
    *,
    where: Where | None = None,
    variations: bool = False,
    everything: bool = False,
    side_of: str | None = None,
    skip: int = 0,
    limit: int | None = None,
    sample: int | None = None,
    seed: int | None = None,
    threads: int = 1,
    **headers: Any,
) -> Matches:
    """Find the games in which a condition holds at some ply.

    Texts, records that could not be decoded and records marked as deleted are never found.

    Args:
        source: an open database, which stays open, or what ``tabiya.open`` takes; closing the result closes it.
        condition: the condition on positions; None to use only the headers. A ``Query`` can include all options below.
        where: which records to search: an expression over the columns, or a callable that returns a mask for a batch.
        variations: whether to search variations, too.
        everything: whether to find all matches in a game: then the last one is known, and their number.
        side_of: a player, part of the name: only games of this player are found, and the condition is from that
            player's side, as if the player had White.
        skip: number of found games to skip.
        limit: maximum number of games to return.
        sample: number of found games to pick at random; skip and limit choose among these.
        seed: a number that makes the sample reproducible.
        threads: number of threads that read, and of threads that search; the result is the same for any number.
        headers: conditions of ``RecordFilter``: ``player="carlsen"``, ``min_elo=2500`` and so on.

    Raises:
        UsageError: a condition is invalid.
    """
    if isinstance(condition, Query):
        query = condition
        if where is not None or headers or variations or side_of or skip or limit is not None or sample is not None:
            raise UsageError("a Query contains everything: put conditions on headers and limits into it")
    else:
        chosen = RecordFilter(**headers) if headers else None
        query = Query(
            condition,
            where=both(where, chosen),
            variations=variations,
            side_of=side_of,
            skip=skip,
            limit=limit,
            sample=sample,
            seed=seed,
        )
    if isinstance(source, Database):
        source._check_open()
        return Matches(source, query, threads=threads, everything=everything)
    database = open_database(source)
    try:
        return Matches(database, query, threads=threads, everything=everything, owned=True)
    except BaseException:
        database.close()
        raise
