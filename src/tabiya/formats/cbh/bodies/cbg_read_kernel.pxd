from libc.stdint cimport uint8_t

from tabiya.formats.cbh.bodies.cbg cimport Moves

# Results of reading the moves of a blob, in addition to problem codes.
cdef enum:
    MOVES_OK = 0
    MOVES_AGAIN = 1  # with more castling rights
    NOT_A_MOVE = -1

cdef int read_moves(Moves* moves, const uint8_t* data, Py_ssize_t size) noexcept nogil
cdef bint is_exact(const Moves* moves) noexcept nogil
cdef void init_moves(Moves* moves) noexcept nogil
cdef void free_moves(Moves* moves) noexcept nogil
