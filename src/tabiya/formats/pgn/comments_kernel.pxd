from tabiya.formats.pgn.reader cimport Reader

# --- for other kernels ---

cdef void read_comment(Reader* reader) noexcept nogil
cdef void read_line_comment(Reader* reader) noexcept nogil
cdef void read_escape(Reader* reader) noexcept nogil
cdef bint has_tag(Reader* reader, const char* name) noexcept nogil

# --- private to this kernel ---

cdef bint keeps_blanks(Reader* reader) noexcept nogil
cdef void put_comment(Reader* reader, Py_ssize_t begin, Py_ssize_t end, int found) noexcept nogil
