"""How two books differ, position by position."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from tabiya.books.merging import MergedBook
from tabiya.books.walk import walk_book

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tabiya.books.book import Book
    from tabiya.books.entry import Entry
    from tabiya.books.format import BookKeeps
    from tabiya.chess import Move, Position

__all__ = ["BookComparison", "BookDifference"]

_RESULTS: Final = ("games", "wins", "draws", "losses")


@dataclass(frozen=True, slots=True)
class BookDifference:
    """A position in which two books differ; known by its key alone, it has no FEN."""

    fen: str | None
    key: int
    differences: tuple[str, ...]
    """Sentences; the first value in them is that of the first book."""

    def as_dict(self) -> dict[str, Any]:
        """The difference for JSON."""
        return {"fen": self.fen, "key": f"{self.key:016x}", "differences": list(self.differences)}


class BookComparison:
    """Iterate over it to compare; then it knows how much it has seen.

    Compared is what both formats keep: of a Polyglot and an Arena book only which moves they have.
    """

    def __init__(self, a: Book, b: Book) -> None:
        self._a, self._b = a, b
        self._fields = _common_fields(a.format.keeps, b.format.keeps)
        self.positions = 0
        """Positions compared so far."""
        self.different = 0

    def __iter__(self) -> Iterator[BookDifference]:
        for found in self._all():
            self.different += 1
            yield found

    def _all(self) -> Iterator[BookDifference]:
        keys = set()
        for position in self._positions():
            keys.add(position.key)
            self.positions += 1
            if sentences := self._compared(position):
                yield BookDifference(position.fen(), position.key, tuple(sentences))
        if self._a.format.name == self._b.format.name == "polyglot":
            from tabiya.books.polyglot.difference import compare_keys  # noqa: PLC0415 - when it is needed

            for count, found in compare_keys(self._a, self._b, keys):
                self.positions += count
                if found is not None:
                    yield found

    def _positions(self) -> Iterator[Position]:
        """What lines of either book reach, then what else a book knows as a position."""
        seen = [set[Hashable](), set[Hashable]()]
        books = (self._a, self._b)
        for position, _ in walk_book(MergedBook(books)):
            for known, book in zip(seen, books, strict=True):
                known.add(book.identity(position))
            yield position
        for number, book in enumerate(books):
            if book.format.keeps.places == "positions":
                for position in book.positions():
                    if book.identity(position) not in seen[number] and book.probe(position):
                        seen[number].add(book.identity(position))
                        if number == 0:
                            seen[1].add(self._b.identity(position))
                        yield position

    def _compared(self, position: Position) -> list[str]:
        ours = {entry.move: entry for entry in self._a.probe(position)}
        theirs = {entry.move: entry for entry in self._b.probe(position)}
        sentences = []
        for move in dict.fromkeys([*ours, *theirs]):
            if move not in theirs:
                sentences.append(f"{position.san(move)}: only in the first book")
            elif move not in ours:
                sentences.append(f"{position.san(move)}: only in the second book")
            else:
                sentences += _sentences(position, move, ours[move], theirs[move], self._fields)
        return sentences


def _common_fields(a: BookKeeps, b: BookKeeps) -> tuple[str, ...]:
    """The fields of entries that both formats store."""
    fields: list[str] = []
    if a.weights == b.weights == "all":
        fields.append("weight")
    if a.weights == b.weights == "steps":
        fields.append("priority")
    if "none" not in (a.statistics, b.statistics):
        fields += _RESULTS
    fields += ["ratings", "opponents"] if a.ratings and b.ratings else []
    fields += ["nag"] if a.symbols and b.symbols else []
    fields += ["recommendation"] if a.recommendations and b.recommendations else []
    fields += ["comment"] if a.comments and b.comments else []
    fields += ["learning"] if a.learning and b.learning else []
    return tuple(fields)


def _sentences(position: Position, move: Move, ours: Entry, theirs: Entry, fields: tuple[str, ...]) -> Iterator[str]:
    for name in fields:
        first, second = getattr(ours, name), getattr(theirs, name)
        if first != second:
            yield f"{position.san(move)}: {name} {_text(first)} and {_text(second)}"


def _text(value: object) -> str:
    total, games = getattr(value, "total", None), getattr(value, "games", None)
    if total is not None:
        return f"{total} in {games} games"
    return "none" if value is None else str(int(value)) if isinstance(value, int) else str(value)
