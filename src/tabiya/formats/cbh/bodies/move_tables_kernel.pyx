"""Fills the tables of the move coders once on import: about 14 kB.

A move of the compact coder is a piece and a step; steps of queens, rooks and bishops wrap around the edge of the board,
so that seven numbers suffice for a line. :mod:`tabiya.formats.cbh.bodies.move_tables` has the permutations of the
modes.
"""

from libc.string cimport memset

from tabiya.chess.board cimport BISHOP, KING, KNIGHT, PAWN, QUEEN, ROOK

from tabiya.formats.cbh.bodies.move_tables import DECODE, inverse

FILE, RANK, RISING, FALLING = (0, 1), (1, 0), (1, 1), (1, -1)
"""Lines as (files, ranks) per step."""

KING_STEPS = ((0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1))
KNIGHT_STEPS = ((2, 1), (1, 2), (-1, 2), (-2, 1), (-2, -1), (-1, -2), (1, -2), (2, -1))

# First number, first slot, and the lines in order. The third pieces come after the pawns.
LINE_PIECES = (
    (11, QUEEN_SLOT, (FILE, RANK, RISING, FALLING)),
    (143, QUEEN_SLOT + 1, (FILE, RANK, RISING, FALLING)),
    (171, QUEEN_SLOT + 2, (FILE, RANK, RISING, FALLING)),
    (39, ROOK_SLOT, (FILE, RANK)),
    (53, ROOK_SLOT + 1, (FILE, RANK)),
    (199, ROOK_SLOT + 2, (FILE, RANK)),
    (67, BISHOP_SLOT, (RISING, FALLING)),
    (81, BISHOP_SLOT + 1, (RISING, FALLING)),
    (213, BISHOP_SLOT + 2, (RISING, FALLING)),
)
KNIGHTS = ((95, KNIGHT_SLOT), (103, KNIGHT_SLOT + 1), (227, KNIGHT_SLOT + 2))
FIRST_KING = 1
FIRST_PAWN = 111


cdef void add_colored(int color, int number, int slot, int files, int ranks) noexcept:
    cdef int step = (ranks & 7) << 3 | files & 7
    meaning = &CODES.meaning[number]
    meaning.slot = slot
    meaning.piece_type = (
        KING if slot == KING_SLOT else PAWN if slot >= PAWN_SLOT else QUEEN - (slot - QUEEN_SLOT) // MOST_SLOTS
    )
    meaning.step[color] = step
    if CODES.number[color][slot][step]:
        meaning.second_form = 1  # four steps up or down a diagonal end on the same square
    else:
        CODES.number[color][slot][step] = number


cdef void add_step(int number, int slot, int files, int ranks) noexcept:
    add_colored(0, number, slot, files, ranks)
    add_colored(1, number, slot, files, ranks)


cdef void fill_piece(int first, int slot, tuple lines) noexcept:
    cdef int number = first
    for files, ranks in lines:
        for distance in range(1, 8):
            add_step(number, slot, files * distance, ranks * distance)
            number += 1


def _fill() -> None:
    memset(&CODES, 0, sizeof(CODES))
    for number in range(256):
        CODES.meaning[number].slot = NO_SLOT
    for mode, table in DECODE.items():
        CODES.known[mode] = 1
        for value, encoded in enumerate(inverse(table)):
            CODES.decode[mode][encoded] = value
            CODES.encode[mode][value] = encoded
    for number, (files, ranks) in enumerate(KING_STEPS, FIRST_KING):
        add_step(number, KING_SLOT, files, ranks)
    for first, slot, lines in LINE_PIECES:
        fill_piece(first, slot, lines)
    for first, slot in KNIGHTS:
        for number, (files, ranks) in enumerate(KNIGHT_STEPS, first):
            add_step(number, slot, files, ranks)
    for pawn in range(8):
        for color, forward in ((0, 1), (1, -1)):
            # One step, two steps, captures to the right and to the left from the player's view.
            for number, (files, ranks) in enumerate(((0, 1), (0, 2), (1, 1), (-1, 1)), FIRST_PAWN + 4 * pawn):
                add_colored(color, number, PAWN_SLOT + pawn, files * forward, ranks * forward)
    CODES.first_slot[KING] = KING_SLOT
    CODES.first_slot[QUEEN] = QUEEN_SLOT
    CODES.first_slot[ROOK] = ROOK_SLOT
    CODES.first_slot[BISHOP] = BISHOP_SLOT
    CODES.first_slot[KNIGHT] = KNIGHT_SLOT
    CODES.first_slot[PAWN] = PAWN_SLOT


_fill()
