from libc.stdint cimport uint8_t

from tabiya.formats.pgn.commands cimport Command
from tabiya.formats.pgn.reader cimport Reader
from tabiya.game.growing cimport Bytes

cdef void read_text(Reader* reader, const uint8_t* text, Py_ssize_t length) noexcept nogil

cdef void read_with_commands(Reader* reader, const uint8_t* text, Py_ssize_t length, Py_ssize_t place) noexcept nogil
cdef bint obey(Reader* reader, const uint8_t* text, Command command) noexcept nogil
cdef bint obey_error(Reader* reader, const uint8_t* text, Command command) noexcept nogil
cdef int language_of(Reader* reader, const uint8_t* text, Py_ssize_t length) noexcept nogil
cdef void unescape(Reader* reader, Bytes* out, const uint8_t* text, Py_ssize_t length) noexcept nogil
cdef int hex_value(int letter) noexcept nogil
