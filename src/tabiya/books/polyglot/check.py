"""Checks Polyglot books, and repairs them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from tabiya.books.polyglot.book import PolyglotBook
from tabiya.books.polyglot.merge import combine, records_of
from tabiya.books.polyglot.records import RECORD_BYTES, header_text, legal_move
from tabiya.books.polyglot.writer import sort_records, write_records
from tabiya.books.report import BookProblem
from tabiya.books.walk import walk_book
from tabiya.books.writer import lost
from tabiya.errors import CorruptError
from tabiya.files.file_errors import errors_of
from tabiya.formats.losses import LossReport

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from numpy.typing import NDArray

_MOST_PROMOTION: Final = 4


def _open(path: Path) -> PolyglotBook:
    from tabiya.books.polyglot import POLYGLOT  # noqa: PLC0415 - it imports this module for checks

    with errors_of(path):
        return PolyglotBook(path, POLYGLOT)


def _impossible(records: NDArray[Any]) -> NDArray[np.bool_]:
    """Return records with impossible moves: from a square to itself, or with an invalid promotion."""
    moves = records["move"].astype(np.uint16)
    found: NDArray[np.bool_] = (moves & 63 == moves >> 6 & 63) | (moves >> 12 > _MOST_PROMOTION)
    return found


def check_polyglot(path: Path) -> Iterator[BookProblem]:
    """Yield all problems of a book; time and memory grow with its size."""
    with _open(path) as book:

        def problem(what: str, text: str, offset: int | None = None) -> BookProblem:
            return BookProblem(what, text, path.name, offset)

        whole = book.records * RECORD_BYTES
        if book.records == 0:
            yield problem("empty", "the book holds no records")
        if len(book.data) != whole:
            yield problem("tail", f"{len(book.data) - whole} bytes follow the last whole record", whole)
        if book.header and header_text(book.header) is None:
            yield problem("header", "records with key 0 that are not a header", 0)
        _, unsorted, first = book.stored.scan()
        if unsorted:
            yield problem(
                "order", f"{unsorted} records are not sorted by key, so positions cannot be found", first * RECORD_BYTES
            )
        records, skipped = records_of(book), len(book.header)
        for index in np.flatnonzero(_impossible(records)).tolist():
            yield problem("move", f"not a move: {int(records['move'][index]):#06x}", skipped + index * RECORD_BYTES)
        doubles = len(records) - len(np.unique(records[["key", "move"]].astype([("key", "<u8"), ("move", "<u2")])))
        if doubles:
            yield problem("twice", f"{doubles} moves occur twice in the same position")
        for position, _ in walk_book(book):
            for bits, _, _ in book.moves_of_key(position.key):
                if legal_move(position, bits) is None:
                    first = book.stored.lower_bound(position.key) * RECORD_BYTES
                    yield problem("illegal", f"a move that is not legal in {position.fen()}: {bits:#06x}", first)


def repair_polyglot(path: Path, target: Path, *, overwrite: bool = False) -> LossReport:
    """Write a sorted book without records that contain no move; equal moves of a position become one."""
    with _open(path) as book:
        if book.records == 0:
            raise CorruptError("the book holds no records, so nothing can be repaired", path=path)
        records = records_of(book)
        keyless = records["key"] == 0
        impossible = _impossible(records) & ~keyless
        headed = header_text(book.header) is not None
        counts = {
            ("header", "records with key 0 that are not a header"): int(keyless.sum())
            + (0 if headed else len(book.header) // RECORD_BYTES),
            ("moves", "records that do not hold a move"): int(impossible.sum()),
            ("tail", "bytes after the last whole record"): len(book.data) - book.records * RECORD_BYTES,
        }
        sound = combine([sort_records(records[~impossible & ~keyless])])
        write_records(target, [sound], header=book.header if headed else b"", overwrite=overwrite)
    return LossReport.of(lost(what, text, count) for (what, text), count in counts.items() if count)
