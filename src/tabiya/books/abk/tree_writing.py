"""Arranges the moves of a tree as in a newly built Arena book: depth-first, the first reply directly after its move."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from tabiya.books.abk.records import FIRST_RECORD, RECORD, Header
from tabiya.files.transaction import AtomicFile

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray


def plies_of(parents: NDArray[np.int32]) -> NDArray[np.int32]:
    """Return the number of moves before each; O(moves times longest line)."""
    plies = np.zeros(len(parents), np.int32)
    above = parents
    while (deeper := above >= 0).any():
        plies += deeper
        above = np.where(deeper, parents[above], -1)
    return plies


def lay_out(parents: NDArray[np.int32], records: NDArray[Any]) -> NDArray[Any]:
    """Return the records in file order, with their links; alternatives keep their order.

    ``parents`` contains the index of the previous move, -1 for first moves. Linear, except for a sort and ``plies_of``.
    """
    count = len(parents)
    plies = plies_of(parents)
    levels = [np.flatnonzero(plies == ply) for ply in range(int(plies.max()) + 1 if count else 0)]
    sizes = np.ones(count, np.int64)
    for level in reversed(levels[1:]):
        np.add.at(sizes, parents[level], sizes[level])
    order = np.argsort(parents, kind="stable")  # alternatives side by side
    same = parents[order][1:] == parents[order][:-1]
    before = np.cumsum(sizes[order]) - sizes[order]
    begins = np.maximum.accumulate(np.where(np.concatenate(([True], ~same)), np.arange(count), 0)) if count else order
    offsets = np.empty(count, np.int64)
    offsets[order] = before - before[begins]
    places = offsets.copy()
    for level in levels[1:]:
        places[level] += places[parents[level]] + 1
    laid: NDArray[Any] = np.empty(count, RECORD)
    following = np.full(count, -1, np.int64)
    following[order[:-1][same]] = places[order[1:][same]] + FIRST_RECORD
    linked = records.astype(RECORD, copy=True)
    linked["reply"] = np.where(sizes > 1, places + FIRST_RECORD + 1, -1)
    linked["next"] = following
    laid[places] = linked
    return laid


def write_tree(
    path: Path, header: Header, parents: NDArray[np.int32], records: NDArray[Any], *, overwrite: bool = False
) -> None:
    """Write a book; the file appears when it is complete."""
    target = AtomicFile(path, overwrite=overwrite)
    try:
        target.stream.write(header.encode())
        target.stream.write(lay_out(parents, records).tobytes())
        target.commit()
    finally:
        target.discard()
