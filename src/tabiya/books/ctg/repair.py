"""Recovers a damaged book into a new one, from its pages alone."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING

from tabiya.books.ctg.book import CtgBook
from tabiya.books.ctg.bulk_writing import commit_book, refuse_book
from tabiya.books.ctg.files import read_options
from tabiya.books.ctg.sorting import RecordSorter
from tabiya.files.file_errors import errors_of

if TYPE_CHECKING:
    from pathlib import Path

    from tabiya.formats.losses import LossReport


def repair_book(path: Path, target: Path, *, overwrite: bool = False) -> LossReport:
    """Write a new book with a new directory from all readable records, and report what could not be read.

    Of duplicate positions the record with more games counts. Bytes of unknown meaning are kept, and so is the ``.ini``.
    """
    from tabiya.books.ctg import CTG  # noqa: PLC0415 - it imports this module for repairs

    with errors_of(path), CtgBook(path, CTG) as book:
        refuse_book(target, overwrite=overwrite, sources=book.files)
        with closing(RecordSorter(target.resolve().parent, largest=True)) as sorter:
            for columns in book.columns():
                sorter.add(columns)
            ini = read_options(book.files[0])
            losses = commit_book(sorter, target, overwrite=overwrite, options=book.header.options, ini=ini)
        return book.unreadable() + losses
