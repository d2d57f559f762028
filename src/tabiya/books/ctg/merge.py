"""Several CTG books in one, position by position; of a single one, a copy."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tabiya.books.ctg.book import CtgBook
from tabiya.books.ctg.write import write_book
from tabiya.books.report import Written
from tabiya.errors import UsageError
from tabiya.formats.atomic import AtomicFile

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from tabiya.books.book import Book
    from tabiya.books.ctg.columns import PositionColumns

__all__ = ["merge_ctg"]


def merge_ctg(books: Sequence[Book], target: Path, *, overwrite: bool = False) -> Written:
    """Write a book with the positions of all books: results and ratings add up, moves and recommendations are united.

    The ``.ini`` of the first book that has one, which holds options of the program, goes with it.
    """

    def columns() -> Iterator[PositionColumns]:
        for book in books:
            if not isinstance(book, CtgBook):
                raise UsageError("is not a CTG book", path=book.path)
            yield from book.columns()

    losses = write_book(target, columns(), overwrite=overwrite)
    options = next((file for book in books for file in book.files if file.suffix.lower() == ".ini"), None)
    if options is not None:
        copy = AtomicFile(target.with_suffix(".ini"), overwrite=True)
        try:
            copy.stream.write(options.read_bytes())
            copy.commit()
        finally:
            copy.discard()
    with CtgBook(target, books[0].format) as made:
        return Written(len(made), sum(len(block.moves) for block in made.columns()), losses)
