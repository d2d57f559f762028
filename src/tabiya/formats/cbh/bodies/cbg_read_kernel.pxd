from libc.stdint cimport uint8_t

from tabiya.formats.cbh.bodies.cbg cimport Moves

# --- for other kernels ---

# How reading the moves of a blob ends, beside problem codes.
cdef enum:
    MOVES_OK = 0
    MOVES_AGAIN = 1  # with more castling rights
    NOT_A_MOVE = -1

cdef int read_moves(Moves* moves, const uint8_t* data, Py_ssize_t size) noexcept nogil
cdef bint is_exact(const Moves* moves) noexcept nogil
cdef void init_moves(Moves* moves) noexcept nogil
cdef void free_moves(Moves* moves) noexcept nogil

# --- private to this kernel ---

cdef int read_start(Moves* moves) noexcept nogil
cdef int read_compact(Moves* moves) noexcept nogil
cdef bint read_plain(Moves* moves) noexcept nogil
cdef int read_simple(Moves* moves, bint swapped) noexcept nogil
cdef int read_value(Moves* moves) noexcept nogil
cdef int rare_move(Moves* moves, int value) noexcept nogil
cdef int word_move(Moves* moves, int source, int target, int promotion) noexcept nogil
cdef int castle(Moves* moves, int side) noexcept nogil
cdef void play(Moves* moves, int move) noexcept nogil
cdef int read_lines(Moves* moves) noexcept nogil
cdef bint is_compact(int mode) noexcept nogil
cdef void note_needless(Moves* moves, int word, int source, int move) noexcept nogil
