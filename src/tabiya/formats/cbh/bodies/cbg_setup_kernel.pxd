from libc.stdint cimport uint8_t

from tabiya.chess.board cimport Board

cdef enum:
    SETUP_SIZE = 28
    HOMES_SIZE = 8  # added by Chess960: initial squares of kings and rooks, and the position number

# Home squares of the king and the rooks of a side, in the order of ``Board.rook``; NO_SQUARE where unknown.
ctypedef struct Homes:
    uint8_t king[2]
    uint8_t rook[4]

cdef bint read_setup(const uint8_t* data, bint chess960, int granted, Board* board, Homes* homes) noexcept nogil
cdef bint write_setup(const Board* board, uint8_t* out) noexcept nogil
cdef void write_homes(const Board* board, uint8_t* out) noexcept nogil
cdef void usual_homes(Homes* homes) noexcept nogil
