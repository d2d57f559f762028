"""The position index of a segment: built from batches, or from the indexes of merged segments."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple, Protocol

import numpy as np

from tabiya.positions.index import IndexBuilder, IndexWriter, PositionIndex, merge_indexes
from tabiya.positions.index.layout import POSITIONS, VARIATIONS

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from tabiya.formats.library.segment import LibrarySegment
    from tabiya.game import GameBatch
    from tabiya.positions.index.writing import Watch

_MEMORY: Final = 256 << 20
_LOW: Final = np.uint64(0xFFFFFFFF)
_HIGH: Final = np.uint64(32)


class IndexFiles(NamedTuple):
    """Paths of the files of an index."""

    positions: Path
    fences: Path
    variations: Path | None


class IndexSource(Protocol):
    """Builds the index of a segment: receives all of its records, then writes."""

    def add(self, batch: GameBatch) -> None:
        """Process the next records."""

    def finish(self, files: IndexFiles, numbers: NDArray[np.int64], watch: Watch | None = None) -> tuple[int, int]:
        """Write the files; return the numbers of positions of main lines and of variations.

        ``numbers`` contains the number of library records before each record of the segment; ``watch`` is that of
        ``IndexWriter``.
        """

    def close(self) -> None:
        """Free memory and temporary files. May be called twice."""


class BuiltIndex:
    """An index of the records that are added.

    Args:
        folder: folder for temporary files.
        first: number of records before them in the library, if they are consecutive; else None.
        variations: whether to include positions of variations.
        threads: number of threads that replay games and sort.
    """

    def __init__(self, folder: Path, first: int | None, *, variations: bool, threads: int = 1) -> None:
        self._is_local = first is None
        self._builder = IndexBuilder(first or 0, memory=_MEMORY, threads=threads, variations=variations, folder=folder)

    def add(self, batch: GameBatch) -> None:
        """Replay the next records."""
        self._builder.add(batch)

    def finish(self, files: IndexFiles, numbers: NDArray[np.int64], watch: Watch | None = None) -> tuple[int, int]:
        """Sort and write all positions."""
        if not self._is_local:
            counts = self._builder.finish(*files, watch=watch)
            return counts.rows, counts.variation_rows
        local = IndexFiles(*(path and path.with_name(f"local-{path.name}") for path in files))  # type: ignore[arg-type]
        self._builder.finish(*local)
        try:
            return _renumbered(local, files, numbers, watch)
        finally:
            for path in filter(None, local):
                path.unlink()

    def close(self) -> None:
        """Discard everything that is not written."""
        self._builder.close()


def _renumbered(
    local: IndexFiles, files: IndexFiles, numbers: NDArray[np.int64], watch: Watch | None
) -> tuple[int, int]:
    """Copy an index; each game gets the number at its index. The order is unchanged, because these ascend."""
    high = numbers.astype(np.uint64) << _HIGH
    with PositionIndex(*local) as index, IndexWriter(*files, watch=watch) as writer:
        for table in (POSITIONS, VARIATIONS)[: 1 if files.variations is None else 2]:
            writer.write(table, (_with_numbers(words, high) for words in index.stretches(table)))
        rows = writer.commit()
    return rows[POSITIONS.holds], rows.get(VARIATIONS.holds, 0)


def _with_numbers(words: NDArray[np.uint64], high: NDArray[np.uint64]) -> NDArray[np.uint64]:
    words[:, 1] = words[:, 1] & _LOW | high[words[:, 1] >> _HIGH]
    return words


class MergedIndex:
    """The index of merged segments, without the rows that later segments hide."""

    def __init__(self, segments: Sequence[LibrarySegment], *, threads: int = 1) -> None:
        self._segments = segments
        self._threads = threads

    def add(self, batch: GameBatch) -> None:
        """Do nothing: the positions are already stored."""

    def finish(
        self,
        files: IndexFiles,
        numbers: NDArray[np.int64],  # noqa: ARG002 - games keep theirs
        watch: Watch | None = None,
    ) -> tuple[int, int]:
        """Write the rows of all indexes in order."""
        dropped = []
        for segment in self._segments:
            removed = None
            if segment.hidden is not None:
                removed = np.zeros(segment.end, np.bool_)
                removed[segment.numbers_of(np.flatnonzero(segment.hidden))] = True
            dropped.append(removed)
        indexes = [segment.index for segment in self._segments]
        return merge_indexes(indexes, *files, dropped=dropped, threads=self._threads, watch=watch)

    def close(self) -> None:
        """Do nothing: the caller owns the segments."""
