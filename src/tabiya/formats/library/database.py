"""A library open for reading."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tabiya.errors import UsageError
from tabiya.files.file_errors import errors_of
from tabiya.files.parallel import ordered_map
from tabiya.formats.database import Database, Piece
from tabiya.formats.library import LIBRARY
from tabiya.formats.library.contents import Library
from tabiya.formats.library.statistics import add_facts
from tabiya.formats.origins import Origin
from tabiya.game import GameBatch

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from numpy.typing import NDArray

    from tabiya.formats.library.manifest import SourceEntry
    from tabiya.formats.operations.summary import Summary
    from tabiya.positions.searchable import Searchable


class LibraryDatabase(Database):
    """The records of a library as they were when it was opened, regardless of later changes."""

    def __init__(self, path: Path) -> None:
        super().__init__(path, LIBRARY)
        with errors_of(path):
            self._library = Library(path)
        self._done = 0

    @property
    def files(self) -> tuple[Path, ...]:
        """The folder, its manifest, and the files of all segments."""
        return (self._library.path, *self._library.files())

    @property
    def library(self) -> Library:
        """The segments of the library."""
        return self._library

    @property
    def sources(self) -> tuple[SourceEntry, ...]:
        """The databases whose records were added."""
        return self._library.manifest.sources

    @property
    def progress(self) -> float | None:
        """Fraction of the records that have been read."""
        return self._done / self._count() if self._count() else None

    def details(self) -> dict[str, str | int | float]:
        """Return the numbers of segments, positions and sources, and the space used by each part."""
        manifest = self._library.manifest
        segments = manifest.segments
        facts: dict[str, str | int | float] = {"segments": len(segments)}
        if len(segments) > 1:
            facts["records of the segments"] = " + ".join(f"{segment.rows:,}" for segment in segments)
        if manifest.positions:
            facts["positions"] = sum(segment.positions or 0 for segment in segments)
        if manifest.variations:
            facts["positions in variations"] = sum(segment.variations or 0 for segment in segments)
        if missing := self._library.missing_chess960():
            facts["games of Chess960 without an index"] = f"{missing:,} (tabiya library rebuild adds them)"
        facts["names"] = manifest.names
        kinds = ("games", "positions", "variations")
        sizes = {kind: sum(each.files[kind].bytes for each in segments if kind in each.files) for kind in kinds}
        facts |= {f"bytes of {kind}": size for kind, size in sizes.items() if size}
        if manifest.sources:
            facts["sources"] = len(manifest.sources)
        return facts

    def summarize(self, summary: Summary) -> bool:
        """Complete a summary from facts and statistics; libraries of earlier versions contain no statistics."""
        self._check_open()
        return add_facts(summary, self._library)

    def searchable(self) -> Searchable | None:
        """Return the data for searches: facts, main lines and, if there is one, the index."""
        self._check_open()
        return self._library

    def origin(self, number: int) -> Origin:
        """Return the origin of a record, by its number in the library."""
        self._check_open()
        if not 1 <= number <= len(self):
            raise UsageError(f"there is no record {number}; the library has {len(self)}", path=self._path)
        sources, numbers = self.origins(np.array([number], np.int64))
        return Origin(sources[0].as_py(), int(numbers[0]))

    def origins(self, numbers: NDArray[np.int64]) -> tuple[pa.DictionaryArray, NDArray[np.int64]]:
        """Return the databases that some records come from, by their numbers, and their numbers there."""
        self._check_open()
        with errors_of(self._path):
            found = self._library.records.read(numbers - 1, "origins")
        known = pc.coalesce(found["source_number"], pa.array(numbers))
        return found["source"].dictionary_encode(), known.to_numpy()

    def _count(self) -> int:
        return self._library.manifest.records

    def _read(self, start: int, stop: int) -> GameBatch:
        return self._take(np.arange(start, stop))

    def _take(self, places: NDArray[np.int64]) -> GameBatch:
        return GameBatch(self._library.records.read(places, "batch")) if len(places) else GameBatch.empty()

    def _take_headers(self, places: NDArray[np.int64]) -> pa.RecordBatch:
        return self._library.records.read(places, "headers") if len(places) else super()._take_headers(places)

    def _batches(self, threads: int) -> Iterator[GameBatch]:
        return self._stretches(lambda stretch: self._read(*stretch), threads)

    def _headers(self, threads: int) -> Iterator[pa.RecordBatch]:
        return self._stretches(lambda it: self._library.records.read(np.arange(*it), "headers"), threads)

    def _stretches(self, read: Callable[[tuple[int, int]], Piece], threads: int) -> Iterator[Piece]:
        stretches = self._library.records.stretches()
        for (_, end), piece in zip(stretches, ordered_map(read, stretches, threads), strict=True):
            self._done = end
            yield piece

    def _close(self) -> None:
        self._library.close()
