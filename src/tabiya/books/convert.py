"""Converts a book from one format to another, with a report of losses."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tabiya.books.book import Book
from tabiya.books.open_and_create import format_of_target, named_format, open_book
from tabiya.books.report import Written
from tabiya.books.walk import START, walk_book
from tabiya.books.writer import lost
from tabiya.errors import LossError, UnsupportedError, UsageError
from tabiya.files.file_errors import errors_of
from tabiya.formats.losses import LossReport
from tabiya.formats.url import local_path

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from os import PathLike

    from tabiya.books.book import PositionLike
    from tabiya.books.book_format import BookFormat
    from tabiya.books.entry import Entry
    from tabiya.books.writer import BookWriter
    from tabiya.chess import Position
    from tabiya.formats.losses import Loss


@dataclass(frozen=True, slots=True, kw_only=True)
class BookConversion:
    """The result of a conversion."""

    source_format: str
    target_format: str
    positions: int
    moves: int
    losses: LossReport
    notes: tuple[str, ...] = ()
    """Sentences about data that is not lost but stored in a different way."""

    def as_dict(self) -> dict[str, Any]:
        """Return the report for JSON."""
        return {
            "source_format": self.source_format,
            "target_format": self.target_format,
            "positions": self.positions,
            "moves": self.moves,
            "losses": self.losses.as_dict(),
            "notes": list(self.notes),
        }


def convert_book(
    source: str | PathLike[str] | Book,
    target: str | PathLike[str],
    *,
    format: str | BookFormat | None = None,
    starts: Iterable[PositionLike] = (START,),
    any_move: bool = False,
    overwrite: bool = False,
    strict: bool = False,
) -> BookConversion:
    """Write the positions and moves of a book into a new one of any format.

    A book of keys (Polyglot) can only be converted to other formats as far as its moves lead from ``starts``, or any
    legal moves with ``any_move``, see ``walk_book``; positions that are not reached count as lost. Within its own
    format everything is copied.

    Raises:
        UsageError: The target exists, or is the source.
        LossError: Data would be lost, and ``strict`` is set; the target is unchanged.
    """
    path = local_path(target)
    chosen = format_of_target(path) if format is None else named_format(format)
    with ExitStack() as stack:
        book = source if isinstance(source, Book) else stack.enter_context(open_book(source))
        refuse_same_file(book, path)
        if book.format is chosen and chosen.merge is not None:
            return merge_within([book], path, chosen, overwrite=overwrite, strict=strict)
        return write_positions(book, path, chosen, starts=starts, any_move=any_move, overwrite=overwrite, strict=strict)


def merge_within(
    books: Sequence[Book], path: Path, format: BookFormat, *, overwrite: bool, strict: bool
) -> BookConversion:
    """Convert within a format by its own means: keys, lines or positions are copied."""
    if format.merge is None:
        raise UnsupportedError(f"{format.name} books cannot be merged", path=path)
    damage = damage_of(books, path, strict=strict)
    with errors_of(path):
        written = format.merge(books, path, overwrite=overwrite, strict=strict)
    return _report(books[0], format, written._replace(losses=damage + written.losses))


def damage_of(books: Iterable[Book], path: Path, *, strict: bool) -> LossReport:
    """Return the unreadable parts of the sources, before anything is written."""
    damage = sum((book.unreadable() for book in books), LossReport())
    if strict and damage:
        raise LossError(f"nothing was written, because this would be lost: {damage.summary()}", path=path)
    return damage


def write_positions(
    book: Book,
    path: Path,
    format: BookFormat,
    *,
    starts: Iterable[PositionLike] = (START,),
    any_move: bool = False,
    overwrite: bool = False,
    strict: bool = False,
) -> BookConversion:
    """Convert a book between formats, position by position."""
    damage = damage_of(book.parts, path, strict=strict)
    found = _Found(book, starts, format, any_move=any_move)
    with _created(format, path, overwrite=overwrite) as writer:
        writer.counted = book.counted
        for position, entries in found:
            if entries[0].transposition:
                writer.lead(position, entries[0].move)
            else:
                writer.add(position, entries)
        losses = LossReport.of(found.losses()) + book.besides()
        if strict and losses:
            raise LossError(f"nothing was written, because this would be lost: {losses.summary()}", path=path)
        writer.strict = strict
        writer.commit()
    report = _report(book, format, Written(writer.positions, writer.moves, damage + losses + writer.losses))
    return replace(report, notes=tuple(_notes(writer, found.leads)))


def _notes(writer: BookWriter, leads: int) -> Iterator[str]:
    if count := writer.weights_as_games:
        yield f"weights as games without a result, because {writer.format.name} books have no weights: {count:,}"
    if leads and writer.format.keeps.places == "lines":
        yield f"moves with priority 0 that are not in the book, but lead to positions of it: {leads:,}"


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
    """Reject a target that is also a source."""
    with errors_of(path):
        if path.exists() and any(file.exists() and path.samefile(file) for file in book.files):
            raise UsageError("is also the source; choose another name for the target", path=path)


def positions_of(
    book: Book, starts: Iterable[PositionLike] = (START,), *, any_move: bool = False, all_views: bool = False
) -> Iterator[tuple[Position, tuple[Entry, ...]]]:
    """Yield all positions of a book: those that lines from ``starts`` reach, then the others that it stores as such.

    Unreached positions may have been played with the other colours: ``all_views`` yields all positions that the book
    does not distinguish, for targets that do.
    """
    seen = set()
    for position, entries in walk_book(book, starts, any_move=any_move):
        seen.add(book.identity(position))
        yield position, entries
    if book.format.keeps.places == "positions":
        for position in book.positions():
            if book.identity(position) not in seen:
                for view in book.views(position) if all_views else (position,):
                    if entries := book.probe(view):
                        yield view, entries


class _Found:
    """The positions of a book, counted as they are read."""

    def __init__(self, book: Book, starts: Iterable[PositionLike], target: BookFormat, *, any_move: bool) -> None:
        self._book = book
        self._starts = starts
        self._target = target.keeps
        self._any_move = any_move
        self._keyed = [part for part in book.parts if part.format.keeps.places == "keys"]
        self._stores_weights = [part for part in book.parts if part.format.keeps.weights in ("all", "steps")]
        self._met = self._unplayable = self._weighted = 0
        self.leads = 0
        """Moves that are not in the book."""

    def __iter__(self) -> Iterator[tuple[Position, tuple[Entry, ...]]]:
        all_views = self._target.places == "keys"
        for position, entries in positions_of(self._book, self._starts, any_move=self._any_move, all_views=all_views):
            if entries[0].transposition:
                self.leads += 1
            else:
                self._met += sum(part is self._book or position in part for part in self._keyed)
                self._unplayable += self._book.unplayable(position)
                self._weighted += sum(entry.weight > 0 and self._loses_weight(entry) for entry in entries)
            yield position, entries

    def _loses_weight(self, entry: Entry) -> bool:
        """Return whether a weight is lost, depending on both formats: weights that readers can compute are not lost."""
        return {
            "all": False,
            "steps": any(part.format.keeps.weights == "all" for part in self._stores_weights),
            "games": bool(self._stores_weights) and entry.games is not None,
            "none": bool(self._stores_weights),
        }[self._target.weights]

    def losses(self) -> Iterator[Loss]:
        missed = sum(map(len, self._keyed)) - self._met
        if missed > 0:
            yield lost("keys", "positions known only by their keys that no line from the start reaches", missed)
        if self._unplayable:
            yield lost("illegal_moves", "moves that are not legal in their position", self._unplayable)
        if self._weighted:
            rounding = ", rounded to the ten steps that the target has" if self._target.weights == "steps" else ""
            beside = " that also have games, which are used instead" if self._target.weights == "games" else ""
            yield lost("weights", f"weights of moves{rounding}{beside}", self._weighted)
