"""Merges position indexes."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from functools import partial, reduce
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from tabiya.files.parallel import ordered_map
from tabiya.positions.index.layout import POSITIONS, VARIATIONS
from tabiya.positions.index.sort_kernel import drop_games, merge_rows
from tabiya.positions.index.writing import IndexWriter

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from tabiya.positions.index.reading import PositionIndex
    from tabiya.positions.index.writing import Watch

    Mask: TypeAlias = NDArray[np.bool_]


def merge_indexes(
    indexes: Sequence[PositionIndex],
    positions: Path,
    fences: Path,
    variations: Path | None = None,
    *,
    dropped: Mask | Sequence[Mask | None] | None = None,
    threads: int = 1,
    progress: Callable[[float], None] | None = None,
    watch: Watch | None = None,
) -> tuple[int, int]:
    """Write one index with the rows of several, all files or none; return its rows of main lines and variations.

    Args:
        indexes: the indexes to merge. After dropping, a game has rows in only one of them.
        positions: path for the positions of main lines.
        fences: path for the first key of every group of rows.
        variations: path for the positions of variations, if such a file is to be written.
        dropped: which games to leave out, by their numbers; games beyond a mask stay. One mask for all indexes, or one
            for each.
        threads: number of threads that decode, sort and encode.
        progress: called with the part that is done, from 0 to 1.
        watch: that of ``IndexWriter``.
    """
    masks = [dropped] * len(indexes) if dropped is None or isinstance(dropped, np.ndarray) else dropped
    tables = (POSITIONS, VARIATIONS)[: 1 if variations is None else 2]
    done = _Progress(progress, sum(index.rows_of(table) for index in indexes for table in tables))
    with IndexWriter(positions, fences, variations, threads=threads, watch=watch) as writer:
        for table in tables:
            sources = [
                map(partial(_kept, mask), done.counted(index.stretches(table, threads=threads)))
                for index, mask in zip(indexes, masks, strict=True)
            ]
            writer.write(table, ordered_map(partial(reduce, _merged), _by_ranges(sources), threads))
        rows = writer.commit()
    return rows[POSITIONS.holds], rows.get(VARIATIONS.holds, 0)


class _Progress:
    """Counts rows that are read and reports the progress."""

    def __init__(self, report: Callable[[float], None] | None, total: int) -> None:
        self._report = report
        self._total = total
        self._done = 0

    def counted(self, stretches: Iterator[NDArray[np.uint64]]) -> Iterator[NDArray[np.uint64]]:
        for words in stretches:
            yield words
            self._done += len(words)
            if self._report is not None:
                self._report(self._done / self._total)


def _by_ranges(sources: Sequence[Iterator[NDArray[np.uint64]]]) -> Iterator[list[NDArray[np.uint64]]]:
    """Yield the rows of all sources by ranges: each time those up to the least of the last rows available."""
    nothing = np.empty((0, 2), np.uint64)
    sources = [filter(len, source) for source in sources]
    heads: list[NDArray[np.uint64]] = [next(source, nothing) for source in sources]
    while any(map(len, heads)):
        limit = min(tuple(head[-1].tolist()) for head in heads if len(head))
        ends = [_rows_up_to(limit, head) for head in heads]
        yield [head[:end] for head, end in zip(heads, ends, strict=True) if end]
        heads = [
            head[end:] if end < len(head) else next(source, nothing)
            for head, end, source in zip(heads, ends, sources, strict=True)
        ]


def _rows_up_to(limit: tuple[int, ...], rows: NDArray[np.uint64]) -> int:
    """Return how many rows come before or equal a row. A single key may have more rows than fit into memory.

    ``np.searchsorted`` would copy the column.
    """
    order, load = map(np.uint64, limit)
    begin, end = bisect_left(rows[:, 0], order), bisect_right(rows[:, 0], order)
    return bisect_right(rows[:, 1], load, begin, end)


def _merged(one: NDArray[np.uint64], two: NDArray[np.uint64]) -> NDArray[np.uint64]:
    out = np.empty((len(one) + len(two), 2), np.uint64)
    return out[: merge_rows(one, two, out)]


def _kept(dropped: Mask | None, words: NDArray[np.uint64]) -> NDArray[np.uint64]:
    return words if dropped is None else words[: drop_games(words, dropped.view(np.uint8))]
