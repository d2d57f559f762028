"""Changes to many records: into a new database, or in place where the format can replace records."""

from __future__ import annotations

from collections import Counter
from contextlib import closing
from dataclasses import dataclass, field
from threading import Lock
from typing import TYPE_CHECKING, Any, Final, Protocol

import numpy as np

from tabiya.errors import UsageError
from tabiya.files.parallel import ordered_map
from tabiya.formats.choose import open as open_database
from tabiya.formats.choose import opened
from tabiya.formats.conversion import convert
from tabiya.formats.losses import LossReport
from tabiya.formats.progress import Progress
from tabiya.formats.selection import Part
from tabiya.formats.tools import edit
from tabiya.game import GameBatch
from tabiya.maintenance.tag_columns import with_tag

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

    import pyarrow as pa
    from numpy.typing import NDArray

    from tabiya.formats import ConversionReport, Database
    from tabiya.formats.choose import Location, Locations
    from tabiya.formats.progress import Watcher

__all__ = ["Change", "ChangeReport", "Changed", "numbers_of", "rewrite", "rows_among"]

_AT_ONCE: Final = 10_000
"""Records that are replaced together: an editor holds them in memory until it commits."""


@dataclass(frozen=True, slots=True)
class Changed:
    """A batch after a change: the same records in the same order."""

    batch: GameBatch
    rows: NDArray[np.bool_]
    """Which of them are other ones now."""
    what: Mapping[str, int] = field(default_factory=dict)
    """How many of them, by what was changed: the name of a tag, say."""


def retagged(batch: GameBatch, texts: Iterable[tuple[str, pa.Array, NDArray[np.bool_]]]) -> Changed:
    """Return a batch with other texts of tags, of each tag in the records that its mask chooses."""
    records, rows, what = batch.record_batch, np.zeros(len(batch), np.bool_), {}
    for tag, new, chosen in texts:
        if chosen.any():
            records = with_tag(records, tag, new, chosen)
            what[tag] = int(chosen.sum())
            rows |= chosen
    return Changed(GameBatch(records), rows, what)


