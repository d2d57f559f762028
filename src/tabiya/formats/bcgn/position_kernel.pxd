from libc.stdint cimport uint8_t

from tabiya.chess.board cimport Board

cdef enum:
    MOST_PIECES = 32

# Results of ``pack_board`` and ``unpack_board``.
cdef enum:
    PACKED = 0
    PACKED_PIECES = 1     # more than 32 pieces
    PACKED_CASTLING = 2   # castling from other squares than usual
    PACKED_KINGS = 3      # not exactly one king each
    PACKED_PAWNS = 4      # a pawn on the first or last rank
    PACKED_MARKS = 5      # a mark (castling, en passant) where it is invalid

cdef int pack_board(const Board* board, uint8_t* out) noexcept nogil
cdef int unpack_board(const uint8_t* packed, Board* board) noexcept nogil
cdef int format_start(const Board* board, unsigned char* out) noexcept nogil
cdef bint packs_to(const uint8_t* fen, Py_ssize_t length, const uint8_t* packed, Board* board) noexcept nogil
