"""Changes single moves of a book and keeps everything else, including entries of unknown positions."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

from tabiya.books.all_or_nothing import AllOrNothing
from tabiya.books.book import as_position
from tabiya.books.entry import Ratings
from tabiya.chess import Move
from tabiya.errors import FormatError, UsageError
from tabiya.files.file_errors import errors_of
from tabiya.files.transaction import refuse_existing

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from tabiya.books.book import PositionLike
    from tabiya.books.book_format import BookFormat
    from tabiya.chess import Position


@dataclass(frozen=True, slots=True)
class Changed:
    """The changes in a position: new values by move, None for a move to remove."""

    position: Position
    moves: dict[Move, dict[str, Any] | None] = field(default_factory=dict)


class BookEditor(AllOrNothing):
    """Changes single moves of a book. All changes appear at once when the block ends, or none after an error.

    Records of other moves keep their bytes. Formats implement ``_write``, and declare in ``limits`` what can be set.
    """

    limits: ClassVar[Mapping[str, int]]
    """The fields of an entry that the format stores, with the largest number for each."""
    chief: ClassVar[str | None] = None
    """The field that determines how likely a move is played, if the format has one."""

    def __init__(self, path: Path, format: BookFormat, *, target: Path | None = None, overwrite: bool = False) -> None:
        super().__init__(path)
        self._format = format
        self._target = path if target is None else target
        self._overwrite = overwrite or target is None
        if target is not None:
            with errors_of(target):
                refuse_existing(target, overwrite=overwrite)
        self._changes: dict[int, Changed] = {}
        self.changed = 0
        """Number of moves that got other values; known after the commit, like the next two."""
        self.added = 0
        self.removed = 0

    @abstractmethod
    def _write(self, changes: list[Changed]) -> None:
        """Write the book with these changes to ``_target``, and count them."""

    @property
    def path(self) -> Path:
        """The path of the changed book."""
        return self._target

    @property
    def format(self) -> BookFormat:
        """The description of its format."""
        return self._format

    def set(self, position: PositionLike, move: Move | str, **values: int | Ratings) -> None:
        """Set values of a move in a position; a move that the book does not have is added.

        Args:
            position: a ``Position``, a FEN, or a board of python-chess.
            move: a ``Move``, or a text such as ``Nf3`` or ``g1f3``.
            values: fields of ``Entry`` that the format stores, such as ``weight=100`` in a Polyglot book. Other fields
                stay as they are, and are 0 in a new move.

        Raises:
            FormatError: The move is not legal.
            UsageError: The format does not store such a field or number.
        """
        changed, token = self._place(position, move)
        if not values:
            raise UsageError(f"nothing to set; give at least one of: {', '.join(self.limits)}", path=self._path)
        for name, value in values.items():
            self._check(name, value)
        changed.moves[token] = {**(changed.moves.get(token) or {}), **values}

    def remove(self, position: PositionLike, move: Move | str) -> None:
        """Remove a move from a position.

        Raises:
            FormatError: The move is not legal.
            UsageError: (on commit) The book does not have it.
        """
        changed, token = self._place(position, move)
        changed.moves[token] = None

    def commit(self) -> None:
        """Publish the changes; no further changes are possible."""
        self._check_open()
        self._done = True
        with errors_of(self._path):
            self._write([changed for changed in self._changes.values() if changed.moves])

    def _place(self, position: PositionLike, move: Move | str) -> tuple[Changed, Move]:
        self._check_open()
        place = as_position(position)
        token = place.parse_san(move) if isinstance(move, str) else move
        if not place.is_legal(token):
            raise FormatError(f"{move} is not a legal move in {place.fen()}", path=self._path)
        return self._changes.setdefault(place.key, Changed(place)), token

    def _check(self, name: str, value: object) -> None:
        if name not in self.limits:
            raise UsageError(
                f"a {self._format.name} book stores no {name}; what can be set: {', '.join(self.limits)}",
                path=self._path,
            )
        numbers = [value.games, value.total] if isinstance(value, Ratings) else [value]
        if isinstance(value, Ratings) != (name in ("ratings", "opponents")) or not all(
            isinstance(number, int) and 0 <= number <= self.limits[name] for number in numbers
        ):
            raise UsageError(
                f"{name} must be a whole number from 0 to {self.limits[name]}, not {value!r}", path=self._path
            )

    def _missing(self, position: Position, move: Move) -> UsageError:
        return UsageError(f"{position.san(move)} is not in the book, in {position.fen()}", path=self._path)

    def __repr__(self) -> str:
        return f"<editor of the {self._format.name} book {self._path}>"
