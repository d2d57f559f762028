"""One position of a book with all data of its record, for reading and editing; bulk work uses columns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from tabiya.binary import Layout
from tabiya.books.ctg.columns import MARKS, RAW_CODE, STATISTICS, PositionColumns, empty_columns
from tabiya.books.ctg.position import position_of, signature_of
from tabiya.books.ctg.signature_kernel import decode_move, encode_move, frame_mask
from tabiya.chess import Move
from tabiya.errors import CorruptError, FormatError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from tabiya.chess import Position

_NUMBERS: Final = Layout.of(
    *("ctg record", ">"),
    *("u24 games wins losses draws", "u32 score"),
    *("u24 rated", "u32 rating_sum", "u24 opponents_rated", "u32 opponents_sum"),
    "u8 recommendation recommendation_2 nag",
)
"""The part after the moves of a record."""
_MOST_BLOCK: Final = 0xFF


class BookMove(NamedTuple):
    """A move in the list of a position."""

    token: int
    """As ``tabiya.chess.Move`` in the frame of the book; or ``RAW_CODE`` | the byte, if that is not a move."""
    nag: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class PositionRecord:
    """The data of a book about a position, in the frame of the book: White to move.

    Results and ratings are those of the side to move (``rated``, ``rating_sum``) and of its opponents.
    ``tabiya.books.ctg.columns`` explains the numbers.
    """

    signature: bytes
    moves: tuple[BookMove, ...] = ()
    games: int = 0
    wins: int = 0
    losses: int = 0
    draws: int = 0
    score: int = -1
    """Points of the side to move times ten; if negative, they are computed."""
    rated: int = 0
    rating_sum: int = 0
    opponents_rated: int = 0
    opponents_sum: int = 0
    recommendation: int = 0
    recommendation_2: int = 0
    """A byte of unknown meaning."""
    nag: int = 0

    @classmethod
    def of(cls, position: Position, moves: Mapping[Move, int] | None = None, **numbers: int) -> PositionRecord:
        """Return a record of a real position: moves and their NAGs are those of the real board, for either side."""
        mask = frame_mask(position)
        listed = tuple(BookMove(move_in_frame(move, mask), nag) for move, nag in (moves or {}).items())
        return cls(signature=signature_of(position), moves=listed, **numbers)

    @property
    def position(self) -> Position:
        """The position in the frame of the book; CorruptError if the signature is damaged."""
        return position_of(self.signature)

    @classmethod
    def decode(cls, data: bytes) -> PositionRecord:
        """Read the bytes of one record."""
        length = data[0] & 31 if data else 0
        block = data[length] if length < len(data) else 0
        if length == 0 or block % 2 == 0 or len(data) != length + block + _NUMBERS.size:
            raise CorruptError(f"these bytes are not a record: {data.hex()}")
        signature, codes = data[:length], data[length + 1 : length + block]
        moves = tuple(
            _decoded(signature, codes[:index:2], *codes[index : index + 2]) for index in range(0, block - 1, 2)
        )
        return cls(signature=signature, moves=moves, **_NUMBERS.read(data, length + block))

    def encode(self) -> bytes:
        """Return the bytes of the record; FormatError if a move has no code or a number does not fit."""
        codes = bytes(byte for move in self.moves for byte in (self._code(move.token), move.nag))
        if len(codes) >= _MOST_BLOCK:
            raise FormatError(f"{len(self.moves)} moves do not fit into a record of a CTG book")
        numbers = _NUMBERS.encode({field.name: self._number(field.name) for field in _NUMBERS.fields})
        return self.signature + bytes([len(codes) + 1]) + codes + numbers

    def _number(self, name: str) -> int:
        value: int = getattr(self, name)
        if name != "score" or value >= 0:
            return value
        undecided = max(0, self.games - self.wins - self.losses - self.draws)
        return 10 * self.wins + 5 * (self.draws + undecided)

    def _code(self, token: int) -> int:
        code = token & 0xFF if token >= RAW_CODE else encode_move(self.signature, token)
        if code < 0:
            raise FormatError(f"{Move(token)} has no code in a CTG book, in {self.position.fen()}")
        return code


def move_in_frame(move: int, mask: int) -> int:
    """Convert a move between the real board and the frame of the book, in either direction."""
    return move ^ mask ^ mask << 6 if move else 0


def columns_of_records(records: Iterable[PositionRecord]) -> PositionColumns:
    """Return columns for the writer."""
    rows = list(records)
    columns = empty_columns(len(rows), sum(len(record.moves) for record in rows))
    if rows:
        padded = b"".join(record.signature[:32].ljust(32, b"\0") for record in rows)
        columns["signatures"] = np.frombuffer(padded, np.uint8).reshape(-1, 32)
        columns["statistics"] = np.array([[getattr(record, name) for name in STATISTICS] for record in rows], np.int64)
        columns["marks"] = np.array([[getattr(record, name) for name in MARKS] for record in rows], np.uint8)
        columns["move_ends"] = np.cumsum([0, *(len(record.moves) for record in rows)], dtype=np.int64)
        columns["moves"] = np.array([move.token for record in rows for move in record.moves], np.uint16)
        columns["move_nags"] = np.array([move.nag for record in rows for move in record.moves], np.uint8)
    return PositionColumns(**columns)


def _decoded(signature: bytes, earlier: bytes, code: int, nag: int) -> BookMove:
    """Return a move, or its raw code if encoding the move would not return the same byte."""
    token = decode_move(signature, code)
    if token < 0 or code in earlier or encode_move(signature, token) != code:
        token = RAW_CODE | code
    return BookMove(token, nag)
