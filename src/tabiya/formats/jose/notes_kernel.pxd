from libc.stdint cimport uint8_t

from tabiya.formats.jose.reading cimport Reader
from tabiya.game.annotations.commands cimport Command

# --- for other kernels ---

cdef void add_text(Reader* reader, const uint8_t* text, Py_ssize_t length) noexcept nogil
cdef void add_error(Reader* reader, const uint8_t* text, Py_ssize_t length, int reason) noexcept nogil

# --- private to this kernel ---

cdef void put_text(Reader* reader, const uint8_t* text, Py_ssize_t length) noexcept nogil
cdef bint add_values(Reader* reader, const uint8_t* text, Py_ssize_t length) noexcept nogil
cdef bint add_value(Reader* reader, const uint8_t* text, Command command) noexcept nogil
cdef bint add_plain(Reader* reader, const uint8_t* text, Py_ssize_t length) noexcept nogil
cdef void note_encoding(Reader* reader, int code) noexcept nogil
