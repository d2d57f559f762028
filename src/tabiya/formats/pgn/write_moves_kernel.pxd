from tabiya.formats.pgn.writing cimport Writer

# --- for other kernels ---

cdef Py_ssize_t write_moves(Writer* writer, Py_ssize_t record) noexcept nogil
cdef bint begins_with_comment(Writer* writer) noexcept nogil
cdef bint index_annotations(Writer* writer, Py_ssize_t record) noexcept nogil
cdef void write_annotations(Writer* writer, int move, int side, bint fits) noexcept nogil

# --- private to this kernel ---

cdef void open_variation(Writer* writer) noexcept nogil
cdef void write_move(Writer* writer) noexcept nogil
cdef void write_symbols(Writer* writer, int move, int side, bint fits) noexcept nogil
cdef void write_comments(Writer* writer, int move, int side, bint fits, int parts) noexcept nogil
cdef int part_of(int kind) noexcept nogil
cdef bint value_fits(Writer* writer, int move, int side, bint fits) noexcept nogil
cdef void write_nags(Writer* writer, Py_ssize_t annotation) noexcept nogil
cdef void write_nag(Writer* writer, int nag) noexcept nogil
