"""The description of a book format: one frozen object, on which all generic functions are based.

Importing a description must be fast: ``Lazy`` names readers, writers and other functions, which are imported on first
use.
"""

from __future__ import annotations

from dataclasses import dataclass
from operator import attrgetter
from typing import TYPE_CHECKING, Final, Literal, Protocol, TypeAlias

from tabiya.formats.description import Description, Lazy

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterator, Sequence
    from pathlib import Path

    from tabiya.books.book import Book
    from tabiya.books.build.options import BuildOptions
    from tabiya.books.build.sums_to_books import Played
    from tabiya.books.difference import BookDifference
    from tabiya.books.editor import BookEditor
    from tabiya.books.report import BookProblem, Written
    from tabiya.books.writer import BookWriter
    from tabiya.chess import Position
    from tabiya.formats.losses import LossReport

Statistics: TypeAlias = Literal["none", "moves", "positions"]
"""What results are counted for: nothing, the moves of a line, or the positions that moves lead to."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BookKeeps:
    """The data that a book format can store. Everything else counts as lost."""

    places: Literal["positions", "keys", "lines"]
    """How the format stores positions: as such, as 64-bit keys only, or as lines from the start position."""
    weights: Literal["all", "steps", "games", "none"] = "none"
    """Weights of moves: any 16-bit number; only the ten steps of a priority; or as games without a result, for moves
    with unknown games.
    """
    statistics: Statistics = "none"
    ratings: bool = False
    symbols: bool = False
    """NAGs of moves."""
    recommendations: bool = False
    comments: bool = False
    """The NAG of a position."""
    learning: bool = False
    """Polyglot's learning data."""


_REFUSE_EXISTING: Final = Lazy("tabiya.files.transaction:refuse_existing")


class Opener(Protocol):
    """Opens a book."""

    def __call__(self, path: Path, /) -> Book: ...


class Creator(Protocol):
    """Creates a writer."""

    def __call__(self, path: Path, /, *, overwrite: bool = False, strict: bool = False) -> BookWriter: ...


class Checker(Protocol):
    """Examines every byte of a book and yields its problems."""

    def __call__(self, path: Path, /) -> Iterator[BookProblem]: ...


class Repairer(Protocol):
    """Writes a valid book with all that can be recovered; the report lists the rest."""

    def __call__(self, path: Path, target: Path, /, *, overwrite: bool = False) -> LossReport: ...


class Merger(Protocol):
    """Writes one book with the contents of several books of the same format; of a single one, a copy."""

    def __call__(
        self, books: Sequence[Book], target: Path, /, *, overwrite: bool = False, strict: bool = False
    ) -> Written: ...


class Editing(Protocol):
    """Opens a book for changes to single moves, written to ``target`` or back to the book."""

    def __call__(self, path: Path, /, *, target: Path | None = None, overwrite: bool = False) -> BookEditor: ...


class Builder(Protocol):
    """Builds a book from games."""

    def __call__(
        self, path: Path, played: Played, options: BuildOptions, /, *, overwrite: bool, strict: bool
    ) -> Written: ...


class KeyComparer(Protocol):
    """Yields the differences of two books in positions known only by their keys, except those in ``seen``."""

    def __call__(self, a: Book, b: Book, seen: set[int], /) -> Iterator[tuple[int, BookDifference | None]]: ...


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class BookFormat(Description):
    """The properties and functions of a book format."""

    keeps: BookKeeps
    open: Opener
    create: Creator
    check: Checker
    repair: Repairer
    merge: Merger | None = None
    """Set if books of the format can be merged without their positions."""
    identity: Callable[[Position], Hashable] = attrgetter("key")
    """Returns an equal value for positions that books of the format do not distinguish."""
    edit: Editing | None = None
    """Set if single moves can be changed while everything else stays as it is."""
    build: Builder | None = None
    """Set if books of the format can be built from games."""
    refuse: Callable[..., None] = _REFUSE_EXISTING
    """Raises an error if files of a new book exist and must not be replaced."""
    compare_keys: KeyComparer | None = None
    """Set if positions without a line to them can be compared."""
