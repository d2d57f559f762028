from libc.stdint cimport uint16_t, uint8_t

# Destinations of pieces on an empty board, in ascending order: the basis of the move index. About 48 kB, of which
# reading and writing use different parts.
ctypedef struct IndexTables:
    uint8_t target[8][64][28]   # by piece type except pawn, and by square: the squares it attacks
    uint8_t targets[8][64]      # their number
    uint8_t number[8][64][64]   # by piece type except pawn, and by squares: the index of the second among these
    uint8_t size[8]             # number of index values of a piece, by piece type
    uint16_t reciprocal[8]      # 65536 / size, rounded up: exact for all possible indices (see ``divide``)
    uint8_t width[256]          # bits of a number: 0 for 0, 1 for 1, 2 for 2 and 3 …

cdef IndexTables INDEX_TABLES
