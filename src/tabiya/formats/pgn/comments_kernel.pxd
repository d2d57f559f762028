from tabiya.formats.pgn.reader cimport Reader

cdef void read_comment(Reader* reader) noexcept nogil
cdef void read_line_comment(Reader* reader) noexcept nogil
cdef void read_escape(Reader* reader) noexcept nogil
cdef bint has_tag(Reader* reader, const char* name) noexcept nogil
