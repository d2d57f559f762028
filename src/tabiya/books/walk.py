"""Following the moves of a book from position to position."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tabiya.books.book import as_position
from tabiya.chess import Position

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tabiya.books.book import Book, PositionLike
    from tabiya.books.entry import Entry

__all__ = ["START", "walk_book"]

START = Position()


def walk_book(book: Book, starts: Iterable[PositionLike] = (START,)) -> Iterator[tuple[Position, tuple[Entry, ...]]]:
    """Every position that the moves of the book reach from ``starts``, once, with its moves; the best line first.

    A position is the same if its key is. Positions without moves in the book are passed over. Memory grows by some 100
    bytes per position; time is that of a probe each.
    """
    todo = [as_position(start) for start in starts]
    todo.reverse()
    seen = set()
    while todo:
        position = todo.pop()
        if position.key in seen:
            continue
        seen.add(position.key)
        entries = book.probe(position)
        if entries:
            yield position, entries
            todo += [position.play(entry.move) for entry in reversed(entries)]
