"""Some records of a database, in its order or in another one, as a database."""

from __future__ import annotations

import random
import sys
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pyarrow as pa

from tabiya.errors import UsageError
from tabiya.formats.database import HEADER_SCHEMA, Database
from tabiya.formats.runs import Runs, runs_of
from tabiya.game import GameBatch
from tabiya.game.where import chosen_of, mask_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    from numpy.typing import NDArray

    from tabiya.game import Game
    from tabiya.game.record import Problem
    from tabiya.game.where import Where

EVERYTHING: Final = Runs.of(range(sys.maxsize))
_SPARSE: Final = 20
"""If at most one record in this many is wanted, each is read separately."""
_BATCH_RECORDS: Final = 4096


class Derived(Database):
    """A database that reads its records from another one, which remains open; they keep their numbers."""

    def __init__(self, database: Database) -> None:
        super().__init__(database.path, database.format)
        self._database = database

    @property
    def name(self) -> str:
        """Name of the underlying database."""
        return self._database.name

    @property
    def files(self) -> tuple[Path, ...]:
        """Files of the underlying database."""
        return self._database.files

    @property
    def base(self) -> Database:
        """The underlying database; files that records refer to are next to it."""
        base: Database = getattr(self._database, "base", self._database)
        return base

    @property
    def problems(self) -> tuple[Problem, ...]:
        """Problems of the underlying database as a whole."""
        return self._database.problems

    @property
    def progress(self) -> float | None:
        """Fraction of the underlying database that has been read."""
        return self._database.progress

    @property
    def has_origins(self) -> bool:
        """Whether the records of the database come from several files."""
        return self._database.has_origins

    @property
    def remarks(self) -> tuple[str, ...]:
        """Remarks of the underlying database."""
        return self._database.remarks

    def origins(self, numbers: NDArray[np.int64]) -> tuple[pa.DictionaryArray, NDArray[np.int64]]:
        """Return the files that records come from, and their numbers there."""
        return self._database.origins(numbers)

    def _unfolded(self, batch: GameBatch) -> Iterator[Game]:
        return self._database._unfolded(batch)