class Change(Protocol):
    """What is done to each batch, in any thread."""

    def __call__(self, batch: GameBatch, /) -> Changed:
        """Return the batch after the change."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeReport:
    """What was changed."""

    records: int
    """Records looked at."""
    changed: int
    """How many are other ones now; or would be, without ``dry_run``."""
    what: dict[str, int]
    """How many, by what was changed."""
    written: ConversionReport | None = None
    """About the new database, if there is one."""
    losses: LossReport = field(default_factory=LossReport)
    """What got lost."""
    remarks: tuple[str, ...] = ()
    """What else has happened, in sentences."""

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
    """Applies a change, and counts."""

    def __init__(self, change: Change) -> None:
        self._change = change
        self._lock = Lock()
        self.records = 0
        self.what: Counter[str] = Counter()
        self.numbers: list[NDArray[np.int64]] = []
        """Of what has changed."""

    def __call__(self, batch: GameBatch) -> GameBatch:
        changed = self._change(batch)
        numbers = batch.record_batch["number"].to_numpy()[changed.rows]
        with self._lock:
            self.records += len(batch)
            self.what.update(changed.what)
            self.numbers.append(numbers)
        return changed.batch

    def report(self, **more: Any) -> ChangeReport:
        changed = sum(map(len, self.numbers))
        return ChangeReport(records=self.records, changed=changed, what=dict(sorted(self.what.items())), **more)


class _Rewritten(Part):
    """A database after a change."""

    def __init__(self, database: Database, change: _Tally) -> None:
        super().__init__(database)
        self._change = change

    def _count(self) -> int:
        return len(self._database)

    def _read(self, start: int, stop: int) -> GameBatch:
        return self._change(self._database.read(start, stop))

    def _batches(self, threads: int) -> Iterator[GameBatch]:
        return ordered_map(self._change, self._database.batches(threads=threads), threads)


def rewrite(
    source: Locations | Database,
    change: Change,
    target: Location | None = None,
    *,
    in_place: bool = False,
    dry_run: bool = False,
    overwrite: bool = False,
    strict: bool = False,
    threads: int = 1,
    progress: Watcher = None,
    options: Mapping[str, Any] | None = None,
) -> ChangeReport:
    """Apply a change to a database: into a new one, or in place. Without either it is only counted.

    Args:
        source: what ``tabiya.open`` takes, or an open database, which stays open.
        change: what is done to each batch.
        target: a new database with all records, changed or not.
        in_place: replace the records that change where they are, in formats that can.
        dry_run: do neither, but count; in place, tell what would get lost.
        overwrite: replace an existing target.
        strict: raise ``LossError`` if anything would get lost.
        threads: how many threads read, change and write.
        progress: called after every batch that was read.
        options: what ``tabiya.convert`` is told besides.

    Raises:
        UsageError: Both were asked for, or the format cannot replace records.
    """
    if target is not None and in_place:
        raise UsageError("a change is made in place or written to a new database, not both")
    tally = _Tally(change)
    with opened(source) as database:
        if target is not None and not dry_run:
            told: dict[str, Any] = {"overwrite": overwrite, "strict": strict, "threads": threads, "progress": progress}
            report = convert(_Rewritten(database, tally), target, **told | {**(options or {})})
            return tally.report(written=report, losses=report.losses, remarks=report.remarks)
        path = _editable(database) if in_place else None
        for _ in ordered_map(tally, database.batches(threads=threads), threads):
            if progress is not None:
                progress(Progress(tally.records, database.progress))
        format = database.format
    if path is None:
        return tally.report()
    losses, remarks = LossReport(), dict[str, None]()
    numbers = np.concatenate(tally.numbers) if tally.numbers else np.empty(0, np.int64)
    for begin in range(0, len(numbers), _AT_ONCE):
        with open_database(path, format=format) as database:
            some = numbers[begin : begin + _AT_ONCE]
            lost, said = _replace(path, database, change, some, strict=strict, dry_run=dry_run)
        losses += lost
        remarks |= dict.fromkeys(said)
    return tally.report(losses=losses, remarks=tuple(remarks))


def _editable(database: Database) -> Path:
    """Return where a database is that can be changed in place."""
    if database.path is None or database.has_origins:
        raise UsageError(
            "several databases, and streams, cannot be changed in place: name a target",
            path=None if database.has_origins else database.path,
        )
    if database.format.edit is None:
        edit(database.path).close()  # which says what formats can
    return database.path


def _replace(
    path: Path, database: Database, change: Change, numbers: NDArray[np.int64], *, strict: bool, dry_run: bool
) -> tuple[LossReport, tuple[str, ...]]:
    """Put changed records in the place of some; all of them, or none. A dry run only tells what would get lost."""
    changed = change(database.take(numbers - 1))
    if not changed.rows.all():  # an editor knows nothing of options for reading
        raise UsageError(
            "reads otherwise than before: somebody has changed it, or an encoding is given, which only a new database "
            "can do with; name a target instead of changing it in place",
            path=path,
        )
    editor = edit(path, format=database.format)
    with closing(editor) if dry_run else editor:
        for game, number in zip(changed.batch.games(), numbers.tolist(), strict=True):
            editor.replace(number, game, strict=strict)
        losses = editor.losses
    return losses, editor.remarks


def rows_among(records: pa.RecordBatch, numbers: NDArray[np.int64] | None) -> NDArray[np.bool_]:
    """Return which records have one of these numbers, which ascend; all of them if there are None."""
    own = records["number"].to_numpy()
    if numbers is None or not len(numbers):
        return np.full(len(own), numbers is None, np.bool_)
    found: NDArray[np.bool_] = numbers[np.minimum(np.searchsorted(numbers, own), len(numbers) - 1)] == own
    return found


def numbers_of(database: Database, *, threads: int = 1) -> NDArray[np.int64]:
    """Return the numbers of all records, ascending: of a choice, to be changed within its database."""
    found = [records["number"].to_numpy() for records in database.headers(threads=threads)]
    return np.sort(np.concatenate(found)) if found else np.empty(0, np.int64)
