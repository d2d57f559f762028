from libc.stdint cimport int64_t, uint64_t

from tabiya.chess.board cimport Board
from tabiya.game.batch_view cimport View

cdef extern from *:
    """
    #ifndef TABIYA_MIXER
    #define TABIYA_MIXER ((uint64_t)0x9E3779B97F4A7C15ULL)
    #endif
    """
    const int64_t MOST_RECORDS "((int64_t)1 << 32)"  # maximum that a row can count
    const uint64_t MIXER "TABIYA_MIXER"  # the golden ratio as an odd number of 64 bits

cdef enum:
    NO_RESULT = 0
    WON = 1       # by the side to move
    LOST = 2
    DRAWN = 3
    REPEATED = 4  # the game had this position before: not counted again

# The bit offsets in the second word of a row; the place is below.
cdef enum:
    MOVE_AT = 48
    OUTCOME_AT = 40

# How a place is identified; ``rows.py`` has the same numbers.
cdef enum:
    BY_KEY = 0
    BY_LINE = 1
    BY_FRAME = 2

# Why a game has no rows, as indices of the counters.
cdef enum:
    TAKEN = 0
    NOT_A_GAME = 1
    OTHER_VARIANT = 2
    OTHER_START = 3
    BAD_START = 4
    BAD_MOVE = 5
    COUNTERS = 6

cdef int begin_game(const View* view, Py_ssize_t record, int mode, const Board* usual, Board* board) noexcept nogil
