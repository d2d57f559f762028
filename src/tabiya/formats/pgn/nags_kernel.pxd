from tabiya.formats.pgn.reader cimport Reader

cdef void read_nag(Reader* reader) noexcept nogil
cdef void read_signs(Reader* reader) noexcept nogil
