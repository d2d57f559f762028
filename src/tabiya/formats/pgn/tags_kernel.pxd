from tabiya.formats.pgn.reader cimport Reader

cdef bint read_tag(Reader* reader) noexcept nogil
cdef void finish_tags(Reader* reader) noexcept nogil
