from libc.stdint cimport uint8_t

cdef Py_ssize_t result_length(const uint8_t* text, Py_ssize_t place, Py_ssize_t end) noexcept nogil

cdef enum:
    KIND_COMMENT = 0xFFFF   # a whole comment for ``comments.py``; used only inside this package
    KIND_NEXT_MOVE = 0xFFFE  # placeholder for a text before the next move, from a comment with the same number
