from tabiya.chess.board cimport Board
from tabiya.game.batch_view cimport View

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
