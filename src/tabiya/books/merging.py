"""Several books as one."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from tabiya.books.book import Book
from tabiya.books.convert import BookConversion, merge_within, refuse_same_file, write_positions
from tabiya.books.entry import Entry, Ratings
from tabiya.books.open_and_create import format_of_target, named_format, open_book
from tabiya.errors import UsageError
from tabiya.formats.losses import LossReport
from tabiya.formats.url import local_path

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Sequence
    from os import PathLike

    from tabiya.books.book_format import BookFormat, Statistics
    from tabiya.chess import Move, Position


class MergedBook(Book):
    """Books of any formats as one: counts add up, marks are those of the first book that has one.

    Its format is that of the first book that stores positions as such; if there is none, of the first book.
    """

    def __init__(self, books: Sequence[Book]) -> None:
        if not books:
            raise UsageError("no book to merge was given")
        self._leader = next((book for book in books if book.format.keeps.places == "positions"), books[0])
        super().__init__(books[0].path, self._leader.format)
        self._books = tuple(books)

    @property
    def files(self) -> tuple[Path, ...]:
        """The files of all books."""
        return tuple(file for book in self._books for file in book.files)

    def _probe(self, position: Position) -> list[Entry]:
        found: dict[Move, Entry] = {}
        for book in self._books:
            for entry in book.probe(position):
                found[entry.move] = _sum(found[entry.move], entry) if entry.move in found else entry
        return list(found.values())

    def _positions(self) -> Iterator[Position]:
        seen = set()
        for book in self._books:
            for position in book.positions():
                if position.key not in seen:
                    seen.add(position.key)
                    yield position

    def _count(self) -> int:
        return sum(1 for _ in self._positions())

    def identity(self, position: Position) -> Hashable:
        """As in the book that stores positions."""
        return self._leader.identity(position)

    def views(self, position: Position) -> tuple[Position, ...]:
        """As in the book that stores positions."""
        return self._leader.views(position)

    @property
    def counted(self) -> Statistics:
        """As in the book that stores positions."""
        return self._leader.counted

    def besides(self) -> LossReport:
        """Return the additional contents of all books."""
        return sum((book.besides() for book in self._books), LossReport())

    def unplayable(self, position: Position) -> int:
        """In all books."""
        return sum(book.unplayable(position) for book in self._books)

    @property
    def parts(self) -> tuple[Book, ...]:
        """All books."""
        return self._books


def merge_books(
    sources: Sequence[str | PathLike[str] | Book],
    target: str | PathLike[str],
    *,
    format: str | BookFormat | None = None,
    any_move: bool = False,
    overwrite: bool = False,
    strict: bool = False,
) -> BookConversion:
    """Write one book with the contents of several books.

    Games, results, ratings and weights of equal moves add up; of symbols, recommendations and priorities the first
    counts. Books of one format are merged within that format, key by key or position by position, so nothing is lost;
    books of different formats are followed from the start position, with ``any_move`` as in ``walk_book``.

    Raises:
        UsageError: The target exists, or is one of the sources; or there are no sources.
        LossError: Data would be lost, and ``strict`` is set; the target is unchanged.
    """
    path = local_path(target)
    chosen = format_of_target(path) if format is None else named_format(format)
    with ExitStack() as stack:
        books = [each if isinstance(each, Book) else stack.enter_context(open_book(each)) for each in sources]
        merged = MergedBook(books)
        refuse_same_file(merged, path)
        if chosen.merge is not None and all(book.format is chosen for book in books):
            return merge_within(books, path, chosen, overwrite=overwrite, strict=strict)
        return write_positions(merged, path, chosen, any_move=any_move, overwrite=overwrite, strict=strict)


def _sum(first: Entry, second: Entry) -> Entry:
    return replace(
        first,
        weight=first.weight + second.weight,
        games=_plus(first.games, second.games),
        wins=_plus(first.wins, second.wins),
        draws=_plus(first.draws, second.draws),
        losses=_plus(first.losses, second.losses),
        ratings=_ratings(first.ratings, second.ratings),
        opponents=_ratings(first.opponents, second.opponents),
        nag=first.nag or second.nag,
        recommendation=first.recommendation or second.recommendation,
        comment=first.comment or second.comment,
        priority=second.priority if first.priority is None else first.priority,
        learning=first.learning or second.learning,
    )


def _plus(first: int | None, second: int | None) -> int | None:
    if first is None or second is None:
        return second if first is None else first
    return first + second


def _ratings(first: Ratings | None, second: Ratings | None) -> Ratings | None:
    if first is None or second is None:
        return second if first is None else first
    return Ratings(first.games + second.games, first.total + second.total)
