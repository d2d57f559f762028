from libc.stdint cimport uint8_t

from tabiya.game.batch_view cimport View
from tabiya.game.columns cimport Columns

# --- for other kernels ---

cdef enum:
    LONGEST_VALUE = 32    # letters of a time or an evaluation
    LONGEST_PAYLOAD = 6   # bytes of one
    LONGEST_MARK = 5      # letters of a coloured square or arrow

cdef bint put_value(Columns* columns, int kind, const uint8_t* text, Py_ssize_t length) noexcept nogil
cdef bint can_write(const View* view, Py_ssize_t annotation) noexcept nogil
cdef bint fits_spelling(const View* view, Py_ssize_t annotation) noexcept nogil
cdef int spelling_of(const View* view, Py_ssize_t annotation, bint plain, uint8_t* out) noexcept nogil
cdef int format_mark(int kind, const uint8_t* mark, bint plain, uint8_t* out) noexcept nogil
cdef int square_at(const uint8_t* text) noexcept nogil

# --- private to this kernel ---

cdef int parse_value(int kind, const uint8_t* text, Py_ssize_t length, uint8_t* payload) noexcept nogil
cdef int format_value(int kind, const uint8_t* payload, Py_ssize_t length, bint plain, uint8_t* out) noexcept nogil
cdef bint is_common(int kind, const uint8_t* text, Py_ssize_t length) noexcept nogil

cdef bint parse_marks(Columns* columns, int kind, const uint8_t* text, Py_ssize_t length) noexcept nogil

cdef int parse_time(int kind, const uint8_t* text, Py_ssize_t length, uint8_t* payload) noexcept nogil
cdef int put_clock(uint8_t* payload, unsigned int hundredths) noexcept nogil
cdef int format_time(int kind, const uint8_t* payload, Py_ssize_t length, bint plain, uint8_t* out) noexcept nogil
cdef int parse_evaluation(const uint8_t* text, Py_ssize_t length, uint8_t* payload) noexcept nogil
cdef int format_evaluation(const uint8_t* payload, Py_ssize_t length, bint plain, uint8_t* out) noexcept nogil
cdef int take_decimals(const uint8_t* text, Py_ssize_t length, Py_ssize_t* place) noexcept nogil
cdef int take_digits(const uint8_t* text, Py_ssize_t length, Py_ssize_t* place, int most) noexcept nogil
cdef int put_two(uint8_t* out, int number) noexcept nogil
cdef int color_of(int letter) noexcept nogil
cdef int letter_of(int color) noexcept nogil
