"""Every format of books that tabiya knows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tabiya.books.abk import ABK
from tabiya.books.ctg import CTG
from tabiya.books.polyglot import POLYGLOT

if TYPE_CHECKING:
    from tabiya.books.book_format import BookFormat

__all__ = ["BOOK_FORMATS"]

BOOK_FORMATS: tuple[BookFormat, ...] = (CTG, POLYGLOT, ABK)
"""The documentation, the loss reports and the tests over all pairs of formats follow from this list."""
