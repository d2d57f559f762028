from libc.stdint cimport int64_t

from tabiya.formats.pgn.writing cimport Writer
from tabiya.game.growing cimport Bytes

cdef bint put_end(Bytes* ends, int64_t place) noexcept nogil
cdef Py_ssize_t write_record(Writer* writer, Py_ssize_t record) noexcept nogil
cdef bint set_up(Writer* writer, Py_ssize_t record) noexcept nogil
cdef void write_extras(Writer* writer, Py_ssize_t record) noexcept nogil
cdef void write_termination(Writer* writer, Py_ssize_t record) noexcept nogil
