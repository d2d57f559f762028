"""Carrying a book from one format to another, with an account of what got lost."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tabiya.books.book import Book
from tabiya.books.choose import format_of_target, named_format, open_book
from tabiya.books.report import Written
from tabiya.books.walk import START, walk_book
from tabiya.books.writer import lost
from tabiya.errors import LossError, UnsupportedError, UsageError
from tabiya.formats.guard import errors_of
from tabiya.formats.losses import LossReport

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from os import PathLike

    from tabiya.books.book import PositionLike
    from tabiya.books.entry import Entry
    from tabiya.books.format import BookFormat
    from tabiya.books.writer import BookWriter
    from tabiya.chess import Position
    from tabiya.formats.losses import Loss

__all__ = [
    "BookConversion",
    "convert_book",
    "damage_of",
    "merge_within",
    "positions_of",
    "refuse_same_file",
    "write_positions",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class BookConversion:
    """What a conversion did."""

    source_format: str
    target_format: str
    positions: int
    moves: int
    losses: LossReport

    def as_dict(self) -> dict[str, Any]:
        """The report for JSON."""
        return {
            "source_format": self.source_format,
            "target_format": self.target_format,
            "positions": self.positions,
            "moves": self.moves,
            "losses": self.losses.as_dict(),
        }


def convert_book(
    source: str | PathLike[str] | Book,
    target: str | PathLike[str],
    *,
    format: str | BookFormat | None = None,
    starts: Iterable[PositionLike] = (START,),
    overwrite: bool = False,
    strict: bool = False,
) -> BookConversion:
    """Write the positions and moves of a book into a new one of any format.

    A book of keys (Polyglot) can only be carried to other formats as far as its moves lead from ``starts``; within its
    own format everything is copied.

    Raises:
        UsageError: The target exists, or is the source.
        LossError: Something would be lost, and ``strict`` is set; the target stays untouched.
    """
    path = Path(target)
    chosen = format_of_target(path) if format is None else named_format(format)
    with ExitStack() as stack:
        book = source if isinstance(source, Book) else stack.enter_context(open_book(source))
        refuse_same_file(book, path)
        if book.format is chosen and chosen.merge is not None:
            return merge_within([book], path, chosen, overwrite=overwrite, strict=strict)
        return write_positions(book, path, chosen, starts=starts, overwrite=overwrite, strict=strict)


def merge_within(
    books: Sequence[Book], path: Path, format: BookFormat, *, overwrite: bool, strict: bool
) -> BookConversion:
    """The way within a format: its own, by keys, lines or positions as they are."""
    if format.merge is None:
        raise UnsupportedError(f"{format.name} books are not merged as they are", path=path)
    damage = damage_of(books, path, strict=strict)
    with errors_of(path):
        written = format.merge(books, path, overwrite=overwrite, strict=strict)
    return _report(books[0], format, written._replace(losses=damage + written.losses))


def damage_of(books: Iterable[Book], path: Path, *, strict: bool) -> LossReport:
    """What of the sources cannot be read, before anything is written."""
    damage = sum((book.unreadable() for book in books), LossReport())
    if strict and damage:
        raise LossError(f"not written, because this would be lost: {damage.summary()}", path=path)
    return damage


def write_positions(
    book: Book,
    path: Path,
    format: BookFormat,
    *,
    starts: Iterable[PositionLike] = (START,),
    overwrite: bool = False,
    strict: bool = False,
) -> BookConversion:
    """The way of ``convert_book`` between formats: position by position."""
    damage = damage_of(book.parts, path, strict=strict)
    found = _Found(book, starts, all_views=format.keeps.places == "keys")
    with _created(format, path, overwrite=overwrite) as writer:
        writer.counted = book.format.keeps.statistics
        for position, entries in found:
            writer.add(position, entries)
        losses = LossReport.of([*found.losses(), *_weight_losses(book, format, found.weighted)])
        if strict and losses:
            raise LossError(f"not written, because this would be lost: {losses.summary()}", path=path)
        writer.strict = strict
        writer.commit()
    return _report(book, format, Written(writer.positions, writer.moves, damage + losses + writer.losses))


def _report(book: Book, target: BookFormat, written: Written) -> BookConversion:
    return BookConversion(
        source_format=book.format.name,
        target_format=target.name,
        positions=written.positions,
        moves=written.moves,
        losses=written.losses,
    )


def _created(format: BookFormat, path: Path, *, overwrite: bool) -> BookWriter:
    with errors_of(path):
        return format.create(path, overwrite=overwrite)


def refuse_same_file(book: Book, path: Path) -> None:
    """A book that is being read is no target."""
    with errors_of(path):
        if path.exists() and any(file.exists() and path.samefile(file) for file in book.files):
            raise UsageError("is being read, so it cannot be the target", path=path)


def positions_of(
    book: Book, starts: Iterable[PositionLike] = (START,), *, all_views: bool = False
) -> Iterator[tuple[Position, tuple[Entry, ...]]]:
    """All positions of a book: first those that lines from ``starts`` reach, then what else it knows as a position.

    What no line reaches may have been played with the other colours: ``all_views`` gives all that the book cannot tell
    apart, for targets that can.
    """
    seen = set()
    for position, entries in walk_book(book, starts):
        seen.add(book.identity(position))
        yield position, entries
    if book.format.keeps.places == "positions":
        for position in book.positions():
            if book.identity(position) not in seen:
                for view in book.views(position) if all_views else (position,):
                    if entries := book.probe(view):
                        yield view, entries


class _Found:
    """The positions of a book, counted while they pass."""

    def __init__(self, book: Book, starts: Iterable[PositionLike], *, all_views: bool) -> None:
        self._book = book
        self._starts = starts
        self._all_views = all_views
        self._keyed = [part for part in book.parts if part.format.keeps.places == "keys"]
        self._met = 0
        self.weighted = 0

    def __iter__(self) -> Iterator[tuple[Position, tuple[Entry, ...]]]:
        for position, entries in positions_of(self._book, self._starts, all_views=self._all_views):
            self._met += sum(part is self._book or position in part for part in self._keyed)
            self.weighted += sum(entry.weight > 0 for entry in entries)
            yield position, entries

    def losses(self) -> Iterator[Loss]:
        missed = sum(map(len, self._keyed)) - self._met
        if missed > 0:
            yield lost(
                "keys", "positions that are known by their keys only, and that no line from the start reaches", missed
            )


def _weight_losses(book: Book, target: BookFormat, weighted: int) -> Iterator[Loss]:
    """Weights are a matter of both formats: those that a reader works out are no loss."""
    steps = {"none": 0, "steps": 1, "all": 2}
    finest = max(steps[part.format.keeps.weights] for part in book.parts)
    if weighted and finest > steps[target.keeps.weights]:
        kept = target.keeps.weights == "steps"
        yield lost("weights", f"weights of moves{', of which only ten steps are left' if kept else ''}", weighted)
