from libc.stdint cimport uint16_t, uint64_t

from tabiya.chess.board cimport Board

# --- for other kernels ---

cdef int legal_moves(const Board* board, uint16_t* moves, int limit) noexcept nogil
cdef bint has_legal_move(const Board* board) noexcept nogil
cdef bint waiting_side_in_check(const Board* board) noexcept nogil
cdef int check_mark(const Board* board) noexcept nogil
cdef uint64_t count_leaves(const Board* board, int depth) noexcept nogil
cdef bint is_legal_move(const Board* board, int move) noexcept nogil

# --- private to this kernel ---

ctypedef struct MoveList:
    uint16_t* moves
    int count
    int limit

cdef void add_moves(MoveList* found, const Board* board, int source, uint64_t targets, bint tested) noexcept nogil
cdef void add_pawn_moves(MoveList* found, const Board* board, int source, bint tested) noexcept nogil
cdef uint64_t pinned_candidates(const Board* board) noexcept nogil
