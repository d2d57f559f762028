# The fields of rows of positions; ``rows_kernel`` writes them.

from libc.stdint cimport int64_t, uint64_t

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
