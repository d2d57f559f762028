from libc.stdint cimport uint8_t

from tabiya.formats.jose.reading cimport Reader

# --- for other kernels ---

cdef void add_text(Reader* reader, const uint8_t* text, Py_ssize_t length) noexcept nogil
cdef void add_error(Reader* reader, const uint8_t* text, Py_ssize_t length, int reason) noexcept nogil

# --- private to this kernel ---

cdef void put_text(Reader* reader, const uint8_t* text, Py_ssize_t length) noexcept nogil
cdef int read_comment(Reader* reader, const uint8_t* text, Py_ssize_t length) noexcept nogil
cdef void note_encoding(Reader* reader, int code) noexcept nogil
