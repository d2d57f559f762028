from libc.stdint cimport uint8_t

from tabiya.formats.pgn.writing cimport Writer

cdef Py_ssize_t write_record(Writer* writer, Py_ssize_t record, bint first) noexcept nogil
cdef bint set_up(Writer* writer, Py_ssize_t record) noexcept nogil
cdef void write_extras(Writer* writer, Py_ssize_t record) noexcept nogil
cdef void write_termination(Writer* writer, Py_ssize_t record) noexcept nogil
