"""The common interface of open books of all formats."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import replace
from random import Random
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from tabiya.books.bitboards_kernel import load_bitboards
from tabiya.books.entry import BookMoves, Entry
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

Opening: TypeAlias = "tuple[Callable[..., Book], tuple[Any, ...]]"
"""How to open a book again: a function and its arguments."""

_SYSTEM_RANDOM = Random()
_NO_SQUARE = 64


class ForeignBoard(Protocol):
    """The used part of a board of python-chess, which is never imported."""

    @property
    def chess960(self) -> bool: ...

    def fen(self, *, en_passant: Any) -> str: ...


PositionLike: TypeAlias = Position | str | ForeignBoard
"""A position of tabiya, a FEN, or a board of python-chess."""


def as_position(position: PositionLike) -> Position:
    """Return a position given in any of these ways; FormatError if a FEN is invalid.

    Raises:
        UnsupportedError: A Chess960 position with castling rights that books cannot represent.
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
    """Return the position on a board of python-chess, without its counters if that is faster."""
    place = Position()
    white, black = board.occupied_co[True], board.occupied_co[False]
    kinds = (board.pawns, board.knights, board.bishops, board.rooks, board.queens, board.kings)
    ep = _NO_SQUARE if board.ep_square is None else board.ep_square
    if not board.chess960 and load_bitboards(place, white, black, *kinds, not board.turn, board.castling_rights, ep):
        return place
    # By default python-chess omits en passant squares without a legal capture.
    return Position.from_fen(board.fen(en_passant="fen"), chess960=bool(board.chess960))


class Book(Closing, ABC):
    """The positions of an opening book and their moves.

    ``book.probe(position)`` looks up a position, given as ``Position``, FEN or board of python-chess. Only
    ``TabiyaError`` is raised. ``len(book)`` is the number of positions.

    Formats implement ``_probe``, ``_count``, ``_positions``, and ``_close`` if they hold resources.
    """

    def __init__(self, path: Path, format: BookFormat) -> None:
        self._path = path
        self._format = format
        self._closed = False
        self._opening: Opening | str = "it was not opened from a path"  # how to open it again, or why not

    # Implemented by formats.

    @abstractmethod
    def _probe(self, position: Position) -> list[Entry]:
        """Return the moves of the book in a position, in any order; empty if the book does not have it."""

    @abstractmethod
    def _count(self) -> int:
        """Return the number of positions."""

    @abstractmethod
    def _positions(self) -> Iterator[Position]:
        """Yield every position that is stored as such, once."""

    def _reached(self, move: Move, after: Position) -> Entry | None:
        """Return an entry for a move that is not in the book, from the position it leads to."""
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
        """What the results are counted for."""
        return self._format.keeps.statistics

    @property
    def parts(self) -> tuple[Book, ...]:
        """The underlying books: the book itself, unless several are merged into one."""
        return (self,)

    def unreadable(self) -> LossReport:
        """Return the unreadable parts of the file, which copies and conversions lack; ``check`` locates them."""
        return LossReport()

    def besides(self) -> LossReport:
        """Return its contents besides positions and moves, which only its own format can store."""
        return LossReport()

    def unplayable(self, position: Position) -> int:  # noqa: ARG002 - most books have none
        """Return how many moves of a position ``probe`` leaves out because they are illegal."""
        return 0

    def _close(self) -> None:
        """Close files and maps."""

    # Public interface.

    @property
    def path(self) -> Path:
        """The path of the book; of several files, the one that was given."""
        return self._path

    @property
    def format(self) -> BookFormat:
        """The description of its format."""
        return self._format

    @property
    def files(self) -> tuple[Path, ...]:
        """All files of the book."""
        return (self._path,)

    def probe(self, position: PositionLike, *, transpositions: bool = False) -> BookMoves:
        """Return the moves of the book in a position, most likely first; empty if the book does not have the position.

        Illegal moves are left out: a key or an entry was damaged, or two positions share a key.

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
        moves = BookMoves(found)
        moves.position = place
        return moves

    def choose(self, position: PositionLike, rng: Random | None = None) -> Entry | None:
        """Return a random move, chosen by weight; None if the book has no move with a weight above 0.

        The documentation of the format explains what the weight is based on. Use a ``random.Random`` with a seed for
        reproducible moves.
        """
        playable = [entry for entry in self.probe(position) if entry.weight > 0]
        if not playable:
            return None
        return (rng or _SYSTEM_RANDOM).choices(playable, [entry.weight for entry in playable])[0]

    def positions(self) -> Iterator[Position]:
        """Yield every position that is stored as such, once, in a stable order."""
        self._check_open()
        with errors_of(self._path):
            for position in self._positions():
                yield position
                self._check_open()

    def close(self) -> None:
        """Close the files; the book cannot be used afterwards. May be called twice."""
        if not self._closed:
            self._closed = True
            with errors_of(self._path):
                self._close()

    # Special methods.

    def __len__(self) -> int:
        self._check_open()
        with errors_of(self._path):
            return self._count()

    def __bool__(self) -> bool:
        return True  # an open book is not an empty list

    def __contains__(self, position: object) -> bool:
        return bool(self.probe(position))  # type: ignore[arg-type]  # as_position rejects anything else

    def __repr__(self) -> str:
        return f"<{self._format.name} book {self._path}>"

    def _repr_html_(self) -> str:
        """Show the moves of the start position in a notebook; the result of ``probe`` shows those of any other."""
        from tabiya.books.tables import book_html  # noqa: PLC0415 - for notebooks

        return book_html(self)

    def __reduce__(self) -> Opening:
        """Pickle the path and how the book was opened; another process then opens it itself."""
        self._check_open()
        if isinstance(self._opening, str):
            raise UsageError(f"cannot be pickled: {self._opening}; pass on its path, and open that", path=self._path)
        return self._opening

    def _check_open(self) -> None:
        if self._closed:
            raise UsageError("the book is closed", path=self._path)


def _rank(entry: Entry) -> tuple[bool, int, int, int]:
    return entry.transposition, -entry.weight, -(entry.games or 0), entry.move
