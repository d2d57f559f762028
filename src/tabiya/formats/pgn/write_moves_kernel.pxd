from libc.stdint cimport uint8_t, uint16_t

from tabiya.formats.pgn.writing cimport Writer

cdef Py_ssize_t write_moves(Writer* writer, Py_ssize_t record) noexcept nogil
cdef bint begins_with_comment(Writer* writer) noexcept nogil
cdef bint index_annotations(Writer* writer, Py_ssize_t record) noexcept nogil

cdef bint open_variation(Writer* writer) noexcept nogil
cdef void close_variation(Writer* writer) noexcept nogil
cdef void write_move(Writer* writer, int move) noexcept nogil
cdef void write_annotations(Writer* writer, int move, int side, bint fits) noexcept nogil
cdef void write_annotation(Writer* writer, Py_ssize_t annotation, bint fits) noexcept nogil
cdef void write_nags(Writer* writer, Py_ssize_t annotation) noexcept nogil
cdef bint is_canonical(Writer* writer, Py_ssize_t annotation) noexcept nogil
cdef void write_nag(Writer* writer, int nag) noexcept nogil
