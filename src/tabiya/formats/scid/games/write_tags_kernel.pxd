from libc.stdint cimport uint8_t

from tabiya.formats.scid.games.writing cimport Writer

# --- for other kernels ---

cdef void write_tags(Writer* writer, Py_ssize_t record) noexcept nogil
cdef void put_bytes(Writer* writer, const uint8_t* data, Py_ssize_t length) noexcept nogil

# --- private to this kernel ---

cdef void write_tag(
    Writer* writer, const uint8_t* name, Py_ssize_t name_length, const uint8_t* value, Py_ssize_t length) noexcept nogil
cdef int common_tag(const uint8_t* name, Py_ssize_t length) noexcept nogil
cdef int hex_digit(int letter) noexcept nogil
