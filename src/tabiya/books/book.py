"""A book that is open for reading: the one face of every format."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import replace
from random import Random
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from tabiya.books.bitboards_kernel import load_bitboards
from tabiya.books.entry import Entry
from tabiya.chess import Position
from tabiya.errors import UnsupportedError, UsageError
from tabiya.files.closing import Closing
from tabiya.files.file_errors import errors_of
from tabiya.formats.losses import LossReport

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterator
    from pathlib import Path

    from tabiya.books.book_format import BookFormat, Statistics
    from tabiya.chess import Move

__all__ = ["Book", "Opening", "PositionLike", "as_position"]

Opening: TypeAlias = "tuple[Callable[..., Book], tuple[Any, ...]]"
"""How a book is opened again: a function and its arguments."""

_SYSTEM_RANDOM = Random()
_NO_SQUARE = 64


class ForeignBoard(Protocol):
    """A board of python-chess, as far as it is needed; it is never imported."""

    @property
    def chess960(self) -> bool: ...

    def fen(self, *, en_passant: Any) -> str: ...


PositionLike: TypeAlias = Position | str | ForeignBoard
"""A position of tabiya, a FEN, or a board of python-chess."""


def as_position(position: PositionLike) -> Position:
    """Return the position that was given in any of these ways; FormatError if a FEN is invalid.

    Raises:
        UnsupportedError: It is one of Chess960 with castling rights that books have no form for.
    """
    if isinstance(position, Position):
        place = position
    elif isinstance(position, str):
        place = Position.from_fen(position)
    elif hasattr(position, "fen") and hasattr(position, "chess960"):
        place = _of_board(position)
    else:
        raise UsageError(f"expected a position or a FEN, not {position!r}")
    if place.chess960 and any(square is not None for square in place.castling()):
        raise UnsupportedError("opening books hold standard chess only, and this position has Chess960 castling rights")
    return place


def _of_board(board: Any) -> Position:
    """Return the position on a board of python-chess, without its counters where that is quicker."""
    place = Position()
    white, black = board.occupied_co[True], board.occupied_co[False]
    kinds = (board.pawns, board.knights, board.bishops, board.rooks, board.queens, board.kings)
    ep = _NO_SQUARE if board.ep_square is None else board.ep_square
    if not board.chess960 and load_bitboards(place, white, black, *kinds, not board.turn, board.castling_rights, ep):
        return place
    # python-chess leaves out en passant squares without a legal capture unless it is told not to.
    return Position.from_fen(board.fen(en_passant="fen"), chess960=bool(board.chess960))


class Book(Closing, ABC):
    """The positions of an opening book and their moves.

    ``book.probe(position)`` is a lookup: positions may be given as ``Position``, FEN or board of python-chess. Only
    ``TabiyaError`` is raised. ``len(book)`` is the number of positions.

    Formats implement ``_probe``, ``_count``, ``_positions``, and ``_close`` if there is something to give back.
    """

    def __init__(self, path: Path, format: BookFormat) -> None:
        self._path = path
        self._format = format
        self._closed = False
        self._opening: Opening | str = "it was not opened from a path"  # how to open it again, or why not

    # What formats implement.

    @abstractmethod
    def _probe(self, position: Position) -> list[Entry]:
        """Return the moves of the book in a position, in any order; empty if the book does not know it."""

    @abstractmethod
    def _count(self) -> int:
        """Return the number of positions."""

    @abstractmethod
    def _positions(self) -> Iterator[Position]:
        """Yield every position that can be given as such, once."""

    def _reached(self, move: Move, after: Position) -> Entry | None:
        """Return what the book knows about a move that is not its own, by the position it leads to."""
        replies = self._probe(after)
        if not replies:
            return None
        entry = Entry(move=move, weight=0, transposition=True)
        numbers = [(reply.games, reply.losses, reply.draws, reply.wins) for reply in replies]
        if any(number is None for reply in numbers for number in reply):
            return entry
        games, wins, draws, losses = (sum(number or 0 for number in column) for column in zip(*numbers, strict=True))
        return replace(entry, games=games, wins=wins, draws=draws, losses=losses)

    def identity(self, position: Position) -> Hashable:
        """Return a key that is equal for positions that the book does not distinguish."""
        return self._format.identity(position)

    def views(self, position: Position) -> tuple[Position, ...]:
        """Return all positions that the book does not distinguish from this one, itself included."""
        return (position,)

    @property
    def counted(self) -> Statistics:
        """What its games were counted for."""
        return self._format.keeps.statistics

    @property
    def parts(self) -> tuple[Book, ...]:
        """The books that answer: itself, unless several answer as one."""
        return (self,)

    def unreadable(self) -> LossReport:
        """Return what cannot be read of the file, and so is missing in copies and conversions; ``check`` says where."""
        return LossReport()

    def besides(self) -> LossReport:
        """Return what it holds besides positions and their moves, which only its own format has a place for."""
        return LossReport()

    def unplayable(self, position: Position) -> int:  # noqa: ARG002 - most books have none
        """Return how many moves of a position are left out by ``probe`` because they are not legal."""
        return 0

    def _close(self) -> None:
        """Give back files and maps."""

    # What users see.

    @property
    def path(self) -> Path:
        """Where the book is; of several files, the one that was named."""
        return self._path

    @property
    def format(self) -> BookFormat:
        """The description of its format."""
        return self._format

    @property
    def files(self) -> tuple[Path, ...]:
        """All files that belong to it."""
        return (self._path,)

    def probe(self, position: PositionLike, *, transpositions: bool = False) -> tuple[Entry, ...]:
        """Return the moves that the book has in a position, the most likely ones first; none if it does not know it.

        Moves that are not legal are left out: a key or an entry was damaged, or two positions share a key.

        Args:
            position: a ``Position``, a FEN, or a board of python-chess.
            transpositions: add legal moves that are not in the book but lead to a position that is. Their weight is 0.
        """
        self._check_open()
        place = as_position(position)
        with errors_of(self._path):
            found = self._probe(place)
            if transpositions:
                known = {entry.move for entry in found}
                for move in place.legal_moves():
                    if move not in known and (entry := self._reached(move, place.play(move))) is not None:
                        found.append(entry)
        found.sort(key=_rank)
        return tuple(found)

    def choose(self, position: PositionLike, rng: Random | None = None) -> Entry | None:
        """Return a move at random, each as likely as its weight says; None if the book has none with a weight above 0.

        What the weight is made of stands in the documentation of the format. Give a ``random.Random`` with a seed to
        get the same moves again.
        """
        playable = [entry for entry in self.probe(position) if entry.weight > 0]
        if not playable:
            return None
        return (rng or _SYSTEM_RANDOM).choices(playable, [entry.weight for entry in playable])[0]

    def positions(self) -> Iterator[Position]:
        """Yield every position of the book that can be given as such, once, in an order that does not change."""
        self._check_open()
        with errors_of(self._path):
            for position in self._positions():
                yield position
                self._check_open()

    def close(self) -> None:
        """Give back files; asking afterwards is an error. May be called twice."""
        if not self._closed:
            self._closed = True
            with errors_of(self._path):
                self._close()

    # What Python sees.

    def __len__(self) -> int:
        self._check_open()
        with errors_of(self._path):
            return self._count()

    def __bool__(self) -> bool:
        return True  # an open book is no empty list

    def __contains__(self, position: object) -> bool:
        return bool(self.probe(position))  # type: ignore[arg-type]  # as_position refuses anything else

    def __repr__(self) -> str:
        return f"<{self._format.name} book {self._path}>"

    def __reduce__(self) -> Opening:
        """Pickle where the book is and how it was opened; another process then opens it for itself."""
        self._check_open()
        if isinstance(self._opening, str):
            raise UsageError(f"cannot be pickled: {self._opening}; pass on its path, and open that", path=self._path)
        return self._opening

    def _check_open(self) -> None:
        if self._closed:
            raise UsageError("the book is closed", path=self._path)


def _rank(entry: Entry) -> tuple[bool, int, int, int]:
    return entry.transposition, -entry.weight, -(entry.games or 0), entry.move
