from libc.stdint cimport int64_t, uint8_t

from tabiya.game.growing cimport Bytes

# --- for other kernels ---

cdef bint parse_profile(const uint8_t* text, Py_ssize_t length, Bytes* out) noexcept nogil
cdef bint format_profile(const uint8_t* data, Py_ssize_t length, Bytes* out) noexcept nogil
cdef bint parse_periods(const uint8_t* text, Py_ssize_t length, Bytes* out) noexcept nogil
cdef bint format_periods(const uint8_t* data, Py_ssize_t length, Bytes* out) noexcept nogil
cdef bint parse_strings(const uint8_t* text, Py_ssize_t length, bint utf8, Bytes* out) noexcept nogil
cdef bint format_strings(const uint8_t* data, Py_ssize_t length, bint utf8, Bytes* out) noexcept nogil

# --- private to this kernel ---

cdef bint take_value(const uint8_t* text, Py_ssize_t length, Py_ssize_t* place, int* number) noexcept nogil
cdef bint put_entry(Bytes* out, int number) noexcept nogil
cdef int64_t take_span(const uint8_t* text, Py_ssize_t length, Py_ssize_t* place) noexcept nogil
cdef bint take_period(const uint8_t* text, Py_ssize_t length, Py_ssize_t* place, Bytes* out) noexcept nogil
cdef void put_span(Bytes* out, int64_t hundredths) noexcept nogil
cdef bint is_readable(const uint8_t* text, Py_ssize_t length, bint utf8) noexcept nogil
cdef Py_ssize_t skip_blanks(const uint8_t* text, Py_ssize_t length, Py_ssize_t place) noexcept nogil
cdef bint take_string(const uint8_t* text, Py_ssize_t length, Py_ssize_t* place, bint utf8, Bytes* out) noexcept nogil
cdef bint put_quoted(const uint8_t* text, Py_ssize_t length, Bytes* out) noexcept nogil
