from tabiya.game.columns cimport Columns, Header
from tabiya.game.growing cimport Bytes

cdef class Buffer:
    cdef Bytes bytes
    cdef Py_ssize_t shape[1]
    cdef Py_ssize_t strides[1]

cdef class BatchBuilder:
    cdef Columns columns

cdef Header NO_HEADER  # a game without any known values

cdef Buffer take(Bytes* column)
