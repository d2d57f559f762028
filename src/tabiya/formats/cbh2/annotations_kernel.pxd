from libc.stdint cimport uint8_t

from tabiya.formats.cbh2.reading cimport Annotations, Moves
from tabiya.game.columns cimport Columns

cdef bint read_annotations(Annotations* annotations, const uint8_t* data, Py_ssize_t size, const Moves* moves,
                           Columns* columns) noexcept nogil
cdef void free_annotations(Annotations* annotations) noexcept nogil
