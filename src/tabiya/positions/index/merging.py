"""Makes one position index of several."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import numpy as np

from tabiya.positions.index.layout import POSITIONS, VARIATIONS
from tabiya.positions.index.writing import IndexWriter

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from tabiya.positions.index.reading import PositionIndex

    Mask: TypeAlias = NDArray[np.bool_]

__all__ = ["merge_indexes"]

_STRETCH_ROWS: Final = 1 << 18
"""Rows of an index that are in memory at a time."""


def merge_indexes(
    indexes: Sequence[PositionIndex],
    positions: Path,
    fences: Path,
    variations: Path | None = None,
    *,
    dropped: Mask | Sequence[Mask | None] | None = None,
    progress: Callable[[float], None] | None = None,
) -> tuple[int, int]:
    """Write one index with the rows of several, whole or not at all; return its rows of main lines and variations.

    Args:
        indexes: what to merge. A game has rows in one of them only, once those to be dropped are gone.
        positions: takes the positions of main lines.
        fences: takes the first key of every group of rows.
        variations: takes the positions of variations, if there is to be such a file.
        dropped: which games to leave out, by their numbers; games beyond a mask stay. One mask for all indexes, or
            one for each.
        progress: is called with the part that is done, from 0 to 1.
    """
    masks = [dropped] * len(indexes) if dropped is None or isinstance(dropped, np.ndarray) else dropped
    total = sum(index.rows + index.variation_rows for index in indexes) or 1
    done = 0
    with IndexWriter(positions, fences, variations) as writer:
        for table in (POSITIONS, VARIATIONS)[: 1 if variations is None else 2]:
            sources = [
                map(partial(_kept, mask), index.stretches(table, _STRETCH_ROWS))
                for index, mask in zip(indexes, masks, strict=True)
            ]
            for words in _merged(sources):
                writer.add(words, table)
                done += len(words)
                if progress is not None:
                    progress(done / total)
        rows = writer.commit()
    return rows[POSITIONS.holds], rows.get(VARIATIONS.holds, 0)


def _merged(sources: Sequence[Iterator[NDArray[np.uint64]]]) -> Iterator[NDArray[np.uint64]]:
    """Yield the rows of all sources in order: always those up to the least of the last keys at hand."""
    nothing = np.empty((0, 2), np.uint64)
    sources = [filter(len, source) for source in sources]
    heads: list[NDArray[Any]] = [next(source, nothing) for source in sources]
    while any(len(head) for head in heads):
        limit = min(head[-1, 0] for head in heads if len(head))
        parts = []
        for place, source in enumerate(sources):
            while len(heads[place]) and heads[place][-1, 0] <= limit:
                parts.append(heads[place])
                heads[place] = next(source, nothing)
            end = int(np.searchsorted(heads[place][:, 0], limit, "right"))
            parts.append(heads[place][:end])
            heads[place] = heads[place][end:]
        words = np.concatenate(parts)
        yield words[np.lexsort((words[:, 1], words[:, 0]))]


def _kept(dropped: Mask | None, words: NDArray[np.uint64]) -> NDArray[np.uint64]:
    if dropped is None:
        return words
    games = words[:, 1] >> np.uint64(32)
    known = games < np.uint64(len(dropped))
    gone = np.zeros(len(words), bool)
    gone[known] = dropped[games[known].astype(np.int64)]
    return words[~gone]
