"""Writing Polyglot books: sorted by key, descending weight, and move, so that equal books have equal bytes."""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING, Any

import numpy as np

from tabiya.books.polyglot import POLYGLOT
from tabiya.books.polyglot.records import MOST_WEIGHT, RECORD, encode_move
from tabiya.books.writer import BookWriter
from tabiya.files.transaction import AtomicFile, refuse_existing

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from numpy.typing import NDArray

    from tabiya.books.book_format import BookFormat
    from tabiya.books.entry import Entry
    from tabiya.chess import Position


def fit_weights(keys: NDArray[np.uint64], weights: NDArray[np.int64]) -> NDArray[np.uint16]:
    """Return weights of sorted keys as 16 bits: if one is too large, all of its position are scaled by the same factor.

    A weight above 0 stays above 0.
    """
    if len(weights) == 0 or weights.max() <= MOST_WEIGHT:
        return weights.astype(np.uint16)
    begins = np.flatnonzero(np.concatenate(([True], keys[1:] != keys[:-1])))
    largest = np.repeat(np.maximum.reduceat(weights, begins), np.diff(np.append(begins, len(keys))))
    shrunk = np.maximum(weights * MOST_WEIGHT // np.maximum(largest, 1), weights > 0)
    return np.where(largest > MOST_WEIGHT, shrunk, weights).astype(np.uint16)


def sort_records(records: NDArray[Any]) -> NDArray[Any]:
    """Return records in file order."""
    return records[np.lexsort((records["move"], -records["weight"].astype(np.int32), records["key"]))]


def write_records(path: Path, blocks: Iterable[NDArray[Any]], *, header: bytes = b"", overwrite: bool = False) -> int:
    """Write blocks of sorted records; the file appears when it is complete. Return the number of records."""
    target = AtomicFile(path, overwrite=overwrite)
    count = 0
    try:
        target.stream.write(header)
        for block in blocks:
            target.stream.write(block.astype(RECORD, copy=False).tobytes())
            count += len(block)
        target.commit()
    finally:
        target.discard()
    return count


class PolyglotWriter(BookWriter):
    """Collects records, 16 bytes each, and sorts them at the end."""

    header: bytes = b""
    """Records with key 0 to write first, taken from another book."""

    def __init__(
        self, path: Path, format: BookFormat = POLYGLOT, *, overwrite: bool = False, strict: bool = False
    ) -> None:
        super().__init__(path, format, overwrite=overwrite, strict=strict)
        refuse_existing(path, overwrite=overwrite)
        self._keys, self._moves, self._weights, self._learning = array("Q"), array("H"), array("q"), array("L")

    def _add(self, position: Position, entries: tuple[Entry, ...]) -> None:
        for entry in entries:
            self._keys.append(position.key)
            self._moves.append(encode_move(entry.move))
            self._weights.append(entry.weight)
            self._learning.append((entry.learning or 0) & 0xFFFFFFFF)

    def _write(self) -> None:
        keys = np.frombuffer(self._keys, np.uint64)
        order = np.argsort(keys, kind="stable")
        records = np.empty(len(keys), RECORD)
        records["key"] = keys[order]
        records["move"] = np.frombuffer(self._moves, np.uint16)[order]
        weights = np.frombuffer(self._weights, np.int64)[order]
        records["weight"] = fit_weights(keys[order], weights)
        records["learning"] = np.array(self._learning, np.uint32)[order]
        if len(weights) and weights.max() > MOST_WEIGHT:
            self._lose(
                "weights",
                "weights above 65535, scaled down with the other weights of their position",
                int((weights > MOST_WEIGHT).sum()),
            )
        self._refuse_losses()
        write_records(self._path, [sort_records(records)], header=self.header, overwrite=self._overwrite)
