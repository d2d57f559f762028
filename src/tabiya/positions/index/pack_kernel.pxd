from libc.stdint cimport uint32_t, uint8_t

cdef enum:
    SLOTS = 4096  # of a table of places: larger tables find little more and leave the fastest cache

cdef Py_ssize_t most_packed(Py_ssize_t size) noexcept nogil
cdef Py_ssize_t pack(const uint8_t* data, Py_ssize_t size, uint8_t* out, uint32_t* table) noexcept nogil
cdef uint32_t checksum(const uint8_t* data, Py_ssize_t size) noexcept nogil
