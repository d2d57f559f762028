from libc.stdint cimport uint8_t

cdef Py_ssize_t result_length(const uint8_t* text, Py_ssize_t place, Py_ssize_t end) noexcept nogil
