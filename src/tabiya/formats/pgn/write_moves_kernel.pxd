from tabiya.formats.pgn.writing cimport Writer

cdef Py_ssize_t write_moves(Writer* writer, Py_ssize_t record) noexcept nogil
cdef bint begins_with_comment(Writer* writer) noexcept nogil
cdef bint index_annotations(Writer* writer, Py_ssize_t record) noexcept nogil
cdef void write_annotations(Writer* writer, int move, int side, bint fits) noexcept nogil
