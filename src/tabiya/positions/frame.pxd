# A position from the point of view of the side to move: as White, and from the side of the board with its king.
#
# A position, the same with colours exchanged, and its mirror image if neither side may castle are equal in this frame.
# Squares are mapped from the board to the frame by XOR with a mask, and back in the same way.

from tabiya.chess.board cimport BLACK, Board


cdef inline int frame_mask(const Board* board) noexcept nogil:
    """56 turns the ranks if Black is to move; 7 the files if the king is on the left and castling is not possible."""
    cdef int mask = 56 if board.turn == BLACK else 0
    if board.state.rights == 0 and board.king[board.turn] & 7 < 4:
        mask |= 7
    return mask


cdef inline int real_move(int move, int mask) noexcept nogil:
    """Convert a move between the frame and the real board, in either direction."""
    return move ^ mask ^ mask << 6 if move else 0
