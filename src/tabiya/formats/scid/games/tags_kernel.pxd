from libc.stdint cimport uint8_t

from tabiya.formats.scid.games.reading cimport Reader
from tabiya.game.growing cimport Bytes

ctypedef struct CommonTag:
    uint8_t name[16]
    Py_ssize_t length

cdef CommonTag COMMON_TAGS[10]

cdef bint read_tags(Reader* reader) noexcept nogil
cdef void put_index_tags(Reader* reader, bint sound) noexcept nogil
cdef void put_utf8(Reader* reader, Bytes* out, const uint8_t* text, Py_ssize_t length) noexcept nogil
