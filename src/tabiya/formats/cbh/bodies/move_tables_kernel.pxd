from libc.stdint cimport uint8_t

# What the bytes of a stream of moves mean: tables by mode, and the numbers of moves by piece and step.
cdef enum:
    MODES = 12
    TRACKED = 3        # pieces of a type whose moves have numbers
    NO_SLOT = 255

# Slots of one side: where its pieces stand. Ten per type, of which only the first three have numbers for their moves.
cdef enum:
    KING_SLOT = 0
    QUEEN_SLOT = 1
    ROOK_SLOT = 11
    BISHOP_SLOT = 21
    KNIGHT_SLOT = 31
    PAWN_SLOT = 41
    SLOTS = 49
    MOST_SLOTS = 10    # of a type but the pawn

# Numbers of the compact coder that are no move of a numbered piece.
cdef enum:
    NULL_MOVE = 0
    SHORT_CASTLING = 9
    LONG_CASTLING = 10
    TWO_BYTES = 235
    PUSH = 254
    POP = 255

# What a number of the compact coder means if it is a move of a numbered piece. Together, so that a move asks one place.
ctypedef struct Meaning:
    uint8_t slot               # of the piece, NO_SLOT for all other numbers
    uint8_t piece_type
    uint8_t second_form        # whether another number means the same move and is the one that ChessBase takes
    uint8_t step[2]            # by colour: 8 * ranks + files, both modulo 8
    uint8_t unused[3]          # eight bytes are found faster than five

ctypedef struct Codes:
    uint8_t decode[12][256]
    uint8_t encode[12][256]
    uint8_t known[12]          # whether there is a table for the mode
    Meaning meaning[256]       # by number of the compact coder
    uint8_t number[2][49][64]  # by colour, slot and step: the number, 0 for none
    uint8_t first_slot[8]      # by type of piece

cdef Codes CODES


# ChessBase counts squares up the files: a1 = 0, a2 = 1, … h8 = 63.
cdef inline int square_of(int stored) noexcept nogil:
    return (stored & 7) << 3 | stored >> 3 & 7


cdef inline int stored_square(int square) noexcept nogil:
    return (square & 7) << 3 | square >> 3


cdef inline int step_between(int source, int target) noexcept nogil:
    """From one square to the other: 8 * ranks + files, both modulo 8."""
    return (target & 56) - (source & 56) & 56 | target - source & 7


cdef inline int after_step(int source, int step) noexcept nogil:
    """``step_between`` the other way round."""
    return (source & 56) + (step & 56) & 56 | source + step & 7
