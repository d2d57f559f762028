from libc.stdint cimport int64_t, uint16_t, uint64_t

from tabiya.chess.board cimport Board
from tabiya.game.batch_view cimport View

cdef extern from *:
    """
    #ifndef TABIYA_MIXER
    #define TABIYA_MIXER ((uint64_t)0x9E3779B97F4A7C15ULL)
    #endif
    """
    const int64_t MOST_RECORDS "((int64_t)1 << 32)"  # as far as a row can count
    const uint64_t MIXER "TABIYA_MIXER"  # the golden ratio as an odd number of 64 bits

# --- for other kernels ---

cdef enum:
    NO_RESULT = 0
    WON = 1       # by the side to move
    LOST = 2
    DRAWN = 3
    REPEATED = 4  # the game was here before: not counted again

# Where the second word of a row has what; the place is below.
cdef enum:
    MOVE_AT = 48
    OUTCOME_AT = 40

# --- private to this kernel ---

# What a place is known by; the numbers stand in ``rows.py`` too.
cdef enum:
    BY_KEY = 0
    BY_LINE = 1
    BY_FRAME = 2

cdef enum:
    CASTLING = 0x8000  # set in a move, which alone does not tell castling from a move of a rook
    NO_MOVE = 0x7FFF   # behind the last move
    MOST_PLY = 255

# Why a game has no rows, as places of the counters.
cdef enum:
    TAKEN = 0
    NOT_A_GAME = 1
    OTHER_VARIANT = 2
    OTHER_START = 3
    BAD_START = 4
    BAD_MOVE = 5
    COUNTERS = 6

ctypedef struct Rows:
    uint64_t* words      # of all rows
    Py_ssize_t width     # of a row
    uint16_t* tapes
    uint64_t seen[256]   # keys of the game that is being played
    Py_ssize_t count
    int mode
    int max_ply

cdef uint64_t mixed(uint64_t key, uint64_t value) noexcept nogil
cdef uint64_t frame_key(const Board* board, int* mask) noexcept nogil
cdef int outcome_of(int result, int turn) noexcept nogil
cdef int rating_of(int elo) noexcept nogil
cdef int next_on_main_line(const uint16_t* tape, Py_ssize_t length, Py_ssize_t* place) noexcept nogil
cdef int begin_game(const View* view, Py_ssize_t record, int mode, const Board* usual, Board* board) noexcept nogil
cdef void put_row(Rows* rows, const View* view, Py_ssize_t record, int turn, int64_t place, uint64_t key,
                  uint64_t following, int move, int again) noexcept nogil
cdef int add_game(Rows* rows, const View* view, Py_ssize_t record, Board* board, int64_t place) noexcept nogil
