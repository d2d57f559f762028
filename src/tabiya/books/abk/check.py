"""Checks Arena books, and repairs them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tabiya.books.abk.book import DELETED_MOVE, FAULTS, AbkBook
from tabiya.books.abk.merge import merge_abk
from tabiya.books.abk.records import DATA_OFFSET, FIRST_RECORD, MOST_PRIORITY, RECORD_BYTES
from tabiya.books.report import BookProblem
from tabiya.files.file_errors import errors_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tabiya.formats.losses import LossReport


def _open(path: Path) -> AbkBook:
    from tabiya.books.abk import ABK  # noqa: PLC0415 - it imports this module for checks

    with errors_of(path):
        return AbkBook(path, ABK)


def check_abk(path: Path) -> Iterator[BookProblem]:
    """Yield all problems of a book; the first ten thousand faults are listed one by one."""
    with _open(path) as book:
        size, tree = path.stat().st_size, book.tree

        def problem(what: str, text: str, record: int | None = None) -> BookProblem:
            return BookProblem(what, text, path.name, None if record is None else record * RECORD_BYTES)

        if size < DATA_OFFSET:
            yield problem("truncated", "the book ends before its first move")
        if tail := max(0, size - DATA_OFFSET) % RECORD_BYTES:
            yield problem("tail", f"{tail} bytes follow the last whole record")
        for code, record, origin in tree.faults:
            if code in FAULTS:
                what, text = FAULTS[code]
                place = origin if origin >= FIRST_RECORD else FIRST_RECORD
                yield problem(what, f"record {place}: {text}" + (f": {record}" if code <= 2 else ""), place)
        for index in (tree.records["priority"] > MOST_PRIORITY).nonzero()[0].tolist():
            place, priority = int(tree.places[index]), int(tree.records["priority"][index])
            yield problem("priority", f"record {place}: priority {priority} is above the maximum, 9", place)
        overrun = tree.records["won"].astype("u8") + tree.records["lost"] > tree.records["games"]
        for place in tree.places[overrun].tolist():
            yield problem("counts", f"record {place}: more games won and lost than played", place)
        unreached = max(0, size // RECORD_BYTES - FIRST_RECORD) - len(tree.moves)
        if hidden := unreached - tree.fault_counts[DELETED_MOVE]:
            yield problem("unreached", f"{hidden} records belong to no line")


def repair_abk(path: Path, target: Path, *, overwrite: bool = False) -> LossReport:
    """Write a book of all moves that can be reached and played, in the usual order."""
    with _open(path) as book:
        merge_abk([book], target, overwrite=overwrite)
        return book.unreadable()
