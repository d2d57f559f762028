from libc.stdint cimport uint8_t

from tabiya.formats.scid.games.writing cimport Writer

cdef void write_tags(Writer* writer, Py_ssize_t record) noexcept nogil
cdef void put_bytes(Writer* writer, const uint8_t* data, Py_ssize_t length) noexcept nogil
