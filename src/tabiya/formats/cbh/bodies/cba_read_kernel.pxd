from libc.stdint cimport int64_t, uint8_t

from tabiya.formats.cbh.bodies.cba cimport Annotations
from tabiya.formats.cbh.bodies.cbg cimport Moves
from tabiya.game.columns cimport Columns

cdef bint read_annotations(Annotations* annotations, const uint8_t* data, Py_ssize_t size, int64_t game,
                           const Moves* moves, Columns* columns) noexcept nogil
cdef Py_ssize_t symbols_length(const uint8_t* payload, Py_ssize_t length) noexcept nogil
cdef void free_annotations(Annotations* annotations) noexcept nogil
