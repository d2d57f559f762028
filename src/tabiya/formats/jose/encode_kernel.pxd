from libc.stdint cimport uint8_t

from tabiya.chess.board cimport Board
from tabiya.formats.jose.writing cimport Writer

cdef int write_record(Writer* writer, Py_ssize_t record) noexcept nogil
cdef int order_annotations(Writer* writer, Py_ssize_t record) noexcept nogil
cdef int set_up(Writer* writer, Py_ssize_t record) noexcept nogil
cdef void number_pieces(const Board* board, uint8_t* slots) noexcept nogil
cdef int write_tape(Writer* writer) noexcept nogil
cdef int write_move(Writer* writer) noexcept nogil
cdef int write_code(Writer* writer, int piece, int slot, int offset) noexcept nogil
cdef void follow_castling(Writer* writer, int king, int rook) noexcept nogil
cdef void write_result(Writer* writer, Py_ssize_t record) noexcept nogil
