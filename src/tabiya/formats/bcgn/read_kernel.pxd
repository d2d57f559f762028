from libc.stdint cimport int64_t

from tabiya.chess.board cimport Board
from tabiya.formats.bcgn.reader cimport Reader

cdef void read_entry(Reader* reader, Py_ssize_t begin, Py_ssize_t end, bint last) noexcept nogil
cdef bint set_start(Reader* reader, Board* board) noexcept nogil
cdef bint set_given_start(Reader* reader, Board* board) noexcept nogil
cdef void read_movetext(Reader* reader, Board* board) noexcept nogil
cdef void note_ply(Reader* reader, int code, Py_ssize_t place, int ply) noexcept nogil
cdef bint is_used_up(const Reader* reader, Py_ssize_t place) noexcept nogil
