"""Handle duplicates: omit them, write them to another database, or mark them; only if requested."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pyarrow as pa

from tabiya.errors import FormatError, UsageError
from tabiya.files.file_errors import errors_of
from tabiya.formats.database import READ_ONCE
from tabiya.formats.open_and_create import format_of, opened, path_of
from tabiya.formats.operations.conversion import convert, refuse_same
from tabiya.formats.operations.whole_database import edit
from tabiya.maintenance.csv_tables import csv_rows
from tabiya.maintenance.duplicates import find_duplicates, matching

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from os import PathLike

    from numpy.typing import NDArray

    from tabiya.formats import ConversionReport, Database
    from tabiya.formats.open_and_create import Location, Locations
    from tabiya.formats.progress import Watcher
    from tabiya.maintenance.duplicate_groups import Duplicates

KEPT: Final = "kept"
TWIN: Final = "twin"
"""Value of the column ``role`` for a duplicate in a report."""
_AS_BEFORE: Final = "name the same databases in the same order as when it was made"
_STREAM: Final = ""
"""The name of a database without one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DedupeReport:
    """The duplicates found, and what was done with them."""

    duplicates: Duplicates | None
    """None if the records were specified by the caller."""
    removed: int
    """Number of records omitted from the target, written to another database or marked; or that would be, without
    ``dry_run``."""
    written: ConversionReport | None = None
    """The report about the target with the remaining records."""
    set_aside: ConversionReport | None = None
    """The report about the database with the twins."""
    marked: tuple[str, ...] = ()
    """The databases in which twins are now marked as deleted."""

    @property
    def clean(self) -> bool:
        """Whether nothing was lost while writing other databases."""
        return not any(report is not None and report.losses for report in (self.written, self.set_aside))

    def as_dict(self) -> dict[str, Any]:
        """Return the report for JSON, without the groups."""
        return {
            **({} if self.duplicates is None else self.duplicates.as_dict()),
            "removed": self.removed,
            "written": None if self.written is None else self.written.as_dict(),
            "set_aside": None if self.set_aside is None else self.set_aside.as_dict(),
            "marked": list(self.marked),
        }


def dedupe(
    source: Locations | Database,
    target: Location | None = None,
    *,
    twins: Location | None = None,
    mark: bool = False,
    dry_run: bool = False,
    match: str = "exact",
    keep: str | Iterable[str] = ("annotations", "longer", "rated", "first"),
    overwrite: bool = False,
    strict: bool = False,
    threads: int = 1,
    progress: Watcher = None,
    options: Mapping[str, Any] | None = None,
    **changes: Any,
) -> DedupeReport:
    """Find duplicate games, and omit them from a new database, write them to another one, or mark them.

    Without ``target``, ``twins`` and ``mark`` nothing is written: ``duplicates`` of the report contains what was found.

    Args:
        source: what ``tabiya.open`` takes, or an open database, which remains open.
        target: a new database for all records except the twins.
        twins: a new database for the twins.
        mark: mark the twins as deleted where they are, if the format supports it: ``tabiya.compact`` removes them
            later.
        dry_run: only report how many records would be affected.
        match: how games are compared: ``exact``, ``near`` or ``moves``; see ``find_duplicates``.
        keep: which of the equal games to keep; see ``find_duplicates``.
        overwrite: replace existing databases.
        strict: raise ``LossError`` if anything would be lost in another format.
        threads: number of threads that read and write.
        progress: called after every batch that was read; the database is read once to find the twins, and once more for
            each new database.
        options: further options for ``tabiya.convert``, for example ``target_format``.
        changes: fields of ``Matching`` to change.

    Raises:
        UsageError: An argument is invalid, a target exists, or the format has no deletion marks.
    """
    matching(match, **changes)  # report errors before a long search
    with opened(source) as database:
        _check_targets(database, [] if dry_run else [target, twins], overwrite=overwrite, options=options)
        if mark and not database.has_origins:
            _check_editable(_STREAM if database.path is None else str(database.path))
        found = find_duplicates(database, match=match, keep=keep, threads=threads, progress=progress, **changes)
        done = remove_records(
            database,
            found.numbers,
            target,
            twins=twins,
            mark=mark,
            dry_run=dry_run,
            overwrite=overwrite,
            strict=strict,
            threads=threads,
            progress=progress,
            options=options,
        )
    return DedupeReport(
        duplicates=found,
        removed=done.removed,
        written=done.written,
        set_aside=done.set_aside,
        marked=done.marked,
    )


def remove_records(
    source: Locations | Database,
    numbers: Iterable[int] | NDArray[np.int64],
    target: Location | None = None,
    *,
    twins: Location | None = None,
    mark: bool = False,
    dry_run: bool = False,
    overwrite: bool = False,
    strict: bool = False,
    threads: int = 1,
    progress: Watcher = None,
    options: Mapping[str, Any] | None = None,
) -> DedupeReport:
    """Do what ``dedupe`` does with twins to the records with these numbers, from a report that was reviewed."""
    chosen = np.unique(np.fromiter(numbers, np.int64))
    written = set_aside = None
    marked: tuple[str, ...] = ()
    arguments: dict[str, Any] = {"overwrite": overwrite, "strict": strict, "threads": threads, "progress": progress}
    arguments |= options or {}
    with opened(source) as database:
        if not dry_run:
            _check_targets(database, [target, twins], overwrite=overwrite, options=options)
            if twins is not None:
                set_aside = convert(database, twins, where=numbered(chosen, among=True), **arguments)
            if target is not None:
                written = convert(database, target, where=numbered(chosen, among=False), **arguments)
            if mark:
                marked = _mark(database, chosen)
    return DedupeReport(duplicates=None, removed=len(chosen), written=written, set_aside=set_aside, marked=marked)


