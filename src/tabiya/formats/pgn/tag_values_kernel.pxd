from libc.stdint cimport int32_t, uint8_t

from tabiya.formats.pgn.reader cimport Reader

# --- for other kernels ---

# A stretch of text.
ctypedef struct Span:
    const uint8_t* text
    Py_ssize_t length

cdef bint store_date(Reader* reader, Span value) noexcept nogil
cdef bint store_elo(int32_t* elo, Span value) noexcept nogil
cdef bint store_result(Reader* reader, Span value) noexcept nogil
cdef bint store_variant(Reader* reader, Span value) noexcept nogil

# --- private to this kernel ---

cdef enum:
    MOST_LETTERS = 32  # longer than any spelling of a result or a variant

cdef int date_part(Span* value, int fewest, int most, int highest) noexcept nogil
cdef Span stripped(Span span) noexcept nogil
cdef Py_ssize_t plain_letters(Span value, uint8_t* out, Py_ssize_t room, bint keep_blanks) noexcept nogil
