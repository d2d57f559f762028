from libc.stdint cimport uint8_t

from tabiya.chess.board cimport Board

# --- for other kernels ---

cdef enum:
    SETUP_SIZE = 28
    HOMES_SIZE = 8  # of what Chess960 adds: where kings and rooks stand at the start, and its number

# Where the king and the rooks of a side stand at home, in the order of ``Board.rook``; NO_SQUARE where unknown.
ctypedef struct Homes:
    uint8_t king[2]
    uint8_t rook[4]

cdef bint read_setup(const uint8_t* data, bint chess960, int granted, Board* board, Homes* homes) noexcept nogil
cdef bint write_setup(const Board* board, uint8_t* out) noexcept nogil
cdef void write_homes(const Board* board, uint8_t* out) noexcept nogil
cdef void usual_homes(Homes* homes) noexcept nogil

# --- private to this kernel ---

cdef bint read_pieces(const uint8_t* data, Board* board) noexcept nogil
cdef void read_homes(const uint8_t* data, Homes* homes) noexcept nogil
cdef void grant_rights(Board* board, const Homes* homes, int rights) noexcept nogil
cdef int guessed_rook(const Board* board, int color, int side) noexcept nogil
cdef int start_number(const Board* board) noexcept nogil
cdef int right_bit(int right) noexcept nogil
