"""Writers of books: nothing is visible under the name of the book before the commit."""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter
from operator import attrgetter
from typing import TYPE_CHECKING, Final

from tabiya.books.all_or_nothing import AllOrNothing
from tabiya.books.book import as_position
from tabiya.books.entry import Recommendation
from tabiya.books.weights_as_games import WeightsAsGames
from tabiya.errors import FormatError, LossError, UsageError
from tabiya.files.file_errors import errors_of
from tabiya.formats.losses import MAX_EXAMPLES, Loss, LossReport

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from tabiya.books.book import PositionLike
    from tabiya.books.book_format import BookFormat, Statistics
    from tabiya.books.entry import Entry
    from tabiya.chess import Move, Position

_LARGEST: Final = (1 << 47) - 1
"""Far more than any file can store, and small enough to be multiplied by 16 bits in 64."""
_LIMITS: Final = {
    **dict.fromkeys(("weight", "games", "wins", "draws", "losses"), _LARGEST),
    **dict.fromkeys(("nag", "comment"), 0xFFFF),
    "priority": 0xFF,
    "learning": 0xFFFFFFFF,
}
"""The largest number for each field of an entry."""
_CLASH: Final = ("shared_weights", "weights of moves to a position that another move reaches with a different weight")
_limited: Final = attrgetter(*_LIMITS)


def lost(what: str, text: str, count: int = 1, examples: Iterable[str] = ()) -> Loss:
    """Return a line of the loss report of a book, which has no game numbers."""
    return Loss(what, text, count, 0, tuple(examples))


