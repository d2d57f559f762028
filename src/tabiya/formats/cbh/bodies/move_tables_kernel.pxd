from libc.stdint cimport uint8_t

# The meaning of the bytes of a move stream: tables by mode, and the numbers of moves by piece and step.
cdef enum:
    MODES = 12
    TRACKED = 3        # pieces of a type whose moves have numbers
    NO_SLOT = 255

# Slots of one side: the squares of its pieces. Ten per type, of which only the first three have numbers for their
# moves.
cdef enum:
    KING_SLOT = 0
    QUEEN_SLOT = 1
    ROOK_SLOT = 11
    BISHOP_SLOT = 21
    KNIGHT_SLOT = 31
    PAWN_SLOT = 41
    SLOTS = 49
    MOST_SLOTS = 10    # per type except pawns

# Numbers of the compact coder that are not moves of a numbered piece.
cdef enum:
    NULL_MOVE = 0
    SHORT_CASTLING = 9
    LONG_CASTLING = 10
    TWO_BYTES = 235
    PUSH = 254
    POP = 255

# Meaning of a number of the compact coder that is a move of a numbered piece. One structure, for a single memory
# access.
ctypedef struct Meaning:
    uint8_t slot               # of the piece, NO_SLOT for all other numbers
    uint8_t piece_type
    uint8_t second_form        # whether ChessBase uses another number for the same move
    uint8_t step[2]            # by colour: 8 * ranks + files, both modulo 8
    uint8_t unused[3]          # eight bytes are addressed faster than five

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
    """Return the step between two squares: 8 * ranks + files, both modulo 8."""
    return (target & 56) - (source & 56) & 56 | target - source & 7


cdef inline int after_step(int source, int step) noexcept nogil:
    """Return the square after a step, the inverse of ``step_between``."""
    return (source & 56) + (step & 56) & 56 | source + step & 7
