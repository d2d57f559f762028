from libc.stdint cimport uint64_t, uint8_t

# Attack tables and Polyglot keys, filled once on import: about 54 kB, of which a game touches a small part.
ctypedef struct Tables:
    uint64_t knight[64]
    uint64_t king[64]
    uint64_t pawn[2][64]        # squares a pawn of that colour attacks
    uint64_t file[64]           # lines through a square, without the square itself
    uint64_t diagonal[64]
    uint64_t antidiagonal[64]
    uint64_t rook_lines[64]     # what a rook attacks on an empty board
    uint64_t bishop_lines[64]
    uint64_t lines[8][64]       # by piece type except the pawn: what it attacks on an empty board
    uint64_t between[64][64]    # squares strictly between two squares on a line, else 0
    uint8_t rank[8][64]         # [file][inner six squares of the rank] -> attacked squares of the rank
    uint64_t piece_key[16][64]  # by piece code; rows without a piece are 0, so that "captures nothing" needs no branch
    uint64_t castling_key[16]   # by set of rights; XOR of two sets is the key of their difference
    uint64_t ep_key[9]          # by file; 8 = none = 0
    uint64_t turn_key           # used when White is to move

cdef Tables TABLES
