from libc.stdint cimport uint8_t

# Destinations of pieces on an empty board, in ascending order: what the index of a move counts. About 15 kB.
ctypedef struct IndexTables:
    uint8_t target[8][64][28]   # by piece type but the pawn, and by square: the squares it attacks
    uint8_t targets[8][64]      # how many these are
    uint8_t size[8]             # how many values of the index a piece takes, by piece type
    uint8_t width[256]          # bits of a number: 0 for 0, 1 for 1, 2 for 2 and 3 …

cdef IndexTables INDEX_TABLES
