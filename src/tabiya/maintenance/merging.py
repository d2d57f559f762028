"""Merge many databases into one: without duplicates, and in order."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tabiya.errors import UsageError
from tabiya.files.file_errors import errors_of
from tabiya.files.transaction import refuse_existing
from tabiya.formats.database import READ_ONCE
from tabiya.formats.open_and_create import opened, path_of
from tabiya.formats.operations.conversion import convert, refuse_same
from tabiya.maintenance.deduplication import numbered
from tabiya.maintenance.duplicates import find_duplicates, matching
from tabiya.maintenance.sort_keys import sort_fields
from tabiya.maintenance.sorting import bytes_of_memory, sorted_database

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from tabiya.formats import ConversionReport, Database, Format
    from tabiya.formats.open_and_create import Location, Locations
    from tabiya.formats.progress import Watcher
    from tabiya.maintenance.duplicate_groups import Duplicates


@dataclass(frozen=True, slots=True, kw_only=True)
class MergeReport:
    """The result of a merge."""

    written: ConversionReport
    duplicates: Duplicates | None
    """The duplicates found and removed; None if no search was requested."""

    @property
    def clean(self) -> bool:
        """Whether there were neither losses nor problems."""
        return self.written.clean

    def as_dict(self) -> dict[str, Any]:
        """Return the report for JSON."""
        found = None if self.duplicates is None else self.duplicates.as_dict()
        return self.written.as_dict() | {"duplicates": found}


def merge(
    sources: Locations | Database,
    target: Location,
    *,
    dedupe: str | None = None,
    keep: str | Iterable[str] = ("annotations", "longer", "rated", "first"),
    by: str | Iterable[str] | None = None,
    memory: int | None = None,
    source_format: str | Format | None = None,
    threads: int = 1,
    overwrite: bool = False,
    progress: Watcher = None,
    source_options: Mapping[str, Any] | None = None,
    **options: Any,
) -> MergeReport:
    """Write the records of many databases into one; all may have any format.

    Args:
        sources: what ``tabiya.open`` takes: a list of files, a pattern, a folder; or an open database.
        target: what ``tabiya.create`` takes; never one of the files that are read.
        dedupe: remove duplicate games, ``exact``, ``near`` or ``moves``; see ``find_duplicates``. The sources are read
            twice then.
        keep: which of the equal games to keep; see ``find_duplicates``.
        by: fields to sort by; see ``tabiya.sort``. By default records are in the order of the sources.
        memory: approximate memory for sorting, in megabytes.
        source_format: a format or its name, instead of detecting it.
        threads: number of threads that read and write.
        overwrite: replace an existing target.
        progress: called while records are read and written.
        source_options: options for reading.
        options: those of ``tabiya.convert``: ``strict``, ``target_format``, options for writing.

    Raises:
        UsageError: An argument is invalid, the target exists, or it is one of the sources.
    """
    bytes_of_memory(memory)  # report errors before a long search
    if dedupe is not None:
        matching(dedupe)
    if by is not None:
        sort_fields(by)
    path = path_of(target)
    with opened(sources, format=source_format, **(source_options or {})) as database:
        if path is not None and not options.get("append"):
            refuse_same(database, path)
            with errors_of(path):
                refuse_existing(path, overwrite=overwrite)
        found, merged = None, database
        if dedupe is not None:
            if database.path is None and not database.has_origins:
                raise UsageError(READ_ONCE)
            found = find_duplicates(database, match=dedupe, keep=keep, threads=threads, progress=progress)
            merged = database.filter(numbered(found.numbers, among=False))
        if by is not None:
            merged = sorted_database(merged, by, memory=memory, progress=progress)
        report = convert(merged, target, threads=threads, overwrite=overwrite, progress=progress, **options)
    return MergeReport(written=report, duplicates=found)
