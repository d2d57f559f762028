"""Following the moves of a book from position to position."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

from tabiya.books.book import as_position
from tabiya.books.entry import Entry
from tabiya.chess import Position

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tabiya.books.book import Book, PositionLike

START = Position()


def walk_book(
    book: Book, starts: Iterable[PositionLike] = (START,), *, any_move: bool = False
) -> Iterator[tuple[Position, tuple[Entry, ...]]]:
    """Yield every position that the moves of the book reach from ``starts``, once, with its moves; the best line first.

    Positions are equal if their keys are. Positions without moves in the book are skipped. Memory grows by some 100
    bytes per position; time is one probe per position.

    A book for one colour lacks the moves of the other, and from many books moves were removed: their lines break off.
    With ``any_move`` every legal move is followed if it leads to a position of the book that is not reached otherwise,
    at the cost of a probe for every legal move. Such a move is yielded separately, as an entry with ``transposition``,
    so its position may be yielded twice.
    """
    todo = [as_position(start) for start in starts]
    todo.reverse()
    seen = set()
    ends: deque[Position] = deque()
    while todo or ends:
        if todo:
            position = todo.pop()
            if position.key in seen:
                continue
            seen.add(position.key)
            entries = book.probe(position)
            if any_move:
                ends.append(position)
            if entries:
                yield position, entries
                todo += [position.play(entry.move) for entry in reversed(entries)]
            continue
        position = ends.popleft()
        for move in position.legal_moves():
            after = position.play(move)
            if after.key not in seen and book.probe(after):
                yield position, (Entry(move=move, weight=0, transposition=True),)
                todo.append(after)
