from libc.stdint cimport uint8_t

from tabiya.formats.pgn.reader cimport Reader

cdef enum:
    KIND_COMMENT = 0xFFFF   # a whole comment for ``comments.py``; never leaves the room of PGN
    KIND_NEXT_MOVE = 0xFFFE  # where a text before the next move, in a comment of the same number, belongs

cdef void read_text(Reader* reader, const uint8_t* text, Py_ssize_t length) noexcept nogil
