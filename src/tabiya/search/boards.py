"""Conditions on pieces and squares: an exact position, a part of a board, numbers of pieces."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import TYPE_CHECKING, Final

from tabiya.chess import Color, Position
from tabiya.errors import FormatError, UsageError
from tabiya.positions.chess960 import chess960_key
from tabiya.search.conditions import AllOf, Condition, Instruction, Operation
from tabiya.search.pieces import ALL_SQUARES, LETTERS, color_of, piece_set_of, squares_of
from tabiya.search.position_keys import castling_fields

if TYPE_CHECKING:
    from collections.abc import Iterator

_RIGHTS: Final = "KQkq"
_NO_SQUARE: Final = 64
_MOVE_NUMBER: Final = re.compile(r"(?<!\d)\d+\s*\.(?:\s*\.\.)?\.*|…")
_MOST: Final = 64


def position_of_text(text: str, *, chess960: bool = False) -> tuple[Position, int]:
    """Return the position of a FEN or of moves from the start, and the number of fields if it was a FEN.

    With ``chess960`` the castling rights of a FEN are those of Chess960.
    """
    text = text.strip()
    if "/" in text:
        fields = text.split()
        return Position.from_fen(text, chess960=chess960), min(len(fields), 6)
    position = Position()
    moves = _MOVE_NUMBER.sub(" ", text).split()
    if not moves:
        raise UsageError(f"{text!r} is neither a FEN nor a list of moves")
    try:
        for move in moves:
            position = position.play(move)
    except FormatError as error:
        raise FormatError(f"{text!r} is neither a FEN nor a list of legal moves: {error.message}") from error
    return position, 6


@dataclass(frozen=True)
class ExactPosition(Condition):
    """This exact position, by any move order.

    Two positions are equal if their pieces, the side to move, the castling rights and the pawns that can really be
    taken en passant are equal. Fields missing at the end of a FEN may have any value: one field alone is the bare
    board.
    """

    position: str
    """A FEN, or moves from the start: ``1. e4 c5 2. Nf3``."""
    castling: bool = True
    """Whether castling rights must be equal."""
    chess960: bool = False
    """Whether games of Chess960 are searched, too; castling rights in a FEN are then those of Chess960."""

    def __post_init__(self) -> None:
        position, fields = self._read
        if fields > 1 and position.waiting_side_in_check():
            raise FormatError(f"{self.position.strip()} is impossible: the side that is not to move is in check")

    @cached_property
    def _read(self) -> tuple[Position, int]:
        return position_of_text(self.position, chess960=self.chess960)

    def _plainer(self) -> Condition:
        position, fields = self._read
        codes = position.codes()
        parts = [
            Instruction(Operation.ONLY, kind=code, squares=_squares_with(codes, code))
            for code, letter in enumerate(LETTERS)
            if letter != "."
        ]
        if fields > 1:
            parts.append(Instruction(Operation.TURN, color=position.turn_code))
        if fields > 2 and self.castling:
            rooks = sum(1 << rook for rook in position.castling() if rook is not None)
            parts.append(Instruction(Operation.CASTLING, low=_rights_of(position), squares=rooks))
        if fields > 3:
            parts.append(Instruction(Operation.EN_PASSANT, low=position.ep_legal))
        if not self.has_chess960:
            parts.append(Instruction(Operation.USUAL))
        return AllOf(tuple(parts))

    @property
    def has_chess960(self) -> bool:
        """Whether games of Chess960 are searched, whose keys in an index are different."""
        return self.chess960 or self._read[0].chess960

    def keys(self) -> tuple[int, ...]:
        """Return the Polyglot keys of all matching positions, for lookups in an index.

        Polyglot's key contains an en passant file even if the capture is illegal; other programs leave it out. So both
        keys are included. Fields missing in a FEN, or ``castling=False``, add further keys.
        """
        castlings = ["".join(some) or "-" for some in product(*(("", right) for right in _RIGHTS))]
        return tuple(sorted({position.key for position in self._variants(castlings, chess960=self._read[0].chess960)}))

    def chess960_keys(self) -> tuple[int, ...] | None:
        """Return the keys of all matching positions in games of Chess960; None if they are too many to look up."""
        castlings = castling_fields(self._read[0]) if self._has_open_rights else []
        if castlings is None:
            return None
        return tuple(sorted({chess960_key(position) for position in self._variants(castlings, chess960=True)}))

    @property
    def _has_open_rights(self) -> bool:
        return self._read[1] < 3 or not self.castling

    def _variants(self, castlings: list[str], *, chess960: bool) -> Iterator[Position]:
        """Yield all matching positions; ``castlings`` are the rights that they may have if these are open."""
        position, fields = self._read
        board, turn, rights, _ = position.fen().split()[:4]
        turns = [turn] if fields > 1 else ["w", "b"]
        squares = ["-", *(f"{file}{rank}" for file in "abcdefgh" for rank in "36")]
        for turn, castling, square in product(turns, castlings if self._has_open_rights else [rights], squares):
            variant = Position.from_fen(f"{board} {turn} {castling} {square}", chess960=chess960)
            sensible = square == "-" or variant.ep_used != _NO_SQUARE
            if sensible and (fields < 4 or variant.ep_legal == position.ep_legal):
                yield variant


def _squares_with(codes: bytes, code: int) -> int:
    return sum(1 << square for square, found in enumerate(codes) if found == code)


def _rights_of(position: Position) -> int:
    """Return the castling rights as a set, in the order of ``Board.rook``."""
    return sum(1 << place for place, rook in enumerate(position.castling()) if rook is not None)


@dataclass(frozen=True)
class Pattern(Condition):
    """A part of the board: only the named squares are checked.

    Either eight ranks as in a FEN, where digits count squares that may contain anything, ``8/8/p7/8/8/1B3N2/8/8``, or
    pieces with their squares, ``Bb3 Nf3 pa6``. Besides the letters of FEN there are ``A`` for any white piece, ``a``
    for any black piece, ``?`` for any piece, ``_`` for an empty square, and sets: ``[QR]`` one of these, ``[^P]`` any
    piece except these.
    """

    text: str

    def __post_init__(self) -> None:
        if not self._squares:
            raise UsageError(f"the pattern {self.text!r} names no piece and no empty square")

    @cached_property
    def _squares(self) -> dict[int, int]:
        """By set of pieces: the squares that must contain one of them."""
        placed = _from_ranks(self.text) if "/" in self.text else _from_list(self.text)
        squares: dict[int, int] = {}
        for square, pieces in placed:
            squares[pieces] = squares.get(pieces, 0) | 1 << square
        return squares

    def _plainer(self) -> Condition:
        parts = []
        for pieces, squares in self._squares.items():
            if pieces > 1 and pieces & (pieces - 1) == 0:
                parts.append(Instruction(Operation.PIECE, kind=pieces.bit_length() - 1, squares=squares))
            else:
                parts.append(Instruction(Operation.PIECES, pieces=pieces, squares=squares))
        return AllOf(tuple(parts))


_ONE: Final = r"\[\^?[A-Za-z?_]+\]|[A-Za-z?_]"
_RANK: Final = re.compile(rf"(?P<gap>[1-8])|(?P<pieces>{_ONE})")
_PLACED: Final = re.compile(rf"(?P<pieces>{_ONE})(?P<square>[a-h][1-8])")
_SIDE: Final = 8


def _piece_set(text: str) -> int:
    """Return the set of pieces that one square of a pattern allows."""
    if not text.startswith("["):
        return piece_set_of(text)
    inner = text[1:-1]
    if not inner.startswith("^"):
        return piece_set_of(inner)
    return piece_set_of("?") & ~piece_set_of(inner[1:]) or _impossible(text)


def _impossible(text: str) -> int:
    raise UsageError(f"{text!r} excludes every piece")


def _from_ranks(text: str) -> list[tuple[int, int]]:
    ranks = text.strip().split()[0].split("/")
    if len(ranks) != _SIDE:
        raise UsageError(f"the pattern {text!r} has {len(ranks)} ranks instead of 8")
    placed = []
    for rank, row in zip(range(7, -1, -1), ranks, strict=True):
        file = end = 0
        for found in _RANK.finditer(row):
            if found.start() != end:
                break
            end = found.end()
            if found["gap"]:
                file += int(found["gap"])
            else:
                placed.append((8 * rank + file, _piece_set(found["pieces"])))
                file += 1
        if end != len(row):
            raise UsageError(f"the pattern {text!r} cannot be read at {row[end:]!r}")
        if file != _SIDE:
            raise UsageError(f"rank {rank + 1} of the pattern {text!r} has {file} squares instead of 8")
    return placed


def _from_list(text: str) -> list[tuple[int, int]]:
    placed: dict[int, int] = {}
    for word in re.split(r"[\s,]+", text.strip()):
        found = _PLACED.fullmatch(word)
        if found is None:
            raise UsageError(
                f"the pattern {text!r} cannot be read at {word!r}: give pieces with squares, as Nf3, or eight ranks"
            )
        square = squares_of(found["square"]).bit_length() - 1
        pieces = _piece_set(found["pieces"])
        if square in placed and placed[square] != pieces:
            raise UsageError(f"the pattern {text!r} has two pieces on {found['square']}: give [QR] for either")
        placed[square] = pieces
    return list(placed.items())


@dataclass(frozen=True, slots=True)
class Count(Condition):
    """A range for a number of pieces, optionally on some squares: ``Count("Rr", 4)``, ``Count("P", 1, on="7")``."""

    pieces: str
    """Letters of FEN; ``A``, ``a`` and ``?`` for any white piece, any black piece, any piece."""
    least: int = 0
    most: int = _MOST
    on: str = ""
    """Squares, files and ranks, ``d4 e 7``; everywhere if empty."""

    def __post_init__(self) -> None:
        if not self.pieces:
            raise UsageError("there is nothing to count: give pieces")
        if not 0 <= self.least <= self.most:
            raise UsageError(f"there cannot be at least {self.least} and at most {self.most}")
        self._plainer()

    def _plainer(self) -> Condition:
        squares = squares_of(self.on) if self.on else ALL_SQUARES
        return Instruction(
            Operation.COUNT,
            pieces=piece_set_of(self.pieces),
            squares=squares,
            low=min(self.least, _MOST + 1),
            high=min(self.most, _MOST),
        )


@dataclass(frozen=True, slots=True)
class ToMove(Condition):
    """The given side is to move."""

    color: Color | str

    def __post_init__(self) -> None:
        self._plainer()

    def _plainer(self) -> Condition:
        return Instruction(Operation.TURN, color=color_of(self.color))
