"""Several Polyglot books in one, key by key: their positions need not be known, only their keys."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from tabiya.books.polyglot.book import PolyglotBook
from tabiya.books.polyglot.records import RECORD_BYTES
from tabiya.books.polyglot.writer import RECORD, fit_weights, sort_records, write_records
from tabiya.books.report import Written
from tabiya.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from tabiya.books.book import Book

__all__ = ["combine", "merge_polyglot"]

_BLOCK_RECORDS: Final = 1 << 20


def combine(parts: Sequence[NDArray[Any]]) -> NDArray[Any]:
    """The records of all parts, sorted; equal moves of a position become one, with the sum of their weights.

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


def _polyglot(book: Book) -> PolyglotBook:
    if not isinstance(book, PolyglotBook):
        raise UsageError("is not a Polyglot book", path=book.path)
    return book


def merge_polyglot(books: Sequence[Book], target: Path, *, overwrite: bool = False) -> Written:
    """Write a book with the records of all books, which must be sorted. Equal moves of a position add up their weights.

    Memory holds about a million records of each source at a time. A header is taken from the first book that has one.
    """
    sources = [_polyglot(book) for book in books]
    header = next((book.header for book in sources if book.header), b"")
    positions = 0

    def blocks() -> Iterator[NDArray[Any]]:
        nonlocal positions
        for block in _merged(sources):
            positions += len(np.unique(block["key"]))
            yield block

    moves = write_records(target, blocks(), header=header, overwrite=overwrite)
    return Written(positions, moves)


def _merged(sources: Sequence[PolyglotBook]) -> Iterator[NDArray[Any]]:
    """Blocks of merged records. All records of a key are in the same block."""
    places = [len(book.header) // RECORD_BYTES for book in sources]
    while any(place < book.records for place, book in zip(places, sources, strict=True)):
        # The largest key up to which the next block of every source reaches.
        limit = min(
            (
                _key(book, place + _BLOCK_RECORDS - 1)
                for place, book in zip(places, sources, strict=True)
                if place + _BLOCK_RECORDS <= book.records
            ),
            default=None,
        )
        ends = [
            book.records if limit is None or limit == (1 << 64) - 1 else max(place, book.lower_bound(limit + 1))
            for place, book in zip(places, sources, strict=True)
        ]
        blocks = zip(sources, places, ends, strict=True)
        yield combine(
            [np.frombuffer(book.data[RECORD_BYTES * begin : RECORD_BYTES * end], RECORD) for book, begin, end in blocks]
        )
        places = ends


def _key(book: PolyglotBook, index: int) -> int:
    begin = RECORD_BYTES * index
    return int.from_bytes(book.data[begin : begin + 8], "big")
