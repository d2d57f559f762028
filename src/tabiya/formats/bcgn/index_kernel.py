"""The move index and its relatives for single positions: reads tokens or bytes, writes bytes or tokens.

The doors of :mod:`tabiya.formats.bcgn.move_index`. Linear in the number of moves.
"""

import cython
from cython.cimports.libc.stdint import uint8_t
from cython.cimports.libc.string import memset
from cython.cimports.tabiya.chess.board import KING, Board, is_legal
from cython.cimports.tabiya.chess.fen_kernel import MAX_FEN
from cython.cimports.tabiya.chess.position_kernel import PositionCore
from cython.cimports.tabiya.formats.bcgn.bit_stream import BitReader, BitWriter, end_bits
from cython.cimports.tabiya.formats.bcgn.moves import (
    MOST_MOVE_BYTES,
    Blocks,
    count_blocks,
    decode_index,
    encode_index,
    is_wide,
    play,
    read_move,
    write_move,
)
from cython.cimports.tabiya.formats.bcgn.position_kernel import (
    PACKED,
    PACKED_BYTES,
    format_start,
    pack_board,
    unpack_board,
)

ROOM = cython.declare(cython.int, 1024)  # moves that are encoded at a time


def index_of(position: PositionCore, token: cython.int) -> int:
    """Return the index of a legal move, -1 for any other ``Move``."""
    blocks: Blocks
    if not is_legal(cython.address(position.board), token):
        return -1
    count_blocks(cython.address(position.board), cython.address(blocks))
    return encode_index(cython.address(position.board), cython.address(blocks), token)


def token_of(position: PositionCore, index: cython.int) -> int:
    """Return the legal move with this index, -1 if there is none."""
    blocks: Blocks
    if index < 0:
        return -1
    count_blocks(cython.address(position.board), cython.address(blocks))
    return decode_index(cython.address(position.board), cython.address(blocks), index)


def span_of(position: PositionCore) -> tuple:
    """Return how many values the index may have here, and how many bytes it takes."""
    blocks: Blocks
    count_blocks(cython.address(position.board), cython.address(blocks))
    return blocks.begin[position.board.turn][KING], 2 if is_wide(
        cython.address(position.board), cython.address(blocks)
    ) else 1


def encode_line(position: PositionCore, tokens: list, level: cython.int) -> tuple:
    """Return the movetext of moves from a position; how many were written, and why it ended early (0 if it did not)."""
    board: Board = position.board
    blocks: Blocks
    bits: BitWriter
    buffer: uint8_t[2 * 1024 + 8]
    parts = []
    code: cython.int = 0
    count: cython.Py_ssize_t = 0
    token: cython.int
    memset(cython.address(bits), 0, cython.sizeof(BitWriter))
    bits.data = buffer
    count_blocks(cython.address(board), cython.address(blocks))
    while count < len(tokens):
        token = tokens[count]
        code = write_move(cython.address(board), cython.address(blocks), level, token, cython.address(bits))
        if code < 0:
            break
        play(cython.address(board), cython.address(blocks), level, token)
        count += 1
        if bits.size >= MOST_MOVE_BYTES * ROOM:
            parts.append(buffer[: bits.size])
            bits.size = 0
    end_bits(cython.address(bits))
    parts.append(buffer[: bits.size])
    return b"".join(parts), count, code


def decode_line(position: PositionCore, data: bytes, plies: cython.Py_ssize_t, level: cython.int) -> tuple:
    """Return the tokens of a movetext, how many bits they take, and why it ended early (0 if it did not)."""
    board: Board = position.board
    blocks: Blocks
    bits: BitReader
    tokens = []
    move: cython.int = 0
    bits.data = data
    bits.size = len(data)
    bits.place = 0
    count_blocks(cython.address(board), cython.address(blocks))
    while len(tokens) < plies:
        move = read_move(cython.address(board), cython.address(blocks), level, cython.address(bits))
        if move < 0:
            break
        tokens.append(move)
        play(cython.address(board), cython.address(blocks), level, move)
    return tokens, bits.place, min(move, 0)


def pack(position: PositionCore) -> tuple:
    """Return the packed position, and 0 or why there is none."""
    out: uint8_t[PACKED_BYTES]
    code: cython.int = pack_board(cython.address(position.board), out)
    return out[:PACKED_BYTES] if code == PACKED else b"", code


def unpack(packed: bytes) -> tuple:
    """Return the FEN of a packed position, and 0 or why it is none."""
    board: Board
    text: cython.uchar[MAX_FEN]
    if len(packed) != PACKED_BYTES:
        raise ValueError("a packed position has 24 bytes")
    code: cython.int = unpack_board(packed, cython.address(board))
    if code != PACKED:
        return "", code
    length: cython.int = format_start(cython.address(board), text)
    return text[:length].decode("ascii"), PACKED
