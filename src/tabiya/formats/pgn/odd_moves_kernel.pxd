from libc.stdint cimport uint8_t

from tabiya.formats.pgn.reader cimport Reader

cdef enum:
    LONGEST_MOVE = 32

cdef void read_odd_move(Reader* reader, Py_ssize_t end, int reason) noexcept nogil
cdef bint play_with_sign(Reader* reader, const uint8_t* token, Py_ssize_t length) noexcept nogil
cdef Py_ssize_t translate(Reader* reader, const uint8_t* token, Py_ssize_t length, uint8_t* out) noexcept nogil
cdef int letter_at(Reader* reader, const uint8_t* token, Py_ssize_t length, Py_ssize_t* used) noexcept nogil
