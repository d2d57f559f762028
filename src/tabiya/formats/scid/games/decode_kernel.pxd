from libc.stdint cimport uint8_t

ctypedef struct CommonTag:
    uint8_t name[16]
    Py_ssize_t length

cdef CommonTag COMMON_TAGS[10]
cdef int KING_STEPS[9]
cdef int KNIGHT_STEPS[9]
