from libc.stdint cimport uint8_t

from tabiya.formats.scid.games.reading cimport Reader

# --- for other kernels ---

cdef bint read_comment(Reader* reader) noexcept nogil
cdef bint fail(Reader* reader, int code) noexcept nogil

# --- private to this kernel ---

cdef Py_ssize_t texts_behind(const uint8_t* data, Py_ssize_t place, Py_ssize_t end) noexcept nogil
cdef void add_text(Reader* reader, const uint8_t* text, Py_ssize_t length) noexcept nogil
cdef void put_text(Reader* reader, const uint8_t* text, Py_ssize_t length) noexcept nogil
cdef int understand(Reader* reader) noexcept nogil
