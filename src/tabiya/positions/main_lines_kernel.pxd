from libc.stdint cimport uint16_t

# --- private to this kernel ---

cdef Py_ssize_t put_main_line(const uint16_t* tape, Py_ssize_t length, uint16_t* out) noexcept nogil
