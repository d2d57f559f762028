from libc.stdint cimport uint16_t, uint64_t

from tabiya.chess.board cimport Board

cdef int legal_moves(const Board* board, uint16_t* moves, int limit) noexcept nogil
cdef bint has_legal_move(const Board* board) noexcept nogil
cdef bint waiting_side_in_check(const Board* board) noexcept nogil
cdef int check_mark(const Board* board) noexcept nogil
cdef uint64_t count_leaves(const Board* board, int depth) noexcept nogil
cdef bint is_legal_move(const Board* board, int move) noexcept nogil
