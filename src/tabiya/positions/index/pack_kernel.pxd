from libc.stdint cimport uint32_t, uint64_t, uint8_t
from libc.string cimport memcpy

from tabiya.chess.bits cimport lowest

cdef enum:
    SLOTS = 4096  # of a table of places: larger tables find little more and leave the fastest cache

cdef Py_ssize_t most_packed(Py_ssize_t size) noexcept nogil
cdef Py_ssize_t pack(const uint8_t* data, Py_ssize_t size, uint8_t* out, uint32_t* table) noexcept nogil
cdef uint32_t checksum(const uint8_t* data, Py_ssize_t size) noexcept nogil


cdef inline Py_ssize_t match_length(const uint8_t* one, const uint8_t* two, const uint8_t* end) noexcept nogil:
    """Return the length of the match of two places; ``two`` is after ``one``, and ``end`` after both."""
    cdef const uint8_t* begin = two
    cdef uint64_t first
    cdef uint64_t second
    while end - two >= 8:
        memcpy(&first, one, 8)
        memcpy(&second, two, 8)
        if first != second:
            return two - begin + (lowest(first ^ second) >> 3)
        one += 8
        two += 8
    while two < end and one[0] == two[0]:
        one += 1
        two += 1
    return two - begin
