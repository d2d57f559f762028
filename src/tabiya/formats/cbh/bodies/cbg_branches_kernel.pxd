from tabiya.formats.cbh.bodies.cbg cimport Moves

cdef void link_alternative(Moves* moves) noexcept nogil
cdef bint push_branch(Moves* moves) noexcept nogil
cdef bint pop_branch(Moves* moves) noexcept nogil
cdef void finish_early(Moves* moves) noexcept nogil
cdef void break_off(Moves* moves) noexcept nogil
