"""Saves what can be saved of a damaged book, into a new one, from its pages alone."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING

from tabiya.books.ctg.book import CtgBook
from tabiya.books.ctg.check import PAGE_PROBLEMS
from tabiya.books.ctg.files import PAGE_SIZE, copy_options
from tabiya.books.ctg.sorting import RecordSorter
from tabiya.books.ctg.write import commit_book, refuse_book
from tabiya.books.writer import lost
from tabiya.formats.guard import errors_of
from tabiya.formats.losses import MAX_EXAMPLES, LossReport

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tabiya.formats.losses import Loss

__all__ = ["repair_book"]


def repair_book(path: Path, target: Path, *, overwrite: bool = False) -> LossReport:
    """Write a new book with a new directory from all records that can be read, and say what could not.

    Of a position that was found twice the record with more games counts. Bytes of unknown meaning are kept, and so is
    the ``.ini``.
    """
    from tabiya.books.ctg import CTG  # noqa: PLC0415 - it imports this module when asked to repair

    with errors_of(path), CtgBook(path, CTG) as book:
        refuse_book(target, overwrite=overwrite, sources=book.files)
        with closing(RecordSorter(target.resolve().parent, largest=True)) as sorter:
            for columns in book.columns():
                sorter.add(columns)
            unreadable = LossReport.of(_unreadable(book))
            losses = commit_book(sorter, target, overwrite=overwrite, options=book.header.options)
        copy_options(book.files[0], target, overwrite=overwrite)
        return unreadable + losses


def _unreadable(book: CtgBook) -> Iterator[Loss]:
    """Pages that could not be read to their end."""
    found = list(book.broken_pages())
    if found:
        examples = [f"offset {PAGE_SIZE * (page + 1)}: {PAGE_PROBLEMS[code]}" for page, code in found[:MAX_EXAMPLES]]
        yield lost("pages", "pages that could not be read to their end", len(found), examples)
