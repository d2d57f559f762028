from libc.stdint cimport int32_t

from tabiya.formats.cbh.bodies.cbg cimport Moves
from tabiya.game.columns cimport Columns

cdef bint put_tape(Moves* moves, Columns* columns) noexcept nogil
cdef int32_t tape_number(const Moves* moves, int32_t move) noexcept nogil