def reviewed_numbers(path: str | PathLike[str], database: Database | None = None) -> list[int]:
    """Return the numbers of the twins in a reviewed report of ``tabiya dedupe --csv``.

    Lines that were removed, or whose role was changed, are no longer twins.

    Args:
        path: the report.
        database: the database of the report; each record must exist, with the players that the report names.

    Raises:
        FormatError: It is not such a report, or belongs to other databases.
    """
    place = Path(path)
    found: dict[int, tuple[str | None, ...]] = {}
    with errors_of(place):
        rows = csv_rows(place.read_text("utf-8-sig"))
        if not {"role", "number"} <= {*(rows.fieldnames or ())}:
            raise FormatError("is not a report of duplicates: it has no columns role and number", path=place)
        try:
            for row in rows:
                if row["role"] == TWIN:
                    found[_number(row["number"])] = (row.get("white"), row.get("black"))
        except (TypeError, ValueError, csv.Error) as error:
            raise FormatError(f"line {rows.line_num} has no number of a record", path=place) from error
    if database is not None:
        _check_reviewed(place, found, database)
    return [*found]


def _number(text: str) -> int:
    number = int(text)
    if not 0 < number <= np.iinfo(np.int64).max:
        raise ValueError(number)
    return number


def _check_reviewed(path: Path, found: Mapping[int, tuple[str | None, ...]], database: Database) -> None:
    """Raise an error for the report of other databases, or of these in another order: numbers would not match."""
    missing = {*found}
    choose = numbered(np.array(sorted(found), np.int64), among=True)
    for records in database.headers():
        chosen = records.select(["number", "white", "black"]).filter(choose(records))
        for number, *names in zip(*(column.to_pylist() for column in chosen.columns), strict=True):
            missing.discard(number)
            if any(
                reviewed is not None and reviewed != (name or "")
                for reviewed, name in zip(found[number], names, strict=True)
            ):
                players = " - ".join(name or "?" for name in found[number])
                raise FormatError(f"record {number} is not {players} here, as in the report; {_AS_BEFORE}", path=path)
    if missing:
        raise FormatError(f"there is no record {min(missing)} here, as in the report; {_AS_BEFORE}", path=path)


def numbered(numbers: NDArray[np.int64], *, among: bool) -> Callable[[pa.RecordBatch], pa.BooleanArray]:
    """Return a filter for records whose number is, or is not, among some."""

    def where(records: pa.RecordBatch) -> pa.BooleanArray:
        own = records["number"].to_numpy()
        places = np.minimum(np.searchsorted(numbers, own), len(numbers) - 1)
        found = numbers[places] == own if len(numbers) else np.zeros(len(own), np.bool_)
        return pa.array(found == among)

    return where


def _check_targets(
    database: Database, targets: Iterable[Location | None], *, overwrite: bool, options: Mapping[str, Any] | None
) -> None:
    """Raise errors that would otherwise occur after a long search."""
    given = [target for target in targets if target is not None]
    paths = [path for target in given if (path := path_of(target)) is not None]
    if given and database.path is None and not database.has_origins:
        raise UsageError(READ_ONCE)
    if len({path.absolute() for path in paths}) < len(paths):
        raise UsageError("cannot receive both the twins and the other records; choose two names", path=paths[0])
    for path in paths:
        refuse_same(database, path)
        with errors_of(path):
            if path.exists() and not overwrite and not (options or {}).get("append"):
                raise UsageError("already exists; overwrite=True replaces it", path=path)


def _mark(database: Database, numbers: NDArray[np.int64]) -> tuple[str, ...]:
    """Mark records as deleted, each in the database it comes from, after checking that all of these support it."""
    numbers_by_file: dict[str, list[int]] = {}
    if database.has_origins:
        sources, own = database.origins(numbers)
        for name, number in zip(sources.to_pylist(), own.tolist(), strict=True):
            numbers_by_file.setdefault(name or _STREAM, []).append(number)
    elif len(numbers):
        numbers_by_file[_STREAM if database.path is None else str(database.path)] = numbers.tolist()
    for name in numbers_by_file:
        _check_editable(name)
    for name, chosen in numbers_by_file.items():
        with edit(name) as editor:
            editor.delete(chosen)
    return tuple(numbers_by_file)


def _check_editable(name: str) -> None:
    if name == _STREAM:
        raise UsageError("nothing can be marked in a stream; write it to a file first")
    path = Path(name)
    if not path.exists():
        raise UsageError(
            "is in an archive or on a server, where nothing can be marked; copy it into a database first", path=path
        )
    if format_of(path).edit is None:
        edit(name).close()  # which reports which formats can
