"""Squares, colours, piece types and moves: the basic values of the chess modules."""

from __future__ import annotations

from enum import IntEnum
from functools import cache, partial
from typing import ClassVar, Self

from tabiya.errors import FormatError


class Color(IntEnum):
    """White or Black."""

    WHITE = 0
    BLACK = 1


class PieceType(IntEnum):
    """A kind of piece, without its colour."""

    PAWN = 1
    KNIGHT = 2
    BISHOP = 3
    ROOK = 4
    QUEEN = 5
    KING = 6


_FILES = "abcdefgh"
_RANKS = "12345678"
_SQUARE_COUNT = 64
_TOKEN_COUNT = 5 << 12


class Square(IntEnum):
    """A square of the board: A1 = 0, B1 = 1, … H8 = 63."""

    A1, B1, C1, D1, E1, F1, G1, H1 = range(8)
    A2, B2, C2, D2, E2, F2, G2, H2 = range(8, 16)
    A3, B3, C3, D3, E3, F3, G3, H3 = range(16, 24)
    A4, B4, C4, D4, E4, F4, G4, H4 = range(24, 32)
    A5, B5, C5, D5, E5, F5, G5, H5 = range(32, 40)
    A6, B6, C6, D6, E6, F6, G6, H6 = range(40, 48)
    A7, B7, C7, D7, E7, F7, G7, H7 = range(48, 56)
    A8, B8, C8, D8, E8, F8, G8, H8 = range(56, 64)

    @classmethod
    def parse(cls, text: str) -> Square:
        """Return the square with a name such as ``e4``."""
        if len(text) == 2 and text[0] in _FILES and text[1] in _RANKS:
            return cls(_FILES.index(text[0]) + 8 * _RANKS.index(text[1]))
        raise FormatError(f"{text!r} is not a square; squares are a1 to h8")

    @property
    def file(self) -> int:
        """0 for the a-file … 7 for the h-file."""
        return self & 7

    @property
    def rank(self) -> int:
        """0 for the first rank … 7 for the eighth."""
        return self >> 3

    @property
    def text(self) -> str:
        """The name of the square, for example ``e4``."""
        return _FILES[self & 7] + _RANKS[self >> 3]


_SQUARES = tuple(Square)  # looking up a member of the enum takes most of a microsecond
_SQUARE_NAMES = tuple(square.text for square in _SQUARES)


class Move(int):
    """A move as one number, the token of the tape: bits 0-5 from, 6-11 to, 12-14 promotion (1 N, 2 B, 3 R, 4 Q).

    Castling is *king takes own rook*, in standard chess and in Chess960 alike; 0 is the null move. A move does not know
    the position it is played in: use :meth:`tabiya.chess.Position.san` for its usual notation.
    """

    __slots__ = ()

    NULL: ClassVar[Move]

    def __new__(cls, token: int) -> Self:
        """Return the move of a token; FormatError if the token is not a move."""
        if not 0 <= token < _TOKEN_COUNT:
            raise FormatError(f"{token} is not the number of a move")
        return super().__new__(cls, token)

    @classmethod
    def of(cls, source: Square | int, target: Square | int, promotion: PieceType | int | None = None) -> Move:
        """Return the move from one square to another."""
        if not (0 <= source < _SQUARE_COUNT and 0 <= target < _SQUARE_COUNT):
            raise FormatError(f"squares are numbered 0 to 63, not {source} and {target}")
        if promotion is not None and not PieceType.KNIGHT <= promotion <= PieceType.QUEEN:
            raise FormatError("a pawn promotes to a knight, bishop, rook or queen")
        return cls(source | target << 6 | (promotion - 1 if promotion else 0) << 12)

    @property
    def from_square(self) -> Square:
        """The square that the piece leaves."""
        return _SQUARES[self & 63]

    @property
    def to_square(self) -> Square:
        """The square that the piece moves to; in castling the square of the rook."""
        return _SQUARES[self >> 6 & 63]

    @property
    def promotion(self) -> PieceType | None:
        """The piece that a pawn promotes to."""
        return PieceType((self >> 12) + 1) if self >> 12 else None

    @property
    def is_null(self) -> bool:
        """Whether this is the null move, which only passes the turn."""
        return self == 0

    def __str__(self) -> str:
        if self.is_null:
            return "0000"
        return _SQUARE_NAMES[self & 63] + _SQUARE_NAMES[self >> 6 & 63] + ("", "n", "b", "r", "q")[self >> 12]

    def __repr__(self) -> str:
        return f"<Move {self}>"


Move.NULL = Move(0)


@cache
def all_moves() -> tuple[Move, ...]:
    """Return every move, by token: returning one of these is ten times faster than creating a new one."""
    return tuple(map(partial(int.__new__, Move), range(_TOKEN_COUNT)))  # no check: all of these are moves
