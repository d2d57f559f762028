"""Opening books: one module or package per format, all with the same face.

A book knows positions and the moves that are played in them. Importing this package is cheap; readers, writers, the
rules of chess, and numpy, are imported when they are used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tabiya.books.book_format import BookFormat, BookKeeps
from tabiya.lazy import loader

if TYPE_CHECKING:
    from tabiya.books.book import Book, PositionLike
    from tabiya.books.book_as_game import book_lines
    from tabiya.books.build import BuildOptions, BuildReport, build_book
    from tabiya.books.choose import check_book, create_book, edit_book, open_book, repair_book
    from tabiya.books.convert import BookConversion, convert_book
    from tabiya.books.difference import BookComparison, BookDifference
    from tabiya.books.editor import BookEditor
    from tabiya.books.entry import Entry, Ratings, Recommendation
    from tabiya.books.known_formats import BOOK_FORMATS
    from tabiya.books.merging import MergedBook, merge_books
    from tabiya.books.position_text import parse_line
    from tabiya.books.report import BookProblem
    from tabiya.books.transfer import transfer_book
    from tabiya.books.walk import walk_book
    from tabiya.books.writer import BookWriter

__all__ = [
    "BOOK_FORMATS",
    "Book",
    "BookComparison",
    "BookConversion",
    "BookDifference",
    "BookEditor",
    "BookFormat",
    "BookKeeps",
    "BookProblem",
    "BookWriter",
    "BuildOptions",
    "BuildReport",
    "Entry",
    "MergedBook",
    "PositionLike",
    "Ratings",
    "Recommendation",
    "book_lines",
    "build_book",
    "check_book",
    "convert_book",
    "create_book",
    "edit_book",
    "merge_books",
    "open_book",
    "parse_line",
    "repair_book",
    "transfer_book",
    "walk_book",
]

_HOMES = {
    "BOOK_FORMATS": "known_formats",
    "Book": "book",
    "BookComparison": "difference",
    "BookConversion": "convert",
    "BookDifference": "difference",
    "BookEditor": "editor",
    "BookProblem": "report",
    "BookWriter": "writer",
    "BuildOptions": "build",
    "BuildReport": "build",
    "Entry": "entry",
    "MergedBook": "merging",
    "PositionLike": "book",
    "Ratings": "entry",
    "Recommendation": "entry",
    "book_lines": "book_as_game",
    "build_book": "build",
    "check_book": "choose",
    "convert_book": "convert",
    "create_book": "choose",
    "edit_book": "choose",
    "merge_books": "merging",
    "open_book": "choose",
    "parse_line": "position_text",
    "repair_book": "choose",
    "transfer_book": "transfer",
    "walk_book": "walk",
}

if not TYPE_CHECKING:  # type checkers see the imports above, and no name that is not there
    __getattr__ = loader(__name__, _HOMES)
