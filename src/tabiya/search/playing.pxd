# Playing moves one after the other as fast as it goes, for those who look at every position of many games.

from libc.stdint cimport int32_t, uint64_t

from tabiya.chess.bits cimport bit, unlikely
from tabiya.chess.board cimport (
    BLACK,
    EMPTY,
    KING,
    NO_SQUARE,
    PAWN,
    WHITE,
    Board,
    make_move_without_key,
    source_of,
    target_of,
)
from tabiya.search.instructions cimport count_bits

# How many men, and how many pawns, White and Black have.
ctypedef struct Forces:
    int32_t men[2]
    int32_t pawns[2]


cdef inline void count_forces(const Board* board, Forces* forces) noexcept nogil:
    cdef int color
    for color in range(WHITE, BLACK + 1):
        forces.men[color] = count_bits(board.colors[color])
        forces.pawns[color] = count_bits(board.colors[color] & board.types[PAWN])


cdef inline void play_plainly(Board* board, int move, Forces* forces) noexcept nogil:
    """Play a move of an own man, or the null move, without the key; keep the numbers of men up to date.

    Nothing that most moves need branches on the man that moves, because that is guessed badly: comparisons are
    multiplied instead. The file of a pawn that may be taken en passant is not kept up to date, only the square.
    """
    cdef int source = source_of(move), target = target_of(move), us = board.turn
    cdef int piece = board.squares[source], captured = board.squares[target]
    cdef int is_pawn = piece & 7 == PAWN, is_king = piece & 7 == KING, takes = captured != EMPTY
    cdef int castles = takes & (captured >> 3 == us), en_passant = is_pawn & (target == board.state.ep)
    cdef int jumps = is_pawn & ((source ^ target) == 16), king = board.king[us]
    cdef uint64_t goal = bit(target), moved = bit(source) | goal
    if unlikely(castles | en_passant | move >> 12 | (move == 0)):
        make_move_without_key(board, move)
        count_forces(board, forces)
        return
    forces.men[us ^ 1] -= takes
    forces.pawns[us ^ 1] -= <int> (captured & 7 == PAWN)
    board.turn = us ^ 1
    board.state.rights &= board.rights_mask[source] & board.rights_mask[target]
    board.state.ep = NO_SQUARE - jumps * (NO_SQUARE - ((source + target) >> 1))
    board.king[us] = king + is_king * (target - king)
    board.squares[target] = piece
    board.squares[source] = EMPTY
    board.colors[us ^ 1] &= ~goal
    board.types[captured & 7] &= ~goal
    board.colors[us] ^= moved
    board.types[piece & 7] ^= moved
