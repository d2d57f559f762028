from libc.stdint cimport uint8_t

from tabiya.formats.scid.games.reading cimport Reader
from tabiya.game.growing cimport Bytes

# --- for other kernels ---

ctypedef struct CommonTag:
    uint8_t name[16]
    Py_ssize_t length

cdef CommonTag COMMON_TAGS[10]
cdef CommonTag RATING_TAGS[2][7]  # by side and kind of rating

cdef bint read_tags(Reader* reader) noexcept nogil
cdef void put_index_tags(Reader* reader, bint sound) noexcept nogil
cdef void put_utf8(Reader* reader, Bytes* out, const uint8_t* text, Py_ssize_t length) noexcept nogil

# --- private to this kernel ---

# A tag where it stands in the data.
ctypedef struct Tag:
    const uint8_t* name
    Py_ssize_t name_length
    const uint8_t* value
    Py_ssize_t length
    int code            # its first byte

cdef bint next_tag(const uint8_t* data, Py_ssize_t end, Py_ssize_t* place, Tag* tag) noexcept nogil
cdef bint has_tag(Reader* reader, const uint8_t* name, Py_ssize_t length) noexcept nogil
cdef void put_tag(Reader* reader, const Tag* tag) noexcept nogil
cdef void put_event_date(Reader* reader, int date) noexcept nogil
cdef void put_date(Reader* reader, int date) noexcept nogil
cdef void format_part(uint8_t* letters, int digits, int number) noexcept nogil
cdef bint read_start(Reader* reader) noexcept nogil