class BookWriter(AllOrNothing):
    """Writes positions and their moves into a new book.

    As a context manager it commits at the end, or discards everything if there was an error. With ``strict`` a commit
    that would lose anything raises ``LossError`` instead and leaves the target unchanged.

    Formats implement ``_add`` and ``_write``; they count what they cannot store with ``_lose``.
    """

    def __init__(self, path: Path, format: BookFormat, *, overwrite: bool = False, strict: bool = False) -> None:
        super().__init__(path)
        self._format = format
        self._overwrite = overwrite
        self._strict = strict
        self._counts: Counter[tuple[str, str]] = Counter()  # one addition per loss: there may be several per move
        self._examples: dict[str, list[str]] = {}
        self._keys_added: set[int] = set()
        self._carrier = WeightsAsGames(format.identity) if format.keeps.weights == "games" else None
        self._waiting_for_marks: list[tuple[Position, tuple[Entry, ...]]] = []
        self.counted: Statistics = "positions"
        """What the games of entries were counted for; relevant for formats that count for positions."""
        self.positions = 0
        """Number of positions written."""
        self.moves = 0
        """Number of moves written."""

    # Implemented by formats.

    @abstractmethod
    def _add(self, position: Position, entries: tuple[Entry, ...]) -> None:
        """Take a position; no two have the same key, and the moves are legal and distinct."""

    @abstractmethod
    def _write(self) -> None:
        """Write everything and publish it."""

    def _lose(self, what: str, text: str, count: int = 1, examples: Iterable[str] = ()) -> None:
        self._counts[what, text] += count
        if examples:
            self._examples[what] = [*self._examples.get(what, ()), *examples][:MAX_EXAMPLES]

    # Public interface.

    @property
    def strict(self) -> bool:
        """Whether a loss is an error."""
        return self._strict

    @strict.setter
    def strict(self, strict: bool) -> None:
        self._strict = strict

    @property
    def path(self) -> Path:
        """The path of the book."""
        return self._path

    @property
    def format(self) -> BookFormat:
        """The description of its format."""
        return self._format

    @property
    def losses(self) -> LossReport:
        """The losses so far; some are known only after the commit."""
        counts = self._counts.items()
        return LossReport.of(lost(what, text, count, self._examples.get(what, ())) for (what, text), count in counts)

    def add(self, position: PositionLike, entries: Iterable[Entry]) -> None:
        """Add a position with its moves.

        Raises:
            FormatError: A move is illegal, or repeated.
            UsageError: The position has been added already, or a number is invalid.
        """
        self._check_open()
        place, moves = as_position(position), tuple(entries)
        if place.key in self._keys_added:
            raise UsageError(f"this position has already been added: {place.fen()}", path=self._path)
        for number, entry in enumerate(moves):
            if not place.is_legal(entry.move) or any(entry.move == other.move for other in moves[:number]):
                raise FormatError(
                    f"{entry.move} is not a legal move, or given twice, in {place.fen()}", path=self._path
                )
            self._check_numbers(entry)
        carried, waits = (moves, False) if self._carrier is None else self._carrier.carry(place, moves)
        if waits:
            self._waiting_for_marks.append((place, carried))
        else:
            self._add(place, carried)
        self._keys_added.add(place.key)
        self._count_losses(moves)
        self.positions += 1
        self.moves += len(moves)

    def _check_numbers(self, entry: Entry) -> None:
        """Reject numbers that no file could contain; formats clamp those that are too large for their files."""
        for name, number, limit in zip(_LIMITS, _limited(entry), _LIMITS.values(), strict=True):
            if number is not None and not (isinstance(number, int) and 0 <= number <= limit):
                raise self._no_number(name, entry, limit, number)
        for name, side in (("ratings", entry.ratings), ("opponents", entry.opponents)):
            if side is not None and not (0 <= side.games <= _LARGEST and 0 <= side.total <= _LARGEST):
                raise self._no_number(name, entry, _LARGEST, side)

    def _no_number(self, name: str, entry: Entry, limit: int, given: object) -> UsageError:
        return UsageError(
            f"{name} of {entry.move} must be a whole number from 0 to {limit}, not {given!r}", path=self._path
        )

    def _count_losses(self, entries: tuple[Entry, ...]) -> None:
        """Count what the format does not store. Weights are counted by the caller, who knows what they mean."""
        keeps = self._format.keeps
        for entry in entries:
            if keeps.statistics == "none" and entry.games:
                self._lose("statistics", "moves whose games and results cannot be stored")
            if not keeps.ratings and any(side is not None and side.games for side in (entry.ratings, entry.opponents)):
                self._lose("ratings", "moves whose ratings cannot be stored")
            if not keeps.symbols and entry.nag:
                self._lose("symbols", "moves with a symbol such as !")
            # Weight 0 also means never to be played.
            never = entry.recommendation == Recommendation.AVOID and entry.weight == 0 and keeps.weights != "none"
            if not keeps.recommendations and entry.recommendation and not never:
                self._lose("recommendations", "moves with a recommendation")
            if not keeps.comments and entry.comment:
                self._lose("comments", "positions with a symbol such as +=")
            if not keeps.learning and entry.learning:
                self._lose("learning", "moves with learning data")

    def commit(self) -> None:
        """Publish the book, complete and on disk; nothing more can be added."""
        self._check_open()
        self._done = True
        with errors_of(self._path):
            if self._carrier is not None:
                for position, entries in self._waiting_for_marks:
                    self._add(position, self._carrier.mark(position, entries))
                if self._carrier.clashes:
                    self._lose(*_CLASH, self._carrier.clashes)
            self._write()

    @property
    def weights_as_games(self) -> int:
        """Number of weights written as games without a result, because the format cannot store weights."""
        return 0 if self._carrier is None else self._carrier.carried

    def lead(self, position: Position, move: Move) -> None:
        """Take a move that is not in the book but leads to positions of it, for formats that store only lines."""

    def _refuse_losses(self) -> None:
        """Raise the error of ``strict``. Called by ``_write`` when all losses are known and before anything appears."""
        if self._strict and self._counts:
            raise LossError(
                f"nothing was written, because this would be lost: {self.losses.summary()}", path=self._path
            )

    def __repr__(self) -> str:
        return f"<{self._format.name} book writer {self._path}: {self.positions} positions>"
