from libc.stdint cimport uint8_t

cdef Py_ssize_t read_number(const uint8_t* data, int size) noexcept nogil
cdef void write_number(uint8_t* data, int size, Py_ssize_t number) noexcept nogil
cdef Py_ssize_t read_varint(const uint8_t* data, Py_ssize_t end, Py_ssize_t* place) noexcept nogil
