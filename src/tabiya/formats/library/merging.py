"""Merging of segments."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

import numpy as np
import pyarrow as pa

from tabiya.errors import TabiyaError
from tabiya.files.file_errors import errors_of
from tabiya.formats.library.change import LibraryChange
from tabiya.formats.library.contents import Library
from tabiya.formats.library.indexing import BuiltIndex, MergedIndex
from tabiya.formats.library.manifest import Manifest
from tabiya.formats.library.record_map import RecordMap
from tabiya.formats.library.segment_writer import SegmentWriter
from tabiya.formats.library.statistics import statistics_after
from tabiya.formats.operations.whole_database import Merged

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from tabiya.formats.library.indexing import IndexSource
    from tabiya.formats.library.segment import LibrarySegment

_SHARE: Final = 8
_MOST_SEGMENTS: Final = 4


def first_to_merge(rows: Sequence[int]) -> int:
    """Return the first segment to merge, by sizes: merge while the newer ones are at least an eighth of the next.

    So a record is rewritten only a few times, and there are never more than four segments.
    """
    first = max(0, len(rows) - 1)
    while first > 0 and sum(rows[first:]) * _SHARE >= rows[first - 1]:
        first -= 1
    return min(first, _MOST_SEGMENTS - 1)


def merge_library(path: Path) -> Merged:
    """Merge all segments of a library; see ``tools.merge_segments``."""
    with errors_of(path):
        Manifest.read(path)  # it must exist
        change = LibraryChange(path, append=True)
        try:
            before = len(change.manifest.segments)
            merge_from(change, 0)
            return Merged(before, len(change.manifest.segments))
        finally:
            change.discard()


def merge_by_rule(change: LibraryChange, *, threads: int = 1) -> tuple[str, ...]:
    """Merge after records were added and committed; report a failure as a remark, because it can be done later.

    It is not an error: after an error the caller would repeat the change, and store everything twice.
    """
    try:
        with errors_of(change.path, pa.ArrowException):
            first = first_to_merge([entry.rows for entry in change.manifest.segments])
            merge_from(change, first, threads=threads)
    except TabiyaError as error:
        what = f"everything is in the library, but its segments could not be merged: {error}"
        return (f'{what}; "tabiya library merge {change.path}" does it later',)
    return ()


def _index_of(folder: Path, manifest: Manifest, merged: Sequence[LibrarySegment], threads: int) -> IndexSource:
    """Return the merged index; a new one if some of these include games of Chess960 and others lack them."""
    if len({segment.has_chess960 for segment in merged}) == 1:
        return MergedIndex(merged, threads=threads)
    return BuiltIndex(folder, None, variations=manifest.variations, threads=threads)


def merge_from(change: LibraryChange, first: int, *, threads: int = 1) -> None:
    """Merge the segments from this one on, and commit; do nothing if there are none to merge."""
    manifest = change.manifest
    if len(manifest.segments) - first <= 1:
        return
    library = Library(change.path)
    try:
        merged = library.segments[first:]
        known = sum(entry.names for entry in manifest.segments[:first])
        index = _index_of(change.folder, manifest, merged, threads) if manifest.positions else None
        writer = SegmentWriter(
            change.folder,
            manifest.next,
            library.names,
            known,
            index,
            variations=manifest.variations,
            threads=threads,
        )
        try:
            records = RecordMap(merged)
            for begin, end in records.stretches():
                places = np.arange(begin, end)
                writer.add(records.read(places, "batch"), records.read(places, "origins"))
            entry = writer.finish()
        finally:
            writer.discard()
    finally:
        library.close()
    statistics = manifest.statistics if first else statistics_after(manifest, writer.statistics, whole=True)
    segments = (*manifest.segments[:first], entry)
    change.commit(replace(manifest, segments=segments, next=manifest.next + 1, statistics=statistics))
