# A position seen by the side to move: as White, and from the side of the board that its king stands on.
#
# A position, the same with colours exchanged, and its mirror image if nobody may castle are one in this frame. Squares
# come from the board to the frame by XOR with a mask, and back the same way.

from tabiya.chess.board cimport BLACK, Board


cdef inline int frame_mask(const Board* board) noexcept nogil:
    """56 turns the ranks, because Black moves; 7 the files, because the king is on the left and castling is over."""
    cdef int mask = 56 if board.turn == BLACK else 0
    if board.state.rights == 0 and board.king[board.turn] & 7 < 4:
        mask |= 7
    return mask


cdef inline int real_move(int move, int mask) noexcept nogil:
    """A move of the frame on the real board, or the other way round."""
    return move ^ mask ^ mask << 6 if move else 0
