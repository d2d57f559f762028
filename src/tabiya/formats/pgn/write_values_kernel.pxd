from tabiya.formats.pgn.writing cimport Writer

cdef bint write_value(Writer* writer, Py_ssize_t annotation) noexcept nogil
