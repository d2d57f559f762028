from tabiya.formats.jose.writing cimport Writer

cdef int write_annotations(Writer* writer, int move, int side) noexcept nogil
cdef int write_about(Writer* writer) noexcept nogil
cdef int write_behind_result(Writer* writer) noexcept nogil
