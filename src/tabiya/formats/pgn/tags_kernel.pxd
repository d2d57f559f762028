from libc.stdint cimport int32_t, uint8_t

from tabiya.formats.pgn.reader cimport Reader
from tabiya.formats.pgn.tag_values_kernel cimport Span

# --- for other kernels ---

cdef bint read_tag(Reader* reader) noexcept nogil
cdef void finish_tags(Reader* reader) noexcept nogil

# --- private to this kernel ---

# Letters of plain tags: those of a value, and those that may stand in a name as well.
cdef enum:
    VALUE_LETTER = 1
    NAME_LETTER = 2

cdef uint8_t LETTERS[256]

cdef bint read_plain_tag(Reader* reader) noexcept nogil
cdef Py_ssize_t find_value_end(Reader* reader, Py_ssize_t begin) noexcept nogil
cdef Py_ssize_t last_closing_quote(const uint8_t* text, Py_ssize_t begin, Py_ssize_t end) noexcept nogil
cdef Span unescaped(Reader* reader, Py_ssize_t begin, Py_ssize_t end) noexcept nogil
cdef Span as_utf8(Reader* reader, Span span) noexcept nogil
cdef Span name_of(int tag) noexcept nogil
cdef void list_tag(Reader* reader, Span name, Span value) noexcept nogil
cdef void list_column_tag(Reader* reader, int tag) noexcept nogil
cdef void store_tag(Reader* reader, int tag, Py_ssize_t begin, Py_ssize_t end) noexcept nogil
cdef bint store_value(Reader* reader, int tag, Span value) noexcept nogil
