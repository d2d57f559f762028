from tabiya.formats.pgn.reader cimport Reader

cdef void read_all(Reader* reader) noexcept nogil
