from libc.stdint cimport uint8_t, uint64_t

cdef enum:
    RECORD_BYTES = 16

cdef uint64_t key_at(const uint8_t* records, Py_ssize_t index) noexcept nogil
cdef Py_ssize_t first_not_below(const uint8_t* records, Py_ssize_t count, uint64_t key) noexcept nogil
