# The key of a position in a game of Chess960, as the position index has it; ``chess960.py`` computes the same.

from libc.stdint cimport uint64_t

from tabiya.chess.board cimport Board
from tabiya.positions.rows cimport MIXER


cdef inline uint64_t rooks_of(const Board* board) noexcept nogil:
    """Which rooks may castle: a digit of 4 bits per right, the file of its rook or 8."""
    cdef uint64_t rooks = 0
    cdef uint64_t file
    cdef int right
    for right in range(4):
        file = board.rook[right] & 7 if board.state.rights >> right & 1 else 8
        rooks |= file << 4 * right
    return rooks


cdef inline uint64_t chess960_key(const Board* board) noexcept nogil:
    """Polyglot's key with the rooks that may castle."""
    return board.key ^ rooks_of(board) * MIXER
