"""Changes to many records: into a new database, or in place if the format can replace records."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol, TypedDict

import numpy as np

from tabiya.errors import UsageError
from tabiya.files.parallel import ordered_map
from tabiya.formats.losses import LossReport
from tabiya.formats.open_and_create import open as open_database
from tabiya.formats.open_and_create import opened
from tabiya.formats.operations.conversion import convert
from tabiya.formats.operations.whole_database import edit
from tabiya.formats.progress import Progress
from tabiya.formats.subset import Derived
from tabiya.game import GameBatch
from tabiya.maintenance.tag_columns import with_tag

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from pathlib import Path

    import pyarrow as pa
    from numpy.typing import NDArray

    from tabiya.formats import ConversionReport, Database
    from tabiya.formats.open_and_create import Location, Locations
    from tabiya.formats.progress import Watcher


@dataclass(frozen=True, slots=True)
class Changed:
    """A batch after a change: the same records in the same order."""

    batch: GameBatch
    rows: NDArray[np.bool_]
    """Which of them were changed."""
    what: Mapping[str, int] = field(default_factory=dict)
    """Number of changed records by what was changed, for example the name of a tag."""
    noted: Mapping[Any, int] = field(default_factory=dict)
    """Other counts of the change."""


def retagged(batch: GameBatch, texts: Iterable[tuple[str, pa.Array, NDArray[np.bool_]]]) -> Changed:
    """Return a batch with new values of tags; the mask of each tag selects its records."""
    records, rows, what = batch.record_batch, np.zeros(len(batch), np.bool_), {}
    for tag, new, chosen in texts:
        if chosen.any():
            records = with_tag(records, tag, new, chosen)
            what[tag] = int(chosen.sum())
            rows |= chosen
    return Changed(GameBatch(records), rows, what)


class Change(Protocol):
    """A function applied to each batch, in any thread.

    It has no state: batches come in any order, and in place the changed records come twice.
    """

    def __call__(self, batch: GameBatch, chosen: NDArray[np.bool_], /) -> Changed:
        """Return the batch after the change, which may change the chosen records only."""


class WriteOptions(TypedDict, total=False):
    """How a change is written; see ``rewrite``."""

    in_place: bool
    dry_run: bool
    overwrite: bool
    strict: bool
    threads: int
    progress: Watcher
    options: Mapping[str, Any] | None


class ChangeOptions(WriteOptions, total=False):
    """Options for writing, and which records may change."""

    numbers: NDArray[np.int64] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeReport:
    """The result of a change."""

    records: int
    """Records examined."""
    changed: int
    """Number of changed records; or of records that would change, without ``dry_run``."""
    what: dict[str, int]
    """Number of changed records, by what was changed."""
    written: ConversionReport | None = None
    """The report about the new database, if there is one."""
    losses: LossReport = field(default_factory=LossReport)
    """What was lost."""
    remarks: tuple[str, ...] = ()
    """Other effects, as sentences."""
    noted: Counter[Any] = field(default_factory=Counter)
    """Other counts of the change."""

    def as_dict(self) -> dict[str, Any]:
        """Return the report for JSON."""
        return {
            "records": self.records,
            "changed": self.changed,
            "what": self.what,
            "written": None if self.written is None else self.written.as_dict(),
            "losses": self.losses.as_dict(),
            "remarks": list(self.remarks),
        }


class _Tally:
    """Counts changes, batch by batch in the order of the database."""

    def __init__(self) -> None:
        self.records = 0
        self.what: Counter[str] = Counter()
        self.noted: Counter[Any] = Counter()
        self.numbers: list[NDArray[np.int64]] = []
        """Numbers of the changed records of each batch that has any."""

    def add(self, changed: Changed) -> None:
        self.records += len(changed.batch)
        self.what.update(changed.what)
        self.noted.update(changed.noted)
        if changed.rows.any():
            self.numbers.append(changed.batch.record_batch["number"].to_numpy()[changed.rows])

    def report(self, **more: Any) -> ChangeReport:
        what = dict(sorted(self.what.items()))
        changed = sum(map(len, self.numbers))
        return ChangeReport(records=self.records, changed=changed, what=what, noted=self.noted, **more)


class Rewritten(Derived):
    """A database after a change, which is applied while records are read."""

    def __init__(self, database: Database, change: Callable[[GameBatch], Changed], tally: _Tally) -> None:
        super().__init__(database)
        self._change = change
        self._tally = tally

    def _count(self) -> int:
        return len(self._database)

    def _read(self, start: int, stop: int) -> GameBatch:
        return self._change(self._database.read(start, stop)).batch

    def _batches(self, threads: int) -> Iterator[GameBatch]:
        for changed in ordered_map(self._change, self._database.batches(threads=threads), threads):
            self._tally.add(changed)
            yield changed.batch


def rewrite(
    source: Locations | Database,
    change: Change,
    target: Location | None = None,
    *,
    numbers: NDArray[np.int64] | None = None,
    in_place: bool = False,
    dry_run: bool = False,
    overwrite: bool = False,
    strict: bool = False,
    threads: int = 1,
    progress: Watcher = None,
    options: Mapping[str, Any] | None = None,
) -> ChangeReport:
    """Apply a change to a database: into a new one, or in place. Without either the changes are only counted.

    Args:
        source: what ``tabiya.open`` takes, or an open database, which remains open.
        change: the function applied to each batch.
        target: a new database with all records, changed or not.
        numbers: the records that may change, ascending; all if None.
        in_place: replace the changed records where they are, if the format supports it: all of them, or none.
        dry_run: only count; with ``in_place``, also what would be lost.
        overwrite: replace an existing target.
        strict: raise ``LossError`` if anything would be lost.
        threads: number of threads that read, change and write.
        progress: called after every batch that was read.
        options: further options for ``tabiya.convert``.

    Raises:
        UsageError: Both a target and ``in_place`` were given, or the format cannot replace records.
    """
    if target is not None and in_place:
        raise UsageError("a change is made in place or written to a new database, not both")
    tally = _Tally()

    def changed(batch: GameBatch) -> Changed:
        return change(batch, _rows_among(batch.record_batch, numbers))

    with opened(source) as database:
        rewritten = Rewritten(database, changed, tally)
        if target is not None and not dry_run:
            arguments: dict[str, Any] = {
                "overwrite": overwrite,
                "strict": strict,
                "threads": threads,
                "progress": progress,
            }
            report = convert(rewritten, target, **arguments | {**(options or {})})
            return tally.report(written=report, losses=report.losses, remarks=report.remarks)
        path = editable_path(database) if in_place else None
        for _ in rewritten.batches(threads=threads):
            if progress is not None:
                progress(Progress(tally.records, database.progress))
        format = database.format
    if path is None or not tally.numbers:
        return tally.report()
    # The editor locks out other writers before the database is read again, and commits after that database is closed.
    with edit(path, format=format) as editor, open_database(path, format=format) as database:
        batches = _changed(database, changed, tally.numbers, threads)
        editor.replace_all(batches, strict=strict, threads=threads, dry_run=dry_run)
    return tally.report(losses=editor.losses, remarks=(*editor.remarks, *editor.unfinished))


def editable_path(database: Database) -> Path:
    """Return the path of a database that can be changed in place."""
    if database.path is None or database.has_origins:
        raise UsageError(
            "several databases, and streams, cannot be changed in place: name a target",
            path=None if database.has_origins else database.path,
        )
    if database.format.edit is None:
        edit(database.path).close()  # which reports which formats can
    return database.path


def _changed(
    database: Database, change: Callable[[GameBatch], Changed], numbers: Iterable[NDArray[np.int64]], threads: int
) -> Iterator[GameBatch]:
    """Yield the records with these numbers after the change, as many at a time as the database reads at once."""
    for changed in ordered_map(change, (database.take(np.unique(some) - 1) for some in numbers), threads):
        if not changed.rows.all():  # an editor does not have options for reading
            raise UsageError(
                "reads differently than before: another program has changed it, or an encoding was given, which works "
                "with a new database only; name a target instead of changing it in place",
                path=database.path,
            )
        yield changed.batch


def _rows_among(records: pa.RecordBatch, numbers: NDArray[np.int64] | None) -> NDArray[np.bool_]:
    """Return which records have one of these numbers, which are ascending; all of them for None."""
    own = records["number"].to_numpy()
    if numbers is None or not len(numbers):
        return np.full(len(own), numbers is None, np.bool_)
    found: NDArray[np.bool_] = numbers[np.minimum(np.searchsorted(numbers, own), len(numbers) - 1)] == own
    return found


def numbers_of(database: Database, *, threads: int = 1) -> NDArray[np.int64]:
    """Return the numbers of all records, ascending: of a selection, to be changed within its database."""
    found = [records["number"].to_numpy() for records in database.headers(threads=threads)]
    return np.sort(np.concatenate(found)) if found else np.empty(0, np.int64)
