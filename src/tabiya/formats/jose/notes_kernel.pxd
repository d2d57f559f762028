from libc.stdint cimport uint8_t

from tabiya.formats.jose.reading cimport Reader

cdef void add_text(Reader* reader, const uint8_t* text, Py_ssize_t length) noexcept nogil
cdef void add_error(Reader* reader, const uint8_t* text, Py_ssize_t length, int reason) noexcept nogil
