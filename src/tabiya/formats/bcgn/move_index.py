"""The move index: in a given position every legal move is one small number, and the number is the move.

Values 0 and 1 are castling, 2 to 9 the squares around the king; then every other piece of the side to move has a block
of values: pawns, knights, bishops, rooks, queens, each kind in ascending order of squares. A block has a value for
every square that the piece could reach on an empty board, so many values are unused. The index fits one byte; it takes
two as soon as the side to move has more than two queens.

All functions are exact inverses of each other, and raise a ``TabiyaError`` for what BCGN cannot store. Chess960 is not
part of the format.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tabiya.chess import Move, Position
from tabiya.errors import CorruptError, FormatError, UnsupportedError, UsageError
from tabiya.formats.bcgn.index_kernel import decode_line, encode_line, index_of, pack, span_of, token_of, unpack

if TYPE_CHECKING:
    from collections.abc import Iterable

LEVELS: Final = (0, 1, 2)
"""Two bytes per move; the move index; the fewest bits that the position allows."""

PACKED_BYTES: Final = 24
_ONE_BYTE: Final = 256
_INDEX_TOO_LARGE: Final = -3
_NO_MORE_BYTES: Final = -2
_UNPACKABLE: Final = {
    1: "there are more than 32 pieces",
    2: "the king or a rook castles from an unusual square",
    3: "a side does not have exactly one king",
    4: "a pawn stands on the first or last rank",
    5: "a marker is on a piece that cannot have one",
}


def move_to_index(position: Position, move: Move | int) -> int:
    """Return the index of a legal move.

    Raises:
        FormatError: The move is not legal here; the null move has no index.
        UnsupportedError: The index does not fit into its bytes, which cannot happen in a game.
    """
    _check_standard(position)
    token = Move(move)
    index = index_of(position, token)
    if index < 0:
        raise FormatError(f"{token} is not a legal move in {position.fen()}")
    if index >= _ONE_BYTE ** index_width(position):
        raise UnsupportedError(f"the index of {token} is {index} in {position.fen()}, which needs a second byte")
    return index


def index_to_move(position: Position, index: int) -> Move:
    """Return the legal move with this index; raise FormatError if there is none."""
    _check_standard(position)
    token = token_of(position, index) if 0 <= index < _ONE_BYTE**2 else -1
    if token < 0:
        raise FormatError(f"no legal move has the index {index} in {position.fen()}")
    return Move(token)


def index_size(position: Position) -> int:
    """Return the number of index values here; every index is below it."""
    _check_standard(position)
    return span_of(position)[0]


def index_width(position: Position) -> int:
    """Return how many bytes an index takes here: two if the side to move has more than two queens, else one."""
    return span_of(position)[1]


def encode_moves(position: Position, moves: Iterable[Move | int], level: int = 1) -> bytes:
    """Return the movetext of a line of moves, which begins in ``position``.

    Raises:
        FormatError: A move is not legal; null moves exist at level 0 only.
        UnsupportedError: An index does not fit, see ``move_to_index``.
    """
    _check_standard(position)
    tokens: list[int] = [Move(move) for move in moves]
    data, count, code = encode_line(position, tokens, _checked(level))
    if code == _INDEX_TOO_LARGE:
        raise UnsupportedError(f"the index of move {count} needs a second byte, which it does not have here")
    if code:
        raise FormatError(f"move {count} of the line ({tokens[count]}) is not legal or not known at level {level}")
    return data


def decode_moves(position: Position, data: bytes, plies: int, level: int = 1) -> list[Move]:
    """Return the moves of a movetext; raise CorruptError if it does not contain that many legal moves."""
    _check_standard(position)
    tokens, place, code = decode_line(position, data, plies, _checked(level))
    if code:
        reason = "the bytes end here" if code == _NO_MORE_BYTES else "no legal move has this number"
        raise CorruptError(f"move {len(tokens)} of the line cannot be read: {reason}", offset=place // 8)
    return [Move(token) for token in tokens]


def pack_position(position: Position) -> bytes:
    """Return the position in 24 bytes. Counters are lost, and an en passant square without a legal capture.

    Raises:
        UnsupportedError: It has more than 32 pieces, or castles as in Chess960.
    """
    packed, code = pack(position)
    if code:
        raise UnsupportedError(f"this position has no packed form: {_UNPACKABLE[code]}")
    return packed


def unpack_position(packed: bytes) -> Position:
    """Return the position in 24 bytes; raise CorruptError if they are invalid."""
    if len(packed) != PACKED_BYTES:
        raise CorruptError(f"a packed position has {PACKED_BYTES} bytes, not {len(packed)}")
    fen, code = unpack(bytes(packed))
    if code:
        raise CorruptError(f"these bytes are not a position: {_UNPACKABLE[code]}")
    return Position.from_fen(fen)


def _checked(level: int) -> int:
    if level not in LEVELS:
        raise UsageError(f"the compression level must be 0, 1 or 2, not {level}")
    return level


def _check_standard(position: Position) -> None:
    if position.chess960:
        raise UnsupportedError("BCGN cannot hold Chess960: its castling moves have no index")
