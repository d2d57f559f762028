from libc.stdint cimport int64_t, uint8_t

from tabiya.formats.cbh.bodies.cba cimport Annotations
from tabiya.formats.cbh.bodies.cbg cimport Moves
from tabiya.game.columns cimport Columns

cdef bint put_tape(Moves* moves, Columns* columns) noexcept nogil

# Results of reading the moves of a blob, in addition to problem codes.
cdef enum:
    MOVES_OK = 0
    MOVES_AGAIN = 1  # with more castling rights
    NOT_A_MOVE = -1

cdef int read_moves(Moves* moves, const uint8_t* data, Py_ssize_t size) noexcept nogil
cdef void init_moves(Moves* moves) noexcept nogil
cdef void free_moves(Moves* moves) noexcept nogil
cdef bint read_annotations(Annotations* annotations, const uint8_t* data, Py_ssize_t size, int64_t game,
                           const Moves* moves, Columns* columns) noexcept nogil
cdef Py_ssize_t symbols_length(const uint8_t* payload, Py_ssize_t length) noexcept nogil
cdef void free_annotations(Annotations* annotations) noexcept nogil
