"""Some records of a database, chosen by their places: a database like any other."""

from __future__ import annotations

import random
import re
import sys
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pyarrow as pa

from tabiya.errors import UsageError
from tabiya.formats.selection import Part
from tabiya.game import GameBatch

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from numpy.typing import NDArray

    from tabiya.formats.database import Database

__all__ = ["Excerpt", "excerpt_of", "picked", "runs_of"]

_RUN: Final = re.compile(r"\s*([0-9]{1,18})\s*(?:(-|–|\.\.)\s*([0-9]{0,18})\s*)?")
_SPARSE: Final = 20
"""Where at most one record in so many is wanted, each is read by itself."""
_BATCH_RECORDS: Final = 1000


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
        raise UsageError("a seed needs a sample to be picked with it")
    if records is not None:
        runs = runs_of(records)
        database = Excerpt(database, lambda _: runs)
    if sample is not None:
        database = Excerpt(database, _Sample(sample, seed))
    return database if limit is None else Excerpt(database, lambda _: [range(limit)])


def runs_of(records: str | Iterable[int]) -> list[range]:
    """Return the positions from 0 that places from 1 mean, as ranges that grow and do not touch.

    Raises:
        UsageError: A text is not of the form ``5,17-40,100-``, or a place is below 1.
    """
    if not isinstance(records, str):
        places = [range(number - 1, number) for number in records]
    else:
        places = [_run(part, records) for part in records.split(",")]
    for run in places:
        if run.start < 0:
            raise UsageError(f"there is no record {run.start + 1}: the first is 1")
    runs: list[range] = []
    for run in sorted(places, key=lambda run: run.start):
        if runs and run.start <= runs[-1].stop:
            runs[-1] = range(runs[-1].start, max(runs[-1].stop, run.stop))
        else:
            runs.append(run)
    return runs


def _run(part: str, text: str) -> range:
    found = _RUN.fullmatch(part)
    if found is None:
        raise UsageError(f"{text!r} does not name records: give numbers and ranges as 5,17-40,100-")
    first, dash, last = found.groups()
    stop = int(first) if dash is None else int(last) if last else sys.maxsize
    if stop < int(first):
        raise UsageError(f"{part.strip()!r} ends before it begins")
    return range(int(first) - 1, stop)


def picked(total: int, count: int, seed: int | None) -> list[int]:
    """Return places from 0, ascending, picked at random: the same ones for the same seed."""
    return sorted(random.Random(seed).sample(range(total), min(count, total)))


class _Sample:
    """Picks positions at random, the same ones whenever it is asked."""

    def __init__(self, count: int, seed: int | None) -> None:
        self._count = count
        self._seed = seed

    def __call__(self, database: Database) -> list[range]:
        return [range(place, place + 1) for place in picked(len(database), self._count, self._seed)]


class Excerpt(Part):
    """What ``database.excerpt`` gives. Nothing behind the last record that is wanted is read."""

    def __init__(self, database: Database, choose: Callable[[Database], list[range]]) -> None:
        """Choose those positions of a database that ``choose`` gives when they are first needed."""
        super().__init__(database)
        self._choose = choose

    @cached_property
    def _runs(self) -> list[range]:
        return self._choose(self._database)

    @property
    def _last(self) -> int:
        """Where the last record that is wanted ends."""
        return self._runs[-1].stop if self._runs else 0

    @property
    def _first(self) -> range:
        return self._runs[0] if self._runs else range(0)

    @cached_property
    def _places(self) -> NDArray[np.int64]:
        """The positions in the database, cut to those that are there."""
        count = self._database.count_up_to(self._last)
        found = [np.arange(run.start, min(run.stop, count), dtype=np.int64) for run in self._runs if run.start < count]
        return np.concatenate(found) if found else np.empty(0, np.int64)

    def _count(self) -> int:
        return len(self._places)

    def _count_up_to(self, limit: int) -> int:
        first = self._first
        if limit <= first.stop - first.start:  # one range, as a rule: nothing behind it has to be counted
            return max(0, self._database.count_up_to(first.start + limit) - first.start)
        return min(self._count(), limit)

    def _read(self, start: int, stop: int) -> GameBatch:
        first = self._first
        if stop <= first.stop - first.start:
            return self._database.read(first.start + start, first.start + stop)
        return self._database.take(self._places[start:stop])

    def _take(self, places: NDArray[np.int64]) -> GameBatch:
        return self._database.take(self._places[places])

    def _take_headers(self, places: NDArray[np.int64]) -> pa.RecordBatch:
        return self._database.take_headers(self._places[places])

    @property
    def whole(self) -> Database:
        """The database that the records are chosen from."""
        return self._database

    def places_here(self, places: NDArray[np.int64]) -> tuple[NDArray[np.bool_], NDArray[np.int64]]:
        """Return which records of the whole database, by their positions there, were chosen, and where these are."""
        own = self._places
        here = np.searchsorted(own, places)
        chosen = np.append(own, -1)[here] == places
        return chosen, here[chosen]

    def _batches(self, threads: int) -> Iterator[GameBatch]:
        wanted = sum(run.stop - run.start for run in self._runs)
        if self._database.path is not None and wanted * _SPARSE <= self._last:
            for start in range(0, len(self._places), _BATCH_RECORDS):
                yield self._database.take(self._places[start : start + _BATCH_RECORDS])
            return
        for rows, batch in self._wanted(self._database.batches(threads=threads)):
            yield batch if rows is None else GameBatch(batch.record_batch.filter(rows))

    def _headers(self, threads: int) -> Iterator[pa.RecordBatch]:
        for rows, headers in self._wanted(self._database.headers(threads=threads)):
            yield headers if rows is None else headers.filter(rows)

    def _wanted(self, pieces: Iterator[Any]) -> Iterator[tuple[pa.BooleanArray | None, Any]]:
        """Yield the pieces of a stream that hold anything wanted, with a mask unless all of it is."""
        begin, index = 0, 0
        if not self._runs:
            return
        for piece in pieces:
            end = begin + len(piece)
            mask = np.zeros(len(piece), np.bool_)
            while index < len(self._runs) and self._runs[index].start < end:
                run = self._runs[index]
                mask[max(0, run.start - begin) : run.stop - begin] = True
                if run.stop > end:
                    break
                index += 1
            if mask.any():
                yield (None if mask.all() else pa.array(mask)), piece
            begin = end
            if begin >= self._last:
                return
