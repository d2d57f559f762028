from libc.stdint cimport uint64_t

cdef extern from *:
    """
    #ifndef TABIYA_SIGN
    #define TABIYA_SIGN ((uint64_t)1 << 63)
    #endif
    """
    const uint64_t SIGN "TABIYA_SIGN"  # if flipped in a key, unsigned order is that of signed numbers

# A position of a game: its sort key, and its place in the game.
ctypedef struct Row:
    uint64_t order
    uint64_t load       # game << 32 | ply << 16 | move, or game << 32 | number of the move
