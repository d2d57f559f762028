from libc.stdint cimport uint8_t

from tabiya.formats.pgn.reader cimport Reader

# The end of a piece of text that is not interpreted.
ctypedef struct Stop:
    Py_ssize_t place
    bint closed         # at the ")" that ends the line
    bint comment_open   # a comment was still open there

# Letters with a special meaning in a comment.
cdef enum:
    COMMENT_END = 1
    COMMENT_BREAK = 2
    COMMENT_BRACKET = 4

cdef Py_ssize_t comment_end(Reader* reader, Py_ssize_t place, bint* closed, int* found) noexcept nogil
cdef Py_ssize_t result_length(const uint8_t* text, Py_ssize_t place, Py_ssize_t end) noexcept nogil
cdef Stop skip_line(Reader* reader, Py_ssize_t begin) noexcept nogil
