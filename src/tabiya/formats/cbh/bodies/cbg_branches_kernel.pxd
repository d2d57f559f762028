from tabiya.formats.cbh.bodies.cbg cimport Moves

# --- for other kernels ---

cdef void link_alternative(Moves* moves) noexcept nogil
cdef bint push_branch(Moves* moves) noexcept nogil
cdef bint pop_branch(Moves* moves) noexcept nogil
cdef void finish_early(Moves* moves) noexcept nogil
cdef void break_off(Moves* moves) noexcept nogil

# --- private to this kernel ---

cdef bint open_arrays(Moves* moves) noexcept nogil
cdef void end_line(Moves* moves) noexcept nogil
