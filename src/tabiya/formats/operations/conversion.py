"""Copy records from one database to another, with a report."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tabiya.errors import UsageError
from tabiya.files.file_errors import errors_of
from tabiya.files.parallel import check_threads
from tabiya.formats.open_and_create import create, opened, path_of
from tabiya.formats.origins import Origin
from tabiya.formats.progress import Progress
from tabiya.formats.registry import FORMATS
from tabiya.game import GameBatch
from tabiya.game.record import Problem
from tabiya.game.where import Where, chosen_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from tabiya.formats.database import Database
    from tabiya.formats.format import Format
    from tabiya.formats.losses import LossReport
    from tabiya.formats.open_and_create import Location, Locations
    from tabiya.formats.progress import Watcher

_MOST_PROBLEMS = 20


@dataclass(frozen=True, slots=True)
class GameProblem:
    """A problem and the number of its record; None for the database as a whole.

    Where several databases are read as one, ``origin`` is the file of the record and its number there.
    """

    game: int | None
    problem: Problem
    origin: Origin | None = None

    def __str__(self) -> str:
        source, number = (None, self.game) if self.origin is None else self.origin
        place = [] if source is None else [source]
        place += [] if number is None else [f"game {number}"]
        place += [] if self.problem.offset is None else [f"offset {self.problem.offset}"]
        return f"{', '.join(place)}: {self.problem.sentence}" if place else self.problem.sentence

    def as_dict(self) -> dict[str, Any]:
        """Return the problem for JSON."""
        problem = self.problem
        return {
            "game": self.game,
            "offset": problem.offset,
            "code": problem.code,
            "text": problem.text,
            "sentence": problem.sentence,
            **({} if self.origin is None else {"source": self.origin.source, "source_number": self.origin.number}),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class ConversionReport:
    """The result of a conversion. If ``losses`` and ``problems`` are empty, everything was copied unchanged."""

    source_format: str
    target_format: str
    read: int
    """Records read and selected."""
    written: int
    """Records written; the difference was omitted and is listed in ``losses``."""
    deleted: int
    """How many of the records read are marked as deleted."""
    losses: LossReport
    problems: int
    """Number of problems of the source: those of these records and of the database as a whole."""
    first_problems: tuple[GameProblem, ...]
    remarks: tuple[str, ...] = ()
    """Other changes to the target, as sentences; see ``Writer.remarks``."""
    unfinished: tuple[str, ...] = ()
    """Steps that failed after all records were written, as sentences; see ``Writer.unfinished``."""
    path: Path | None = field(default=None, compare=False)
    """The main file of the target, which may have a different suffix than requested; None for streams and servers."""

    @property
    def clean(self) -> bool:
        """Whether there were no losses and no problems, and no step is unfinished."""
        return not self.losses and not self.problems and not self.unfinished

    def as_dict(self) -> dict[str, Any]:
        """Return the report for JSON."""
        return {
            "source_format": self.source_format,
            "target_format": self.target_format,
            "path": None if self.path is None else str(self.path),
            "read": self.read,
            "written": self.written,
            "deleted": self.deleted,
            "losses": self.losses.as_dict(),
            "problems": self.problems,
            "first_problems": [each.as_dict() for each in self.first_problems],
            "remarks": list(self.remarks),
            "unfinished": list(self.unfinished),
        }


def convert(
    source: Locations | Database,
    target: Location,
    *,
    source_format: str | Format | None = None,
    target_format: str | Format | None = None,
    formats: Sequence[Format] = FORMATS,
    threads: int = 1,
    strict: bool = False,
    overwrite: bool = False,
    where: Where | None = None,
    progress: Watcher = None,
    source_options: Mapping[str, Any] | None = None,
    **options: Any,
) -> ConversionReport:
    """Copy the records of a database into a new one; both may have any format.

    The target appears only when it is complete. Memory does not grow with the number of games; a ChessBase target needs
    about 100 bytes more for every distinct name. If all records are copied to the same format, data of the database as
    a whole, such as its title, is copied too; not for a selection of records.

    Args:
        source: what ``tabiya.open`` takes, or an open database, which remains open.
        target: what ``tabiya.create`` takes; never one of the files that are read.
        source_format: a format or its name, instead of detecting it.
        target_format: a format or its name, instead of choosing it by the suffix.
        formats: the formats to choose from.
        threads: number of threads that read, and that write; the target does not depend on it.
        strict: raise ``LossError`` if anything would be lost, and leave the target untouched.
        overwrite: replace an existing target.
        where: the records to copy; all if None.
        progress: called after every batch that was read.
        source_options: options for reading.
        options: options for writing.

    Raises:
        UsageError: source and target are the same file, or the target exists.
        LossError: see ``strict``.
    """
    check_threads(threads)
    with ExitStack() as stack:
        open_options = source_options or {}
        database = stack.enter_context(opened(source, format=source_format, formats=formats, **open_options))
        refuse_same(database, path_of(target))
        writer = create(target, format=target_format, formats=formats, overwrite=overwrite, strict=strict, **options)
        tally = _Tally(database, where, progress)
        with writer:
            refuse_same(database, writer.path)  # which may exist with different upper and lower case
            if where is None:
                writer.follow(database)
            writer.account_for(database)
            writer.write(tally.watched(database.batches(threads=threads)), threads=threads)
        return ConversionReport(
            source_format=database.format.name,
            target_format=writer.format.name,
            read=tally.read,
            written=writer.written,
            deleted=tally.deleted,
            losses=writer.losses,
            problems=tally.problems,
            first_problems=placed(database, tally.first_problems),
            remarks=writer.remarks,
            unfinished=writer.unfinished,
            path=writer.path,
        )


def refuse_same(database: Database, path: Path | None) -> None:
    """Raise ``UsageError`` if a target is one of the files of a database."""
    with errors_of(path):
        if path is not None and path.exists() and any(file.exists() and path.samefile(file) for file in database.files):
            raise UsageError("is also the source; choose another name for the target", path=path)


def placed(database: Database, found: Sequence[GameProblem]) -> tuple[GameProblem, ...]:
    """Return problems of records that have been read, with origins if the database consists of several."""
    numbers = np.array([each.game for each in found if each.game is not None], np.int64)
    if not database.has_origins or not len(numbers):
        return tuple(found)
    sources, inner = database.origins(numbers)
    origins = map(Origin, sources.to_pylist(), inner.tolist())
    return tuple(each if each.game is None else replace(each, origin=next(origins)) for each in found)


class _Tally:
    """Selects records, and counts those that pass."""

    def __init__(self, database: Database, where: Where | None, progress: Watcher) -> None:
        self._database = database
        self._where = where
        self._progress = progress
        self._seen = 0
        self.read = 0
        self.deleted = 0
        self.problems = len(database.problems)
        self.first_problems = [GameProblem(None, problem) for problem in database.problems[:_MOST_PROBLEMS]]

    def watched(self, batches: Iterable[GameBatch]) -> Iterator[GameBatch]:
        for batch in batches:
            self._seen += len(batch)
            chosen = batch if self._where is None else chosen_of(batch, self._where)
            self._count(chosen.record_batch)
            if len(chosen):
                yield chosen
            if self._progress is not None:
                self._progress(Progress(self._seen, self._database.progress))

    def _count(self, records: pa.RecordBatch) -> None:
        self.read += len(records)
        self.deleted += records["deleted"].true_count
        found = len(records["problems"].flatten())
        self.problems += found
        if found and len(self.first_problems) < _MOST_PROBLEMS:
            concerned = pc.greater(pc.list_value_length(records["problems"]), 0)
            rows = records.select(["number", "problems"]).filter(concerned).slice(0, _MOST_PROBLEMS)
            for row in rows.to_pylist():
                self.first_problems += [GameProblem(row["number"], Problem(**each)) for each in row["problems"]]
            del self.first_problems[_MOST_PROBLEMS:]
