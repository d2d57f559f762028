from libc.stdint cimport uint8_t

from tabiya.game.batch_view cimport View
from tabiya.game.columns cimport Columns

cdef enum:
    LONGEST_VALUE = 32    # letters of a time or an evaluation
    LONGEST_PAYLOAD = 6   # bytes of a time or an evaluation
    LONGEST_MARK = 5      # letters of a coloured square or arrow

cdef bint put_value(Columns* columns, int kind, const uint8_t* text, Py_ssize_t length) noexcept nogil
cdef bint can_write(const View* view, Py_ssize_t annotation) noexcept nogil
cdef bint fits_spelling(const View* view, Py_ssize_t annotation) noexcept nogil
cdef int spelling_of(const View* view, Py_ssize_t annotation, bint plain, uint8_t* out) noexcept nogil
cdef int format_mark(int kind, const uint8_t* mark, bint plain, uint8_t* out) noexcept nogil
cdef int square_at(const uint8_t* text) noexcept nogil
