from libc.stdint cimport int16_t, uint32_t, uint8_t

# The tables of ``codes.py`` for kernels, filled once on import: about 5 kB.
cdef enum:
    STEP = 0
    NULL_MOVE = 1
    CASTLE_KING_SIDE = 2
    CASTLE_QUEEN_SIDE = 3
    NO_MOVE = 4           # an unassigned byte

# The meaning of a byte in a book.
ctypedef struct Meaning:
    uint8_t special
    uint8_t piece
    uint8_t number
    uint8_t right
    uint8_t forward

# A symbol of the packed board.
ctypedef struct Symbol:
    uint8_t value         # piece code, or bits of a piece
    uint8_t length

ctypedef struct CodeTables:
    Meaning meaning[256]
    int16_t code[7][8][64]     # by piece type, number of the piece, files right | ranks forward << 3; -1 = none
    uint8_t special[4]         # codes of the null move and of castling
    uint32_t hash[64]
    Symbol symbol[16]          # bits by piece code
    Symbol piece[64]           # piece code by the next six bits

cdef CodeTables CODE_TABLES
