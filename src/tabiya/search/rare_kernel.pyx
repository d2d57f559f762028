"""Slow or rare tests of a position: en passant, checks, mates, sacrifices.

Reads a board and the move that is played next. At worst linear in the number of legal moves.
"""

from libc.stdint cimport uint16_t

from tabiya.chess.board cimport (
    EMPTY, KING, KNIGHT, MAX_MOVES, NO_FILE, NO_SQUARE, PAWN, QUEEN, Board, in_check, make_move_without_key, source_of,
    target_of
)
from tabiya.chess.fen_kernel cimport legal_ep
from tabiya.chess.rules_kernel cimport has_legal_move, legal_moves
from tabiya.chess.tables_kernel cimport TABLES
from tabiya.search.instructions cimport OP_EN_PASSANT, OP_GIVES_CHECK, OP_MATE, OP_SACRIFICE, captured_by


cdef int worth_of(int piece_type) noexcept nogil:
    """Return the usual value of a piece, in pawns."""
    if piece_type == QUEEN:
        return 9
    if piece_type > KNIGHT + 1:
        return 5
    return 3 if piece_type > PAWN else 1


cdef bint is_sacrifice(const Board* board, int move, int least) noexcept nogil:
    """Return whether a move captures a piece worth at least ``least`` less and can be answered by a recapture."""
    cdef uint16_t replies[MAX_MOVES]
    cdef Board after
    cdef int mover
    cdef int taken
    cdef int target = target_of(move)
    if move <= 0:
        return False
    mover = board.squares[source_of(move)] & 7
    taken = captured_by(board, move) & 7
    if taken == EMPTY or mover == KING or worth_of(mover) - worth_of(taken) < least:
        return False
    after = board[0]
    make_move_without_key(&after, move)
    for reply in range(legal_moves(&after, replies, MAX_MOVES)):
        if target_of(replies[reply]) == target:
            return True
    return False


cdef bint gives_check(const Board* board, int move, bint mate) noexcept nogil:
    """Return whether a move gives check, and with ``mate`` whether there is no legal answer."""
    cdef Board after
    if move <= 0:
        return False
    after = board[0]
    make_move_without_key(&after, move)
    return in_check(&after) and not (mate and has_legal_move(&after))


cdef int legal_ep_here(const Board* board) noexcept nogil:
    """Return the square of a legal en passant capture, on a board that knows only the passed square."""
    cdef Board known
    if board.state.ep == NO_SQUARE:
        return NO_SQUARE
    known = board[0]
    known.state.ep_file = NO_FILE
    if TABLES.pawn[board.turn ^ 1][board.state.ep] & board.types[PAWN] & board.colors[board.turn]:
        known.state.ep_file = board.state.ep & 7
    return legal_ep(&known)


cdef bint holds_rarely(const Line* line, const Instruction* asked, int move) noexcept nogil:
    """Return whether an instruction holds that is slow or rarely reached."""
    cdef const Board* board = &line.board
    if asked.operation == OP_EN_PASSANT:
        return legal_ep_here(board) == asked.low
    if asked.operation == OP_GIVES_CHECK:
        return gives_check(board, move, asked.low != 0)
    if asked.operation == OP_SACRIFICE:
        return is_sacrifice(board, move, asked.low)
    if asked.operation == OP_MATE:
        return in_check(board) and not has_legal_move(board)
    return not in_check(board) and not has_legal_move(board)
