from libc.stdint cimport int64_t, uint8_t

from tabiya.positions.index.emit_kernel cimport Row

# Columns, with the same numbers as in ``layout.py``.
cdef enum:
    KEY = 0
    GAME = 1
    PLY = 2
    MOVE = 3
    NUMBER = 4           # of a move on the tape
    COLUMNS = 5

cdef uint8_t* put_signed(uint8_t* out, int64_t number) noexcept nogil
cdef Py_ssize_t most_encoded(Py_ssize_t rows) noexcept nogil
cdef uint8_t* encode_values(const Row* rows, Py_ssize_t count, int column, uint8_t* out) noexcept nogil
