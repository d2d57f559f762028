from libc.stdint cimport uint8_t

from tabiya.formats.pgn.writing cimport Writer

cdef bint write_tags(Writer* writer, Py_ssize_t record) noexcept nogil
cdef void write_text_tag(Writer* writer, const char* name, const uint8_t* value, Py_ssize_t length) noexcept nogil
