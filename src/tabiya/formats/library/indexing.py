"""The position index of a segment: built from batches, or from the indexes of merged segments."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple, Protocol

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


class IndexSizes(NamedTuple):
    """The content of an index."""

    positions: int
    variations: int
    chess960: int | None
    """Number of games of Chess960; None if it lacks them."""


class IndexSource(Protocol):
    """Builds the index of a segment: receives all of its records, then writes."""

    def add(self, batch: GameBatch) -> None:
        """Process the next records."""

    def finish(self, files: IndexFiles, numbers: NDArray[np.integer[Any]], watch: Watch | None = None) -> IndexSizes:
        """Write the files.

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
        chess960: whether to include games of Chess960.
        threads: number of threads that replay games and sort.
    """

    def __init__(
        self, folder: Path, first: int | None, *, variations: bool, chess960: bool = True, threads: int = 1
    ) -> None:
        self._is_local = first is None
        self._chess960 = chess960
        self._builder = IndexBuilder(
            first or 0, memory=_MEMORY, threads=threads, variations=variations, chess960=chess960, folder=folder
        )

    def add(self, batch: GameBatch) -> None:
        """Replay the next records."""
        self._builder.add(batch)

    def finish(self, files: IndexFiles, numbers: NDArray[np.integer[Any]], watch: Watch | None = None) -> IndexSizes:
        """Sort and write all positions."""
        if not self._is_local:
            counts = self._builder.finish(*files, watch=watch)
            return IndexSizes(counts.rows, counts.variation_rows, counts.chess960 if self._chess960 else None)
        local = IndexFiles(*(path and path.with_name(f"local-{path.name}") for path in files))  # type: ignore[arg-type]
        counts = self._builder.finish(*local)
        try:
            rows, branches = _renumbered(local, files, numbers, watch)
            return IndexSizes(rows, branches, counts.chess960 if self._chess960 else None)
        finally:
            for path in filter(None, local):
                path.unlink()

    def close(self) -> None:
        """Discard everything that is not written."""
        self._builder.close()


def _renumbered(
    local: IndexFiles, files: IndexFiles, numbers: NDArray[np.integer[Any]], watch: Watch | None
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
    """The index of merged segments, without the rows that later segments hide.

    All of them include games of Chess960, or none does.
    """

    def __init__(self, segments: Sequence[LibrarySegment], *, threads: int = 1) -> None:
        self._segments = segments
        self._threads = threads

    def add(self, batch: GameBatch) -> None:
        """Do nothing: the positions are already stored."""

    def finish(
        self,
        files: IndexFiles,
        numbers: NDArray[np.integer[Any]],  # noqa: ARG002 - games keep theirs
        watch: Watch | None = None,
    ) -> IndexSizes:
        """Write the rows of all indexes in order."""
        dropped = []
        for segment in self._segments:
            removed = None
            if segment.hidden is not None:
                removed = np.zeros(segment.end, np.bool_)
                removed[segment.numbers_of(np.flatnonzero(segment.hidden))] = True
            dropped.append(removed)
        indexes = [segment.index for segment in self._segments]
        rows, branches = merge_indexes(indexes, *files, dropped=dropped, threads=self._threads, watch=watch)
        complete = all(segment.has_chess960 for segment in self._segments)
        chess960 = sum(segment.entry.chess960 or 0 for segment in self._segments) if complete else None
        return IndexSizes(rows, branches, chess960)

    def close(self) -> None:
        """Do nothing: the caller owns the segments."""
