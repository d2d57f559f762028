from tabiya.formats.bcgn.writing cimport Writer

cdef int write_entry(Writer* writer) noexcept nogil
cdef int write_movetext(Writer* writer, int* plies) noexcept nogil
