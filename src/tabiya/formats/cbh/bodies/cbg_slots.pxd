# The numbers of pieces: state that the compact coder keeps in addition to the board. Everything here is inline.
#
# At the start the squares are scanned up the files (or in reverse), and each piece takes the next free slot of its
# type. A slot follows its piece. The capture of a piece closes the gap it leaves; pawns keep their numbers.

from libc.stdint cimport uint8_t
from libc.string cimport memset

from tabiya.chess.board cimport (
    KING, NO_SQUARE, PAWN, ROOK, Board, castled_king, castled_rook, code_of, promotion_of, source_of, target_of
)
from tabiya.formats.cbh.bodies.move_tables_kernel cimport CODES, KING_SLOT, NO_SLOT, PAWN_SLOT, square_of

ctypedef struct Slots:
    uint8_t square[2][49]  # by colour and slot; NO_SQUARE if it is free
    uint8_t at[64]         # the slot of the piece on a square, NO_SLOT if it has none
    uint8_t count[2][8]    # slots in use, by colour and type of piece
    uint8_t limit          # number of slots per type: TRACKED, or more where later pieces move up


cdef inline void add_piece(Slots* slots, int color, int piece_type, int square) noexcept nogil:
    """Assign the first free slot to a piece, if there is one."""
    cdef int count = slots.count[color][piece_type], slot
    cdef int limit = 8 if piece_type == PAWN else 1 if piece_type == KING else slots.limit
    if count >= limit:
        slots.at[square] = NO_SLOT
        return
    slot = CODES.first_slot[piece_type] + count
    slots.square[color][slot] = square
    slots.at[square] = slot
    slots.count[color][piece_type] = count + 1


cdef inline void number_pieces(Slots* slots, const Board* board, bint reverse, int limit) noexcept nogil:
    """Number the pieces of a start position."""
    cdef int index, square, code
    memset(slots.square, NO_SQUARE, sizeof(slots.square))
    memset(slots.at, NO_SLOT, sizeof(slots.at))
    memset(slots.count, 0, sizeof(slots.count))
    slots.limit = limit
    for index in range(64):
        square = square_of(63 - index if reverse else index)
        code = board.squares[square]
        if code:
            add_piece(slots, code >> 3, code & 7, square)


cdef inline void drop_piece(Slots* slots, int color, int piece_type, int square) noexcept nogil:
    """Free the slot of a captured piece."""
    cdef int slot = slots.at[square], last
    slots.at[square] = NO_SLOT
    if slot == NO_SLOT:
        return
    if slot >= PAWN_SLOT:
        slots.square[color][slot] = NO_SQUARE
        return
    last = CODES.first_slot[piece_type] + slots.count[color][piece_type] - 1
    while slot < last:
        slots.square[color][slot] = slots.square[color][slot + 1]
        slots.at[slots.square[color][slot]] = slot
        slot += 1
    slots.square[color][last] = NO_SQUARE
    slots.count[color][piece_type] -= 1


cdef inline void castle_slots(Slots* slots, int color, int king, int rook) noexcept nogil:
    cdef int slot = slots.at[rook]
    cdef int king_target = castled_king(king, rook), rook_target = castled_rook(king, rook)
    slots.at[king] = slots.at[rook] = NO_SLOT
    slots.at[king_target] = KING_SLOT
    slots.square[color][KING_SLOT] = king_target
    slots.at[rook_target] = slot
    if slot != NO_SLOT:
        slots.square[color][slot] = rook_target


cdef inline void move_slots(Slots* slots, const Board* board, int move) noexcept nogil:
    """Update slots for a legal move, which is not the null move; call it before ``make_move``."""
    cdef int source = source_of(move), target = target_of(move), us = board.turn
    cdef int slot = slots.at[source], captured = board.squares[target]
    if captured:
        if captured == code_of(us, ROOK):
            castle_slots(slots, us, source, target)
            return
        drop_piece(slots, us ^ 1, captured & 7, target)
    elif target == board.state.ep and board.squares[source] & 7 == PAWN:
        drop_piece(slots, us ^ 1, PAWN, target ^ 8)
    slots.at[source] = NO_SLOT
    if move >> 12:
        if slot != NO_SLOT:
            slots.square[us][slot] = NO_SQUARE
        add_piece(slots, us, promotion_of(move), target)
        return
    slots.at[target] = slot
    if slot != NO_SLOT:
        slots.square[us][slot] = target
