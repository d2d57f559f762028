"""Merges Polyglot books key by key: only the keys of their positions are needed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from tabiya.books.polyglot.book import PolyglotBook
from tabiya.books.polyglot.records import RECORD, RECORD_BYTES
from tabiya.books.polyglot.stored import StoredKeys
from tabiya.books.polyglot.writer import fit_weights, sort_records, write_records
from tabiya.books.report import Written
from tabiya.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from tabiya.books.book import Book

_BLOCK_RECORDS: Final = 1 << 20


def combine(parts: Sequence[NDArray[Any]]) -> NDArray[Any]:
    """Return the records of all parts, sorted; equal moves of a position become one, with the sum of their weights.

    Learning data is that of the first record that has any.
    """
    records = np.concatenate(parts) if parts else np.empty(0, RECORD)
    if len(records) == 0:
        return records.astype(RECORD)
    records = records[np.lexsort((records["move"], records["key"]))]
    keys, moves = records["key"].astype(np.uint64), records["move"].astype(np.uint16)
    begins = np.flatnonzero(np.concatenate(([True], (keys[1:] != keys[:-1]) | (moves[1:] != moves[:-1]))))
    merged = records[begins].astype(RECORD)
    weights = np.add.reduceat(records["weight"].astype(np.int64), begins)
    merged["weight"] = fit_weights(keys[begins], weights)
    learned = records["learning"].astype(np.uint32)
    if learned.any():
        places = np.where(learned != 0, np.arange(len(learned)), len(learned) - 1)
        merged["learning"] = learned[np.minimum.reduceat(places, begins)] * np.logical_or.reduceat(learned != 0, begins)
    return sort_records(merged)


def records_of(book: PolyglotBook) -> NDArray[Any]:
    """Return all records after the header, in memory."""
    return np.frombuffer(book.data[len(book.header) : book.records * RECORD_BYTES], RECORD)


def _polyglot(book: Book) -> PolyglotBook:
    if not isinstance(book, PolyglotBook):
        raise UsageError("is not a Polyglot book", path=book.path)
    return book


def merge_polyglot(books: Sequence[Book], target: Path, *, overwrite: bool = False, strict: bool = False) -> Written:  # noqa: ARG001 - nothing is lost
    """Write a book with the records of all books. Weights of equal moves of a position add up.

    Memory holds about a million records of each source at a time, and all those of an unsorted book. The header is that
    of the first book that has one.
    """
    known = [_polyglot(book) for book in books]
    header = next((book.header for book in known if book.header), b"")
    sources = [_sorted_data(book) for book in known]
    positions = 0

    def blocks() -> Iterator[NDArray[Any]]:
        nonlocal positions
        for block in _merged(sources):
            positions += len(np.unique(block["key"]))
            yield block

    moves = write_records(target, blocks(), header=header, overwrite=overwrite)
    return Written(positions, moves)


class _Sorted(NamedTuple):
    """A book with ascending keys, with or without a header."""

    stored: StoredKeys
    first: int
    """The index of the first record after the header."""

    @property
    def records(self) -> int:
        return self.stored.count

    def part(self, begin: int, end: int) -> NDArray[Any]:
        return np.frombuffer(self.stored.part(begin, end), RECORD)


def _sorted_data(book: PolyglotBook) -> _Sorted:
    """Return the book as it is; an unsorted one is sorted in memory."""
    _, unsorted, _ = book.stored.scan()
    if not unsorted:
        return _Sorted(book.stored, len(book.header) // RECORD_BYTES)
    records = records_of(book)
    return _Sorted(StoredKeys(sort_records(records[records["key"] != 0]).tobytes()), 0)  # key 0 is not a position


def _merged(sources: Sequence[_Sorted]) -> Iterator[NDArray[Any]]:
    """Yield blocks of merged records. All records of a key are in the same block."""
    places = [source.first for source in sources]
    while any(place < source.records for place, source in zip(places, sources, strict=True)):
        # The largest key that is covered by the next block of every source.
        limit = min(
            (
                source.stored.key(place + _BLOCK_RECORDS - 1)
                for place, source in zip(places, sources, strict=True)
                if place + _BLOCK_RECORDS <= source.records
            ),
            default=None,
        )
        ends = [
            source.records
            if limit is None or limit == (1 << 64) - 1
            else max(place, source.stored.lower_bound(limit + 1))
            for place, source in zip(places, sources, strict=True)
        ]
        yield combine([source.part(*span) for source, *span in zip(sources, places, ends, strict=True)])
        places = ends
