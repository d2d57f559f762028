"""Building books from games: batches become rows, rows are added up outside memory, and frequent ones are written."""

from __future__ import annotations

from tabiya.books.build.building import BuildReport, build_book
from tabiya.books.build.options import BuildOptions

__all__ = ["BuildOptions", "BuildReport", "build_book"]
