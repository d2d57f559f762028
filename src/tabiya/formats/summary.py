"""What a database holds, in a few numbers."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tabiya.files.file_errors import errors_of
from tabiya.formats.choose import opened
from tabiya.formats.progress import watched_batches
from tabiya.game.annotations import name_of_kind
from tabiya.game.record import RecordKind, Result
from tabiya.game.tag_values import Date, format_result
from tabiya.game.tape import BEGIN

if TYPE_CHECKING:
    from tabiya.formats.choose import Locations
    from tabiya.formats.database import Database
    from tabiya.formats.progress import Watcher

__all__ = ["Summary", "summarize"]


@dataclass(slots=True, kw_only=True)
class Summary:
    """Numbers about a database. Counts are of records unless their name says otherwise."""

    path: str | None
    """None for a stream."""
    format: str
    title: str
    """The format in words."""
    bytes: int | None
    """The size of all its files; None for a stream."""
    records: int = 0
    games: int = 0
    texts: int = 0
    opaque: int = 0
    deleted: int = 0
    players: int = 0
    """Different names."""
    events: int = 0
    """Different names."""
    first_date: Date | None = None
    """The earliest; parts that are not known count as early."""
    last_date: Date | None = None
    lowest_elo: int | None = None
    highest_elo: int | None = None
    results: dict[str, int] = field(default_factory=dict)
    """How often each result occurs, in the order of ``Result``; records without one are not counted."""
    annotated: int = 0
    """Records with annotations: texts, NAGs and all the rest."""
    annotations: dict[str, int] = field(default_factory=dict)
    """How many annotations there are of each kind, the most frequent first."""
    with_variations: int = 0
    with_problems: int = 0
    problems: int = 0
    """Problems, in records and of the database as a whole."""
    details: dict[str, str | int | float] = field(default_factory=dict)
    """What only this format has to say about itself; see ``Database.details``."""

    def as_dict(self) -> dict[str, Any]:
        """Return the summary for JSON."""
        values = {name: getattr(self, name) for name in self.__slots__}
        dates = {name: None if values[name] is None else str(values[name]) for name in ("first_date", "last_date")}
        return {**values, **dates}


def summarize(source: Locations | Database, *, threads: int = 1, progress: Watcher = None) -> Summary:
    """Read a database once and count; memory grows with the number of different names only.

    Args:
        source: what ``tabiya.open`` takes, or an open database, which stays open.
        threads: how many threads read.
        progress: called after every batch that was read.
    """
    with opened(source) as database:
        return _summary(database, threads, progress)


def _summary(database: Database, threads: int, progress: Watcher) -> Summary:
    with errors_of(database.path):
        size = sum(file.stat().st_size for file in database.files if file.is_file()) if database.files else None
    path = None if database.path is None else str(database.path)
    summary = Summary(path=path, format=database.format.name, title=database.format.title, bytes=size)
    counter = _Counter(summary)
    for batch in watched_batches(database, threads, progress):
        counter.add(batch.record_batch)
    counter.finish()
    summary.problems += len(database.problems)
    with errors_of(database.path):
        summary.details = database.details()
    return summary


class _Counter:
    def __init__(self, summary: Summary) -> None:
        self._summary = summary
        self._players: set[str] = set()
        self._events: set[str] = set()
        self._results: Counter[int] = Counter()
        self._annotations: Counter[int] = Counter()
        self._days: list[int] = []
        self._ratings: list[int] = []

    def add(self, records: pa.RecordBatch) -> None:
        summary = self._summary
        kinds = np.bincount(records["kind"].to_numpy(), minlength=len(RecordKind))
        summary.records += len(records)
        summary.games += int(kinds[RecordKind.GAME])
        summary.texts += int(kinds[RecordKind.TEXT])
        summary.opaque += int(kinds[RecordKind.OPAQUE])
        summary.deleted += records["deleted"].true_count
        summary.annotated += _filled(records["annotations"])
        self._annotations.update(_counts(records["annotations"].flatten().field("kind")))
        summary.with_variations += _with_variations(records["moves"])
        summary.with_problems += _filled(records["problems"])
        summary.problems += len(records["problems"].flatten())
        self._players |= _names(records["white"]) | _names(records["black"])
        self._events |= _names(records["event"])
        self._results.update(_counts(records["result"]))
        self._days += _extremes(_days(records))
        self._ratings += _extremes(records["white_elo"]) + _extremes(records["black_elo"])

    def finish(self) -> None:
        summary = self._summary
        summary.players, summary.events = len(self._players), len(self._events)
        summary.results = {format_result(each): self._results[each] for each in Result if self._results[each]}
        summary.annotations = {
            name_of_kind(kind) or f"kind 0x{kind:02X}": number for kind, number in self._annotations.most_common()
        }
        if self._days:
            summary.first_date, summary.last_date = _date(min(self._days)), _date(max(self._days))
        if self._ratings:
            summary.lowest_elo, summary.highest_elo = min(self._ratings), max(self._ratings)


def _counts(values: pa.Array) -> dict[int, int]:
    return {each["values"]: each["counts"] for each in values.value_counts().to_pylist()}


def _filled(lists: pa.ListArray) -> int:
    """Return how many lists are not empty."""
    return int(np.count_nonzero(np.diff(lists.offsets.to_numpy())))


def _with_variations(moves: pa.ListArray) -> int:
    begins = np.flatnonzero(moves.flatten().to_numpy() == BEGIN)
    ends = moves.offsets.to_numpy() - moves.offsets[0].as_py()
    return len(np.unique(np.searchsorted(ends, begins, side="right")))


def _names(column: pa.DictionaryArray) -> set[str]:
    used = column.indices.unique().drop_null()
    return set(column.dictionary.take(used).to_pylist())


def _days(records: pa.RecordBatch) -> pa.Array:
    """Dates as numbers that grow with them; null without a year."""
    years, months, days = (records[name].cast(pa.int32()) for name in ("year", "month", "day"))
    return pc.add(pc.add(pc.multiply(years, 10_000), pc.multiply(pc.fill_null(months, 0), 100)), pc.fill_null(days, 0))


def _date(number: int) -> Date:
    return Date(number // 10_000, number // 100 % 100 or None, number % 100 or None)


def _extremes(values: pa.Array) -> list[int]:
    """Return the least and the greatest value, or nothing if all are null."""
    found = pc.min_max(values).as_py()
    return [] if found["min"] is None else [found["min"], found["max"]]
