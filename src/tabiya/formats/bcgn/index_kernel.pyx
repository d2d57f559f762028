"""The move index and its variants for single positions: reads tokens or bytes, writes bytes or tokens.

Python interface for :mod:`tabiya.formats.bcgn.move_index`. Linear in the number of moves.
"""

from libc.stdint cimport uint8_t
from libc.string cimport memset

from tabiya.chess.board cimport KING, Board, is_legal
from tabiya.chess.fen_kernel cimport MAX_FEN
from tabiya.chess.position_kernel cimport PositionCore
from tabiya.formats.bcgn.fields cimport PACKED_BYTES
from tabiya.formats.bcgn.bit_stream cimport BitReader, BitWriter, end_bits
from tabiya.formats.bcgn.moves cimport (
    MOST_MOVE_BYTES, Blocks, count_blocks, decode_index, encode_index, is_wide, play, read_move, write_move
)
from tabiya.formats.bcgn.position_kernel cimport PACKED, format_start, pack_board, unpack_board

cdef int MOVES_AT_ONCE = 1024  # moves encoded at a time


def index_of(PositionCore position not None, int token) -> int:
    """Return the index of a legal move, -1 for any other ``Move``."""
    cdef Blocks blocks
    if not is_legal(&position.board, token):
        return -1
    count_blocks(&position.board, &blocks)
    return encode_index(&position.board, &blocks, token)


def token_of(PositionCore position not None, int index) -> int:
    """Return the legal move with this index, -1 if there is none."""
    cdef Blocks blocks
    if index < 0:
        return -1
    count_blocks(&position.board, &blocks)
    return decode_index(&position.board, &blocks, index)


def span_of(PositionCore position not None) -> tuple:
    """Return the number of index values here, and the number of bytes of an index."""
    cdef Blocks blocks
    count_blocks(&position.board, &blocks)
    return blocks.begin[position.board.turn][KING], 2 if is_wide(&position.board, &blocks) else 1


def encode_line(PositionCore position not None, list tokens not None, int level) -> tuple:
    """Return the movetext of moves from a position, their number, and why it ended early (0 if it did not)."""
    cdef Board board = position.board
    cdef Blocks blocks
    cdef BitWriter bits
    cdef uint8_t buffer[2 * 1024 + 8]
    parts = []
    cdef int code = 0
    cdef Py_ssize_t count = 0
    cdef int token
    memset(&bits, 0, sizeof(BitWriter))
    bits.data = buffer
    count_blocks(&board, &blocks)
    while count < len(tokens):
        token = tokens[count]
        code = write_move(&board, &blocks, level, token, &bits)
        if code < 0:
            break
        play(&board, &blocks, level, token)
        count += 1
        if bits.size >= MOST_MOVE_BYTES * MOVES_AT_ONCE:
            parts.append(buffer[: bits.size])
            bits.size = 0
    end_bits(&bits)
    parts.append(buffer[: bits.size])
    return b"".join(parts), count, code


def decode_line(PositionCore position not None, bytes data not None, Py_ssize_t plies, int level) -> tuple:
    """Return the tokens of a movetext, their size in bits, and why it ended early (0 if it did not)."""
    cdef Board board = position.board
    cdef Blocks blocks
    cdef BitReader bits
    tokens = []
    cdef int move = 0
    bits.data = data
    bits.size = len(data)
    bits.place = 0
    count_blocks(&board, &blocks)
    while len(tokens) < plies:
        move = read_move(&board, &blocks, level, &bits)
        if move < 0:
            break
        tokens.append(move)
        play(&board, &blocks, level, move)
    return tokens, bits.place, min(move, 0)


def pack(PositionCore position not None) -> tuple:
    """Return the packed position, and 0 or why there is none."""
    cdef uint8_t out[PACKED_BYTES]
    cdef int code = pack_board(&position.board, out)
    return out[:PACKED_BYTES] if code == PACKED else b"", code


def unpack(bytes packed not None) -> tuple:
    """Return the FEN of a packed position, and 0 or why it is invalid."""
    cdef Board board
    cdef unsigned char text[MAX_FEN]
    if len(packed) != PACKED_BYTES:
        raise ValueError("a packed position has 24 bytes")
    cdef int code = unpack_board(packed, &board)
    if code != PACKED:
        return "", code
    cdef int length = format_start(&board, text)
    return text[:length].decode("ascii"), PACKED
