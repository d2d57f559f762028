from tabiya.game.columns cimport Columns, Strings
from tabiya.game.growing cimport Bytes

cdef class Buffer:
    cdef Bytes bytes
    cdef Py_ssize_t shape[1]
    cdef Py_ssize_t strides[1]

cdef class BatchBuilder:
    cdef Columns columns

cdef Buffer take(Bytes* column)
cdef tuple take_strings(Strings* strings)
cdef void init_ends(Columns* columns, Bytes* ends) noexcept nogil
