"""Positions from the bitboards of python-chess, which are readily available; writing a FEN would be slow.

Constant time: 32 pieces, four rights.
"""

from libc.stdint cimport uint64_t

from tabiya.chess.bits cimport bit, lowest, several
from tabiya.chess.board cimport BLACK, KING, NO_SQUARE, PAWN, ROOK, Board, code_of, place
from tabiya.chess.fen_kernel cimport clear_board, grant_castling, use_ep
from tabiya.chess.position_kernel cimport PositionCore
from tabiya.chess.tables_kernel cimport TABLES

cdef uint64_t EDGES = bit(8) - 1 | ~(bit(56) - 1)  # the first and the eighth rank


cdef bint put_pieces(Board* board, const uint64_t* colors, const uint64_t* types) noexcept nogil:
    """Set up the pieces; False unless each occupied square has one kind, each side one king, and pawns are possible."""
    cdef uint64_t squares
    cdef int square
    cdef uint64_t seen = 0
    if colors[0] & colors[1] or types[PAWN] & EDGES:
        return False
    for piece in range(PAWN, KING + 1):
        if types[piece] & seen:
            return False
        seen |= types[piece]
        for color in range(2):
            squares = types[piece] & colors[color]
            if piece == KING:
                if squares == 0 or several(squares):
                    return False
                board.king[color] = lowest(squares)
            while squares:
                square = lowest(squares)
                squares &= squares - 1
                place(board, code_of(color, piece), square)
    return seen == colors[0] | colors[1]


cdef void put_rights(Board* board, uint64_t castling) noexcept nogil:
    """Grant the rights to castle with the rooks in ``castling``, as far as king and rook are in place."""
    cdef int home
    for color in range(2):
        home = 56 * color
        if board.king[color] != home + 4:
            continue
        for rook in range(home, home + 8, 7):
            if castling & bit(rook) and board.squares[rook] == code_of(color, ROOK):
                grant_castling(board, color, rook)


def load_bitboards(
    PositionCore core not None, uint64_t white, uint64_t black, uint64_t pawns, uint64_t knights, uint64_t bishops,
    uint64_t rooks, uint64_t queens, uint64_t kings, bint black_to_move, uint64_t castling, int ep
) -> bool:
    """Fill a new position; False, leaving it as it was, if no FEN could describe these bitboards.

    Args:
        core: the position.
        white: squares of White's pieces, a1 the lowest bit.
        black: squares of Black's pieces.
        pawns: squares of all pawns; the same for the other kinds.
        knights: squares of knights.
        bishops: squares of bishops.
        rooks: squares of rooks.
        queens: squares of queens.
        kings: squares of kings.
        black_to_move: whether it is Black's turn.
        castling: squares of the rooks that may castle, in standard chess.
        ep: the square that a pawn has just jumped over, 64 if there is none.
    """
    cdef Board board
    cdef uint64_t colors[2]
    cdef uint64_t types[8]
    colors[0] = white
    colors[1] = black
    types[0] = types[7] = 0
    types[1] = pawns
    types[2] = knights
    types[3] = bishops
    types[4] = rooks
    types[5] = queens
    types[6] = kings
    clear_board(&board)
    if not put_pieces(&board, colors, types):
        return False
    if black_to_move:
        board.turn = BLACK
        board.key ^= TABLES.turn_key
    put_rights(&board, castling)
    if ep != NO_SQUARE:
        if ep >> 3 != 2 and ep >> 3 != 5:
            return False
        board.state.ep_given = ep
        use_ep(&board, ep)
    core.board = board
    return True
