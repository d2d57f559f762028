"""Merges CTG books position by position; a single one is copied."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING

from tabiya.books.ctg.book import CtgBook
from tabiya.books.ctg.bulk_writing import commit_book, refuse_book
from tabiya.books.ctg.files import read_options
from tabiya.books.ctg.sorting import RecordSorter
from tabiya.books.report import Written
from tabiya.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from tabiya.books.book import Book


def merge_ctg(books: Sequence[Book], target: Path, *, overwrite: bool = False, strict: bool = False) -> Written:
    """Write a book with the positions of all books: results and ratings add up, moves and recommendations are united.

    The first ``.ini`` of the books is copied, and so are the unknown bytes in the header of the first book.
    """
    sources = [_as_ctg(book) for book in books]
    refuse_book(target, overwrite=overwrite, sources=[file for book in sources for file in book.files])
    with closing(RecordSorter(target.resolve().parent)) as sorter:
        for book in sources:
            for columns in book.columns():
                sorter.add(columns)
        losses = commit_book(
            sorter,
            target,
            overwrite=overwrite,
            strict=strict,
            options=sources[0].header.options,
            ini=read_options(*(book.files[0] for book in sources)),
        )
    with CtgBook(target, sources[0].format) as made:
        return Written(len(made), made.move_count, losses)


def _as_ctg(book: Book) -> CtgBook:
    if not isinstance(book, CtgBook):
        raise UsageError("is not a CTG book", path=book.path)
    return book
