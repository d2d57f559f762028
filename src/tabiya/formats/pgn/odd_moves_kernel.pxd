from libc.stdint cimport uint8_t

from tabiya.formats.pgn.reader cimport Reader

# --- for other kernels ---

cdef void read_odd_move(Reader* reader, Py_ssize_t end, int reason) noexcept nogil

# --- private to this kernel ---

cdef enum:
    LONGEST_MOVE = 32
    LONGEST_TAIL = 7  # 1/2-1/2

cdef int play_odd(Reader* reader, const uint8_t* token, Py_ssize_t length, int reason) noexcept nogil
cdef bint play_before_tail(Reader* reader, const uint8_t* token, Py_ssize_t length) noexcept nogil
cdef bint is_tail(Reader* reader, const uint8_t* tail, Py_ssize_t size) noexcept nogil
cdef bint play_with_sign(Reader* reader, const uint8_t* token, Py_ssize_t length) noexcept nogil
cdef Py_ssize_t translate(Reader* reader, const uint8_t* token, Py_ssize_t length, uint8_t* out) noexcept nogil
cdef int letter_at(Reader* reader, const uint8_t* token, Py_ssize_t length, Py_ssize_t* used) noexcept nogil
