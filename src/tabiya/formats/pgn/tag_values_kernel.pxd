from libc.stdint cimport int32_t, uint8_t

from tabiya.formats.pgn.reader cimport Reader

# A piece of text.
ctypedef struct Span:
    const uint8_t* text
    Py_ssize_t length

cdef bint store_date(Reader* reader, Span value) noexcept nogil
cdef bint store_elo(int32_t* elo, Span value) noexcept nogil
cdef bint store_result(Reader* reader, Span value) noexcept nogil
cdef bint store_variant(Reader* reader, Span value) noexcept nogil
