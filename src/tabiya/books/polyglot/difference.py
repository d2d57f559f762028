"""Differences of two Polyglot books in positions that are known only by their keys."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from tabiya.books.difference import BookDifference
from tabiya.books.polyglot.book import PolyglotBook
from tabiya.books.polyglot.merge import records_of
from tabiya.books.polyglot.records import decode_move

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from tabiya.books.book import Book


def compare_keys(a: Book, b: Book, seen: set[int]) -> Iterator[tuple[int, BookDifference | None]]:
    """Yield the keys outside ``seen``, each as (1, the difference or None)."""
    if not isinstance(a, PolyglotBook) or not isinstance(b, PolyglotBook):
        return
    keys = np.union1d(_keys(a), _keys(b))
    for key in keys[~np.isin(keys, np.fromiter(seen, np.uint64, len(seen)))].tolist():
        ours, theirs = ({bits: rest for bits, *rest in book.moves_of_key(key)} for book in (a, b))
        sentences = []
        for bits in dict.fromkeys([*ours, *theirs]):
            name = str(decode_move(bits) or f"{bits:#06x}")
            if bits not in theirs:
                sentences.append(f"{name}: only in the first book")
            elif bits not in ours:
                sentences.append(f"{name}: only in the second book")
            else:
                pairs = zip(("weight", "learning"), ours[bits], theirs[bits], strict=True)
                sentences += [
                    f"{name}: {what} {first} and {second}" for what, first, second in pairs if first != second
                ]
        yield 1, BookDifference(None, key, tuple(sentences)) if sentences else None


def _keys(book: PolyglotBook) -> NDArray[np.uint64]:
    return np.unique(records_of(book)["key"].astype(np.uint64))
