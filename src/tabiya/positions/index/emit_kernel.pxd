from libc.stdint cimport uint16_t, uint64_t

from tabiya.chess.board cimport Board
from tabiya.game.walk cimport PlayedLine, Walk

cdef extern from *:
    """
    #ifndef TABIYA_SIGN
    #define TABIYA_SIGN ((uint64_t)1 << 63)
    #endif
    """
    const uint64_t SIGN "TABIYA_SIGN"  # flipped in a key, unsigned order is that of signed numbers

cdef enum:
    NO_MOVE = 0xFFFF    # behind the last move, -1 as a number of 16 bits
    MOST_PLY = 0x7FFF   # as far as such a number counts

# How a record ends up, as places of the counters.
cdef enum:
    WHOLE = 0
    DELETED = 6         # behind those of ``begin_game``
    TOO_LONG = 7
    COUNTERS = 8

# A position of a game: where it stands in the order of keys, and what of the game is there.
ctypedef struct Row:
    uint64_t order
    uint64_t load       # game << 32 | ply << 16 | move, or game << 32 | number of the move

# What is kept of a line while its variations are played.
ctypedef struct Line:
    PlayedLine played
    bint lost           # a move could not be played

cdef int add_main_line(const uint16_t* tape, Py_ssize_t length, Board* board, uint64_t game, Row** rows) noexcept nogil
cdef int add_variations(Walk* walk, Line* line, uint64_t game, Row** rows) noexcept nogil
