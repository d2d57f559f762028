"""Opening books: one module or package per format, all with the same face.

A book knows positions and the moves that are played in them. Importing this package is cheap; readers, writers, the
rules of chess, numpy and duckdb are imported when they are used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from tabiya.books.format import BookFormat, BookKeeps

if TYPE_CHECKING:
    from tabiya.books.book import Book, PositionLike
    from tabiya.books.choose import open_book
    from tabiya.books.entry import Entry, Ratings, Recommendation
    from tabiya.books.formats import BOOK_FORMATS

__all__ = [
    "BOOK_FORMATS",
    "Book",
    "BookFormat",
    "BookKeeps",
    "Entry",
    "PositionLike",
    "Ratings",
    "Recommendation",
    "open_book",
]

_HOMES = {
    "BOOK_FORMATS": "formats",
    "Book": "book",
    "Entry": "entry",
    "PositionLike": "book",
    "Ratings": "entry",
    "Recommendation": "entry",
    "open_book": "choose",
}

if not TYPE_CHECKING:  # type checkers see the imports above, and no name that is not there

    def __getattr__(name: str) -> object:
        if name not in _HOMES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        globals()[name] = value = getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
        return value
