"""Statistics of a database."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tabiya.files.file_bytes import size_of
from tabiya.files.file_errors import errors_of
from tabiya.formats.open_and_create import opened
from tabiya.formats.progress import watched_batches
from tabiya.game.annotations import name_of_kind
from tabiya.game.record import RecordKind, Result
from tabiya.game.tag_values import Date, format_result
from tabiya.game.tape import BEGIN

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from tabiya.formats.database import Database
    from tabiya.formats.open_and_create import Locations
    from tabiya.formats.progress import Watcher


@dataclass(slots=True, kw_only=True)
class Summary:
    """Statistics of a database. Counts are of records unless the name states otherwise."""

    path: str | None
    """None for a stream."""
    format: str
    title: str
    """The format in words."""
    bytes: int | None
    """Size of all its files; None for a stream."""
    records: int = 0
    games: int = 0
    texts: int = 0
    opaque: int = 0
    deleted: int = 0
    players: int = 0
    """Number of distinct names."""
    events: int = 0
    """Number of distinct names."""
    first_date: Date | None = None
    """The earliest date; unknown parts count as early."""
    last_date: Date | None = None
    lowest_elo: int | None = None
    highest_elo: int | None = None
    results: dict[str, int] = field(default_factory=dict)
    """Count of each result, in the order of ``Result``; records without one are not counted."""
    annotated: int = 0
    """Records with annotations: texts, NAGs and all other kinds."""
    annotations: dict[str, int] = field(default_factory=dict)
    """Number of annotations of each kind, the most frequent first."""
    with_variations: int = 0
    with_problems: int = 0
    problems: int = 0
    """Number of problems, in records and of the database as a whole."""
    details: dict[str, str | int | float] = field(default_factory=dict)
    """Facts specific to this format; see ``Database.details``."""

    def count_results(self, counts: Mapping[int, int]) -> None:
        """Add the count of each result, by its number; invalid results are ignored."""
        named = {format_result(each): counts.get(each, 0) for each in Result}
        self.results = {name: found for name, more in named.items() if (found := self.results.get(name, 0) + more)}

    def count_dates(self, dates: NDArray[Any]) -> None:
        """Extend the range by some dates, as numbers yyyymmdd."""
        if len(dates):
            first, last = _date(int(dates.min())), _date(int(dates.max()))
            self.first_date = min(first, self.first_date or first, key=_order)
            self.last_date = max(last, self.last_date or last, key=_order)

    def count_ratings(self, ratings: NDArray[Any]) -> None:
        """Extend the range by some ratings."""
        if len(ratings):
            least, greatest = int(ratings.min()), int(ratings.max())
            self.lowest_elo = least if self.lowest_elo is None else min(least, self.lowest_elo)
            self.highest_elo = greatest if self.highest_elo is None else max(greatest, self.highest_elo)

    def count_annotations(self, counts: Mapping[int, int]) -> None:
        """Set the number of annotations of each kind, by its number."""
        order = sorted(counts.items(), key=lambda each: (-each[1], each[0]))
        self.annotations = {name_of_kind(kind) or f"kind 0x{kind:02X}": number for kind, number in order}

    def as_dict(self) -> dict[str, Any]:
        """Return the summary for JSON."""
        values = {name: getattr(self, name) for name in self.__slots__}
        dates = {name: None if values[name] is None else str(values[name]) for name in ("first_date", "last_date")}
        return {**values, **dates}


def summarize(source: Locations | Database, *, threads: int = 1, progress: Watcher = None) -> Summary:
    """Summarize a database: a library stores the numbers, any other database is read once.

    Memory grows only with the number of distinct names.

    Args:
        source: what ``tabiya.open`` takes, or an open database, which remains open.
        threads: number of threads that read.
        progress: called after every batch that was read.
    """
    with opened(source) as database:
        return _summary(database, threads, progress)


def _summary(database: Database, threads: int, progress: Watcher) -> Summary:
    with errors_of(database.path):
        size = size_of(database.files) if database.files else None
    path = None if database.path is None else str(database.path)
    summary = Summary(path=path, format=database.format.name, title=database.format.title, bytes=size)
    with errors_of(database.path):
        known = database.summarize(summary)
    if not known:
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
        self._annotations: Counter[int] = Counter()

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
        summary.count_results(_counts(records["result"]))
        summary.count_dates(_days(records).drop_null().to_numpy())
        for column in ("white_elo", "black_elo"):
            summary.count_ratings(records[column].drop_null().to_numpy())

    def finish(self) -> None:
        summary = self._summary
        summary.players, summary.events = len(self._players), len(self._events)
        summary.count_annotations(self._annotations)


def _counts(values: pa.Array) -> dict[int, int]:
    return {each["values"]: each["counts"] for each in values.value_counts().to_pylist()}


def _filled(lists: pa.ListArray) -> int:
    """Return the number of lists that are not empty."""
    return int(np.count_nonzero(np.diff(lists.offsets.to_numpy())))


def _with_variations(moves: pa.ListArray) -> int:
    begins = np.flatnonzero(moves.flatten().to_numpy() == BEGIN)
    ends = moves.offsets.to_numpy() - moves.offsets[0].as_py()
    return len(np.unique(np.searchsorted(ends, begins, side="right")))


def _names(column: pa.DictionaryArray) -> set[str]:
    used = column.indices.unique().drop_null()
    return set(column.dictionary.take(used).to_pylist())


def _days(records: pa.RecordBatch) -> pa.Array:
    """Return dates as ascending numbers; null without a year."""
    years, months, days = (records[name].cast(pa.int32()) for name in ("year", "month", "day"))
    return pc.add(pc.add(pc.multiply(years, 10_000), pc.multiply(pc.fill_null(months, 0), 100)), pc.fill_null(days, 0))


def _date(number: int) -> Date:
    return Date(number // 10_000, number // 100 % 100 or None, number % 100 or None)


def _order(date: Date) -> tuple[int, int, int]:
    return date.year or 0, date.month or 0, date.day or 0
