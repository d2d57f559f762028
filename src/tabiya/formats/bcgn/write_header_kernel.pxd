from tabiya.formats.bcgn.writing cimport Writer

cdef void write_header(Writer* writer) noexcept nogil
cdef int set_start(Writer* writer) noexcept nogil
