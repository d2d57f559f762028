from libc.stdint cimport uint8_t

from tabiya.game.growing cimport Bytes

cdef bint parse_profile(const uint8_t* text, Py_ssize_t length, Bytes* out) noexcept nogil
cdef bint format_profile(const uint8_t* data, Py_ssize_t length, Bytes* out) noexcept nogil
cdef bint parse_periods(const uint8_t* text, Py_ssize_t length, Bytes* out) noexcept nogil
cdef bint format_periods(const uint8_t* data, Py_ssize_t length, Bytes* out) noexcept nogil
cdef bint parse_strings(const uint8_t* text, Py_ssize_t length, bint utf8, Bytes* out) noexcept nogil
cdef bint format_strings(const uint8_t* data, Py_ssize_t length, bint utf8, Bytes* out) noexcept nogil
