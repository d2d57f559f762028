from libc.stdint cimport uint8_t

from tabiya.chess.board cimport Board

cdef int format_position(Board* board, uint8_t* out) noexcept nogil
cdef int format_move(Board* board, int token, uint8_t* out) noexcept nogil
