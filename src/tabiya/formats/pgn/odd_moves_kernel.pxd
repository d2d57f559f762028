from tabiya.formats.pgn.reader cimport Reader

cdef void read_odd_move(Reader* reader, Py_ssize_t end, int reason) noexcept nogil
