from libc.stdint cimport uint64_t

from tabiya.chess.board cimport Board

cdef bint put_pieces(Board* board, const uint64_t* colors, const uint64_t* types) noexcept nogil
cdef void put_rights(Board* board, uint64_t castling) noexcept nogil
