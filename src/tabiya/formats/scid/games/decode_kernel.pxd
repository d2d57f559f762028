cdef int KING_STEPS[9]
cdef int KNIGHT_STEPS[9]
