from tabiya.chess.board cimport Board
from tabiya.search.instructions cimport Instruction, Line

# --- for other kernels ---

cdef bint holds_rarely(const Line* line, const Instruction* asked, int move) noexcept nogil

# --- private to this kernel ---

cdef int worth_of(int piece_type) noexcept nogil
cdef bint is_sacrifice(const Board* board, int move, int least) noexcept nogil
cdef bint gives_check(const Board* board, int move, bint mate) noexcept nogil
cdef int legal_ep_here(const Board* board) noexcept nogil
