"""Checks the header, directory, pages, records, moves and numbers of a CTG book."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tabiya.books.ctg.book import PAGE_PROBLEMS, CtgBook
from tabiya.books.ctg.check_kernel import check_page
from tabiya.books.ctg.directory import directory_problems
from tabiya.books.ctg.files import PAGE_SIZE, schema_is_usual
from tabiya.books.ctg.position import PROBLEMS
from tabiya.books.report import BookProblem
from tabiya.chess import Position
from tabiya.files.file_errors import errors_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_SENTENCES: Final[dict[int, tuple[str, str]]] = {
    **{number: ("page", text) for number, text in enumerate(PAGE_PROBLEMS) if text},
    **{10 + number: ("position", text) for number, text in enumerate(PROBLEMS) if text},
    20: ("placement", "the position is not on the page where the directory looks for it"),
    21: ("twice", "the position is on this page twice"),
    22: ("code", "the byte {code:#04x} is not the code of a move"),
    23: ("code", "the byte {code:#04x} means a move of a piece that is not there"),
    24: ("illegal", "the byte {code:#04x} means a move that is not legal"),
    25: ("repeated", "the byte {code:#04x} occurs twice in the moves of a position"),
    26: ("child", "the position after the move {code:#04x} is not in the book"),
    27: ("results", "a position has more results than games"),
}
"""The problems found by ``check_page``, by the codes of ``check_kernel.pyx``."""


def check_book(path: Path) -> Iterator[BookProblem]:
    """Yield all problems of a book, in the order of its files. Takes time in proportion to its size, and little memory.

    Not all of them are damage: ChessBase's own books contain wrong counts, see ``count`` and ``games``.
    """
    from tabiya.books.ctg import CTG  # noqa: PLC0415 - it imports this module for checks

    with errors_of(path), CtgBook(path, CTG) as book:
        yield from _header_problems(book)
        yield from (BookProblem("directory", text, book.files[0].name) for text in book.problems)
        yield from directory_problems(book)
        name, found = book.files[0].name, 0
        for number in range(book.page_count):
            count, findings = check_page(book.lookup, number, book.has_directory)
            found += count
            for code, offset, move in findings:
                what, text = _SENTENCES[code]
                yield BookProblem(what, text.format(code=move), name, PAGE_SIZE * (number + 1) + offset)
        if found != book.header.positions:
            text = f"the header counts {book.header.positions} positions, but there are {found}"
            yield BookProblem("count", text, name, 24)


def _header_problems(book: CtgBook) -> Iterator[BookProblem]:
    name, size, header = book.files[0].name, book.size, book.header
    if size % PAGE_SIZE:
        yield BookProblem("size", "the file does not end with a whole page", name, size - size % PAGE_SIZE)
    if header.pages != book.page_count:
        text = f"the header counts {header.pages} pages, but there are {book.page_count}"
        yield BookProblem("pages", text, name, 16)
    if not schema_is_usual(book.first_page):
        yield BookProblem("schema", "the header describes an unknown layout of records", name, 0x400)
    start = book.record(Position())
    if start is not None and start.games != header.games:
        text = f"the header counts {header.games} games, but the start position has {start.games}"
        yield BookProblem("games", text, name, 28)
