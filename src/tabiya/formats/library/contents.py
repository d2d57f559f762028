"""An open library: all segments of its manifest, with the data for searches."""

from __future__ import annotations

from contextlib import suppress
from functools import cached_property
from typing import TYPE_CHECKING, Final

from tabiya.errors import CorruptError, UsageError
from tabiya.formats.library.layout import remedy_of
from tabiya.formats.library.manifest import MANIFEST, Manifest, kind_of
from tabiya.formats.library.record_map import RecordMap
from tabiya.formats.library.segment import LibrarySegment
from tabiya.positions.name_table import NameTable

if TYPE_CHECKING:
    from pathlib import Path

_TRIES: Final = 100


class Library:
    """All files of a library, opened together: later changes by writers are not visible, and do no harm."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.segments: tuple[LibrarySegment, ...] = ()
        """Oldest first."""
        self.manifest = Manifest.read(path)
        for _ in range(_TRIES):
            missing = self._open()
            if missing is None:
                return
            former, self.manifest = self.manifest, Manifest.read(path)
            if self.manifest == former:
                what = f"lacks {', '.join(missing) or 'files for a moment'}, which its {MANIFEST} lists"
                raise CorruptError(f"{what}; {remedy_of(*map(kind_of, missing))}", path=path)
        raise UsageError("is constantly being changed by another program; try again later", path=path)

    def _open(self) -> list[str] | None:
        """Open all segments, or return the names of missing files."""
        opened: list[LibrarySegment] = []
        try:
            for entry in self.manifest.segments:
                opened.append(LibrarySegment(self.path, entry))  # noqa: PERF401 - those before an error are closed
        except BaseException as error:
            for segment in opened:
                segment.close()
            if isinstance(error, FileNotFoundError):
                return sorted(name for name in self.manifest.file_names() if not (self.path / name).exists())
            raise
        for place, segment in enumerate(opened):
            segment.later = tuple(
                later
                for later in opened[place + 1 :]
                if segment.entry.numbered or later.first < segment.first + segment.entry.rows
            )
        self.segments = tuple(opened)
        return None

    @cached_property
    def records(self) -> RecordMap:
        """The records in order."""
        records = RecordMap(self.segments)
        if records.first or records.numbers is not None or len(records) != self.manifest.records:
            raise CorruptError(f"its segments do not have all of its {self.manifest.records:,} records", path=self.path)
        return records

    @cached_property
    def names(self) -> NameTable:
        """The names for the numbers in the facts."""
        names = NameTable()
        for segment in self.segments:
            names.add(segment.names())
        if len(names) != self.manifest.names:
            raise CorruptError("has the same name under two numbers", path=self.path)
        return names

    def missing_chess960(self) -> int:
        """Return the number of games of Chess960 that an index of an earlier version of tabiya lacks."""
        lacking = [segment for segment in self.segments if segment.has_positions and not segment.has_chess960]
        return sum(segment.count_chess960() for segment in lacking)

    def files(self) -> tuple[Path, ...]:
        """Return all files of the library, the manifest first."""
        return (self.path / MANIFEST, *sorted(self.path / name for name in self.manifest.file_names()))

    def close(self) -> None:
        """Close the files. May be called twice."""
        for segment in self.segments:
            with suppress(OSError):
                segment.close()
