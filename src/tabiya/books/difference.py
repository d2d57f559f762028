"""Differences of two books, position by position."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from tabiya.books.merging import MergedBook
from tabiya.books.walk import walk_book

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tabiya.books.book import Book
    from tabiya.books.book_format import BookKeeps
    from tabiya.books.entry import Entry
    from tabiya.chess import Move, Position

_RESULTS: Final = ("games", "wins", "draws", "losses")
_PLAYED: Final = "played"
_CHANCE: Final = "chance"
"""Not a field of an entry: whether a move is ever played, and how likely."""
_LEAST_GAP: Final = 0.5
_LEAST_PRINTED: Final = 0.1
"""In percent."""


@dataclass(frozen=True, slots=True)
class BookDifference:
    """A position in which two books differ; if only its key is known, it has no FEN."""

    fen: str | None
    key: int
    differences: tuple[str, ...]
    """Sentences; the first value in each is that of the first book."""

    def as_dict(self) -> dict[str, Any]:
        """Return the difference for JSON."""
        return {"fen": self.fen, "key": f"{self.key:016x}", "differences": list(self.differences)}


class BookComparison:
    """Iterate over it to compare; counts the compared positions on the way.

    Only fields that both formats store are compared. If one of them has only weights, like Polyglot, the probability of
    each move is compared; for an Arena and a CTG book, which both have games, also whether a move is ever played.
    """

    def __init__(self, a: Book, b: Book, *, any_move: bool = False) -> None:
        """Prepare to compare two books; ``any_move`` follows any legal move, as ``walk_book`` does."""
        self._a, self._b = a, b
        self._any_move = any_move
        self._fields = _common_fields(a.format.keeps, b.format.keeps)
        self._met = [0, 0]
        self.positions = 0
        """Positions compared so far."""
        self.different = 0
        self.unreached = 0
        """Positions that were not compared, because only their keys are known; set at the end."""

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
        compare_keys = self._a.format.compare_keys
        if compare_keys is not None and self._a.format is self._b.format:
            for count, found in compare_keys(self._a, self._b, keys):
                self.positions += count
                if found is not None:
                    yield found
            return
        self.unreached = sum(
            max(0, len(book) - met)
            for book, met in zip((self._a, self._b), self._met, strict=True)
            if book.format.keeps.places == "keys"
        )

    def _positions(self) -> Iterator[Position]:
        """Yield the positions that lines of either book reach, then others that a book stores as such."""
        seen = [set[Hashable](), set[Hashable]()]
        books = (self._a, self._b)
        for position, entries in walk_book(MergedBook(books), any_move=self._any_move):
            if all(entry.transposition for entry in entries):
                continue  # moves that are not in the books but lead to positions of them
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
        ours, theirs = ({entry.move: entry for entry in book.probe(position)} for book in (self._a, self._b))
        self._met = [met + bool(entries) for met, entries in zip(self._met, (ours, theirs), strict=True)]
        chances = [_chances(entries) for entries in (ours, theirs)] if _CHANCE in self._fields else []
        sentences = []
        for move in dict.fromkeys([*ours, *theirs]):
            if move not in theirs:
                sentences.append(f"{position.san(move)}: only in the first book")
            elif move not in ours:
                sentences.append(f"{position.san(move)}: only in the second book")
            else:
                sentences += _sentences(position, move, ours[move], theirs[move], self._fields)
                sentences += _chance_sentences(position, move, *(each[move] for each in chances))
        return sentences


def _common_fields(a: BookKeeps, b: BookKeeps) -> tuple[str, ...]:
    """Return the fields of entries that both formats store."""
    fields: list[str] = []
    if a.weights == b.weights == "all":
        fields.append("weight")
    if a.weights == b.weights == "steps":
        fields.append("priority")
    if "none" not in (a.statistics, b.statistics):
        fields += _RESULTS
        if a.statistics != b.statistics:
            fields.append(_PLAYED)
    elif a.weights != b.weights:
        fields.append(_CHANCE)
    fields += ["ratings", "opponents"] if a.ratings and b.ratings else []
    fields += ["nag"] if a.symbols and b.symbols else []
    fields += ["recommendation"] if a.recommendations and b.recommendations else []
    fields += ["comment"] if a.comments and b.comments else []
    fields += ["learning"] if a.learning and b.learning else []
    return tuple(fields)


def _sentences(position: Position, move: Move, ours: Entry, theirs: Entry, fields: tuple[str, ...]) -> Iterator[str]:
    for name in fields:
        if name == _PLAYED:
            if bool(ours.weight) != bool(theirs.weight):
                which = "second" if ours.weight else "first"
                yield f"{position.san(move)}: never played in the {which} book"
        elif name != _CHANCE and (first := getattr(ours, name)) != (second := getattr(theirs, name)):
            yield f"{position.san(move)}: {name} {_text(first)} and {_text(second)}"


def _chances(entries: dict[Move, Entry]) -> dict[Move, float]:
    """Return the probability of each move, in percent."""
    total = sum(entry.weight for entry in entries.values()) or 1
    return {move: 100 * entry.weight / total for move, entry in entries.items()}


def _chance_sentences(position: Position, move: Move, *chances: float) -> Iterator[str]:
    """Yield moves that differ by half a percent or more, or that only one of the books ever plays."""
    if chances:
        first, second = chances
        if abs(first - second) >= _LEAST_GAP or bool(first) != bool(second):
            yield f"{position.san(move)}: played in {_percent(first)} and {_percent(second)}"


def _percent(chance: float) -> str:
    return "0%" if not chance else f"{chance:.1f}%" if chance >= _LEAST_PRINTED else f"less than {_LEAST_PRINTED}%"


def _text(value: object) -> str:
    total, games = getattr(value, "total", None), getattr(value, "games", None)
    if total is not None:
        return f"{total} in {games} games"
    return "none" if value is None else str(int(value)) if isinstance(value, int) else str(value)
