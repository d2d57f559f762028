from libc.stdint cimport uint8_t

from tabiya.formats.pgn.reader cimport Reader

cdef enum:
    KIND_COMMENT = 0xFFFF   # a whole comment for ``comments.py``; used only inside this package
    KIND_NEXT_MOVE = 0xFFFE  # placeholder for a text before the next move, from a comment with the same number

cdef void read_text(Reader* reader, const uint8_t* text, Py_ssize_t length) noexcept nogil
