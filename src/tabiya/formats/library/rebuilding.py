"""Rebuild a library from its games: filters, main lines, names and positions, whatever the state of their files."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from tabiya.errors import CorruptError
from tabiya.files.file_errors import errors_of
from tabiya.formats.library.change import LibraryChange
from tabiya.formats.library.indexing import BuiltIndex
from tabiya.formats.library.manifest import Manifest
from tabiya.formats.library.record_map import RecordMap
from tabiya.formats.library.segment import LibrarySegment
from tabiya.formats.library.segment_writer import SegmentWriter
from tabiya.formats.library.statistics import statistics_after
from tabiya.formats.progress import Progress
from tabiya.positions.name_table import NameTable

if TYPE_CHECKING:
    from collections import Counter
    from pathlib import Path

    from numpy.typing import NDArray

    from tabiya.formats.library.manifest import SegmentEntry
    from tabiya.formats.progress import Watcher


def rebuild_library(path: Path, *, threads: int = 1, progress: Watcher = None) -> int:
    """Make one segment of all games, and derive everything else from them; return the number of records."""
    with errors_of(path, pa.ArrowException), ExitStack() as stack:
        Manifest.read(path, repair=True)  # it must exist
        change = LibraryChange(path, append=True, repair=True)
        stack.callback(change.discard)
        manifest = change.manifest
        if not manifest.segments:
            return 0
        segments = []
        for entry in manifest.segments:
            segments.append(GamesOfSegment(path, entry))
            stack.callback(segments[-1].close)
        entry, counted = _written(change, RecordMap(segments), threads, progress)
        for segment in segments:
            segment.close()
        statistics = statistics_after(manifest, counted, whole=True)
        change.commit(replace(manifest, segments=(entry,), next=manifest.next + 1, statistics=statistics))
        return manifest.records


def _written(
    change: LibraryChange, records: RecordMap, threads: int, progress: Watcher
) -> tuple[SegmentEntry, Counter[str]]:
    """Write all records as one segment; return it with the statistics of the library."""
    manifest, folder = change.manifest, change.folder
    if records.first or records.numbers is not None or len(records) != manifest.records:
        what = f"the files of its games do not have all of its {manifest.records:,} records"
        raise CorruptError(f"{what}; nothing was changed", path=change.path)
    index = BuiltIndex(folder, 0, variations=manifest.variations, threads=threads) if manifest.positions else None
    writer = SegmentWriter(folder, manifest.next, NameTable(), 0, index, variations=manifest.variations)
    try:
        for begin, end in records.stretches():
            places = np.arange(begin, end)
            writer.add(records.read(places, "batch"), records.read(places, "origins"))
            if progress is not None:
                progress(Progress(end, end / manifest.records))
        return writer.finish(), writer.statistics
    finally:
        writer.discard()


class GamesOfSegment(LibrarySegment):
    """Only the games of a segment: its other files may be damaged or missing."""

    KINDS = frozenset({"games"})

    @cached_property
    def numbers(self) -> NDArray[np.int32] | None:
        """Number of records before each of its rows, according to the games; None if they are consecutive."""
        if not self.entry.numbered:
            return None
        with self._reading("games"):
            parts = [self.games.table(group, ["number"])["number"].to_numpy() for group in range(self.games.groups)]
        return self._in_order((np.concatenate(parts) - 1).astype(np.int32), "games")
