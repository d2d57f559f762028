"""The description of a book format: one frozen object, from which everything generic follows.

Importing a description must be cheap: ``Lazy`` names readers, writers and other functions, imported on first use.
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

__all__ = ["BookFormat", "BookKeeps", "Statistics"]

Statistics: TypeAlias = Literal["none", "moves", "positions"]
"""What results are counted for: nothing, the moves of a line, or the positions that moves lead to."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BookKeeps:
    """What survives in a book format. Whatever is not claimed here counts as lost."""

    places: Literal["positions", "keys", "lines"]
    """How a format knows its positions: as such, as 64-bit keys only, or as lines from the start position."""
    weights: Literal["all", "steps", "games", "none"] = "none"
    """Weights of moves: any number of 16 bits; only the ten steps of a priority; or as games without a result, for
    moves whose games are not known."""
    statistics: Statistics = "none"
    ratings: bool = False
    symbols: bool = False
    """NAGs of moves."""
    recommendations: bool = False
    comments: bool = False
    """The NAG of a position."""
    learning: bool = False
    """Polyglot's learning data."""


_REFUSE_EXISTING: Final = Lazy("tabiya.files.atomic:refuse_existing")


class Opener(Protocol):
    """Opens a book."""

    def __call__(self, path: Path, /) -> Book: ...


class Creator(Protocol):
    """Creates a writer."""

    def __call__(self, path: Path, /, *, overwrite: bool = False, strict: bool = False) -> BookWriter: ...


class Checker(Protocol):
    """Looks at every byte of a book and yields what is wrong."""

    def __call__(self, path: Path, /) -> Iterator[BookProblem]: ...


class Repairer(Protocol):
    """Writes a sound book with all that can be saved; what cannot is in the report."""

    def __call__(self, path: Path, target: Path, /, *, overwrite: bool = False) -> LossReport: ...


class Merger(Protocol):
    """Writes one book with everything that several books of the same format hold; of a single one, a copy."""

    def __call__(
        self, books: Sequence[Book], target: Path, /, *, overwrite: bool = False, strict: bool = False
    ) -> Written: ...


class Editing(Protocol):
    """Opens a book for changes to single moves; they go to ``target``, or replace the book."""

    def __call__(self, path: Path, /, *, target: Path | None = None, overwrite: bool = False) -> BookEditor: ...


class Builder(Protocol):
    """Writes a book of what was played in games."""

    def __call__(
        self, path: Path, played: Played, options: BuildOptions, /, *, overwrite: bool, strict: bool
    ) -> Written: ...


class KeyComparer(Protocol):
    """Yields how two books differ in positions that are known by their keys only, but for those in ``seen``."""

    def __call__(self, a: Book, b: Book, seen: set[int], /) -> Iterator[tuple[int, BookDifference | None]]: ...


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class BookFormat(Description):
    """What tabiya knows about a format of books."""

    keeps: BookKeeps
    open: Opener
    create: Creator
    check: Checker
    repair: Repairer
    merge: Merger | None = None
    """Where books of the format can be merged without going by their positions."""
    identity: Callable[[Position], Hashable] = attrgetter("key")
    """What is equal for positions that are one and the same to books of the format."""
    edit: Editing | None = None
    """Where single moves can be changed and everything else stays as it is."""
    build: Builder | None = None
    """Where books of the format can be built from games."""
    refuse: Callable[..., None] = _REFUSE_EXISTING
    """Raises an error if files of a new book exist and are not to be replaced."""
    compare_keys: KeyComparer | None = None
    """Where positions without a line to them can be compared."""
