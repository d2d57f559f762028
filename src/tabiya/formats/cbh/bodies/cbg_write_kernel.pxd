from tabiya.formats.cbh.bodies.body_writer cimport BodyWriter

cdef int write_moves(BodyWriter* writer) noexcept nogil
cdef void init_writer(BodyWriter* writer) noexcept nogil
