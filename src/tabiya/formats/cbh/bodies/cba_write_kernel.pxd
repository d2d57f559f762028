from libc.stdint cimport int64_t

from tabiya.formats.cbh.bodies.body_writer cimport BodyWriter

cdef int write_annotations(BodyWriter* writer, int64_t game) noexcept nogil