class Subset(Derived):
    """Some records of a database: what slices, ``filter``, ``excerpt``, ``sort`` and ``search`` return.

    Records after the last wanted one are neither read nor counted.
    """

    def __init__(
        self,
        database: Database,
        rows: Runs | Callable[[], Runs],
        order: NDArray[np.int64] | Callable[[], NDArray[np.int64]] | None = None,
        direct: bool = False,  # noqa: FBT001, FBT002 - pickled by position
        *,
        batches: Callable[[int], Iterator[GameBatch]] | None = None,
        headers: Callable[[int], Iterator[pa.RecordBatch]] | None = None,
        progress: Callable[[], float | None] | None = None,
    ) -> None:
        """Select records by position; functions are called when their result is first needed.

        Args:
            database: the database to read from.
            rows: the positions of the records.
            order: the indexes of the rows in the wanted order; None for the order of the database.
            direct: read the records by their positions, even if it would be faster to read the whole database.
            batches: streams the records with a number of threads, if this is possible without knowing the rows.
            headers: does the same for the columns of HEADER_SCHEMA.
            progress: returns the fraction of the work that ``batches`` has done, if it differs from that of the
                database.
        """
        super().__init__(database)
        self._rows = rows
        self._ordering = order
        self._direct = direct
        self._stream = batches
        self._header_stream = headers
        self._progress = progress
        self._done: float | None = None
        if isinstance(rows, Runs) and not callable(order) and batches is None:
            self._opening = Subset, (database, rows, order, direct)

    @classmethod
    def at(cls, database: Database, places: range | NDArray[np.int64]) -> Subset:
        """Return the records at some positions, in the given order."""
        rows = Runs.of(places)
        ascends = places.step > 0 if isinstance(places, range) else bool((np.diff(places) > 0).all())
        return cls(database, rows, None if ascends else rows.rank(np.asarray(places)), True)

    @cached_property
    def _runs(self) -> Runs:
        return self._rows if isinstance(self._rows, Runs) else self._rows()

    @cached_property
    def _order(self) -> NDArray[np.int64] | None:
        return self._ordering() if callable(self._ordering) else self._ordering

    @property
    def whole(self) -> Database:
        """The database that the records are selected from."""
        return self._database

    @property
    def positions(self) -> Runs | None:
        """Positions of the records in ``whole``; None if finding them requires reading it, or if the order differs."""
        return self._runs if self._stream is None and self._ordering is None else None

    @property
    def progress(self) -> float | None:
        """Fraction of the work that is done."""
        if self._progress is not None:
            return self._progress()
        return self._database.progress if self._done is None else self._done

    @property
    def headers_apart(self) -> bool:
        """Whether headers can be read without the rest."""
        return self._database.headers_apart and (self._stream is None or self._header_stream is not None)

    def _count(self) -> int:
        return self._count_up_to(sys.maxsize)

    def _count_up_to(self, limit: int) -> int:
        limited = min(limit, self._runs.total)
        if limited <= 0:
            return 0
        reach = int(self._runs.at(np.array([limited - 1]))[0]) + 1
        return int(self._runs.rank(np.array([self._database.count_up_to(reach)]))[0])

    def _part(self, positions: range) -> Subset:
        if self._direct:  # a slice of a slice reads from the database directly
            return Subset.at(self._database, self._places(np.asarray(positions, np.int64)))
        return super()._part(positions)

    def _places(self, indexes: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the positions in the database of records, by their indexes here."""
        return self._runs.at(indexes if self._order is None else self._order[indexes])

    def _read(self, start: int, stop: int) -> GameBatch:
        return self._take(np.arange(start, stop))

    def _take(self, places: NDArray[np.int64]) -> GameBatch:
        return GameBatch(self._taken(places, lambda rows: self._database.take(rows).record_batch))

    def _take_headers(self, places: NDArray[np.int64]) -> pa.RecordBatch:
        return self._taken(places, self._database.take_headers)

    def _taken(self, indexes: NDArray[np.int64], take: Callable[[NDArray[np.int64]], pa.RecordBatch]) -> pa.RecordBatch:
        """Return some records by their indexes here, from a function that takes ascending positions."""
        places = self._places(indexes)
        if self._order is None:
            return take(places)
        ascending = np.argsort(places)
        return take(places[ascending]).take(pa.array(np.argsort(ascending)))

    def _batches(self, threads: int) -> Iterator[GameBatch]:
        if self._stream is not None:
            return self._stream(threads)
        if self._reads_directly:
            return self._stretches(self._take)
        return map(GameBatch, self._selected(batch.record_batch for batch in self._database.batches(threads=threads)))

    def _headers(self, threads: int) -> Iterator[pa.RecordBatch]:
        if self._header_stream is not None:
            return self._header_stream(threads)
        if self._stream is not None:
            return super()._headers(threads)
        if self._reads_directly:
            return self._stretches(self._take_headers)
        return self._selected(self._database.headers(threads=threads))

    @property
    def _reads_directly(self) -> bool:
        sparse = self._database.path is not None and self._runs.total * _SPARSE <= self._runs.end
        return self._direct or sparse

    def _stretches(self, take: Callable[[NDArray[np.int64]], Any]) -> Iterator[Any]:
        """Yield all records in pieces."""
        count = self._count()
        for begin in range(0, count, _BATCH_RECORDS):
            end = min(begin + _BATCH_RECORDS, count)
            self._done = end / count
            yield take(np.arange(begin, end))

    def _selected(self, pieces: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Yield the wanted rows of pieces that together are all records of the database, in order."""
        self._done = None
        begin, last = 0, self._runs.end
        for piece in pieces if last else ():
            end = begin + len(piece)
            mask = self._runs.holds(np.arange(begin, end))
            if mask.any():
                yield piece if mask.all() else piece.filter(pa.array(mask))
            if end >= last:
                return
            begin = end

    def __repr__(self) -> str:
        return f"<{len(self)} records of {self.name}>" if self._direct else super().__repr__()


def filtered(database: Database, where: Where) -> Subset:
    """Return the records that meet a condition.

    Iterating and ``batches`` read the database once. The length and access to single games first require a pass over
    all headers, or over all records if the condition uses moves or annotations.
    """

    def batches(threads: int) -> Iterator[GameBatch]:
        chosen = (chosen_of(batch, where) for batch in database.batches(threads=threads))
        return (batch for batch in chosen if len(batch))

    def headers(threads: int) -> Iterator[pa.RecordBatch]:
        for records in _enough_for(where, database, threads):
            yield records.filter(pa.array(mask_of(records, where))).select(HEADER_SCHEMA.names)

    return Subset(database, lambda: Runs.of(places_where(database, where)), batches=batches, headers=headers)


def places_where(database: Database, where: Where) -> NDArray[np.int64]:
    """Return the positions of the records that meet a condition."""
    masks = [mask_of(records, where) for records in _enough_for(where, database, 1)]
    return np.flatnonzero(np.concatenate(masks)) if masks else np.empty(0, np.int64)


def _enough_for(where: Where, database: Database, threads: int) -> Iterator[pa.RecordBatch]:
    """Yield all records, with moves and the rest of the body only if the condition uses them."""
    try:
        mask_of(GameBatch.empty().record_batch.select(HEADER_SCHEMA.names), where)
    except UsageError:
        return (batch.record_batch for batch in database.batches(threads=threads))
    return database.headers(threads=threads)


def excerpt_of(
    database: Database,
    records: str | Iterable[int] | None = None,
    *,
    sample: int | None = None,
    seed: int | None = None,
    limit: int | None = None,
) -> Database:
    """Return some records of a database; see ``Database.excerpt``."""
    for number, what in ((sample, "a sample"), (limit, "a limit")):
        if number is not None and number < 0:
            raise UsageError(f"{what} of {number} records makes no sense")
    if seed is not None and sample is None:
        raise UsageError("a seed needs a sample")
    if records is not None:
        database = Subset(database, runs_of(records))
    if sample is not None:
        database = _sampled(database, sample, seed)
    return database if limit is None else Subset(database, Runs.of(range(min(limit, sys.maxsize))))


def _sampled(database: Database, sample: int, seed: int | None) -> Subset:
    return Subset(database, lambda: Runs.of(np.array(picked(len(database), sample, seed), np.int64)))


def picked(total: int, count: int, seed: int | None) -> list[int]:
    """Return ascending positions from 0, picked at random: the same ones for the same seed."""
    return sorted(random.Random(seed).sample(range(total), min(count, total)))
