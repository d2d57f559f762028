"""Positions from the bitboards of another library: python-chess has them ready, while writing a FEN takes it long.

Constant time: 32 pieces, four rights.
"""

import cython
from cython.cimports.libc.stdint import uint64_t
from cython.cimports.tabiya.chess.bits import bit, lowest, several
from cython.cimports.tabiya.chess.board import BLACK, KING, NO_SQUARE, PAWN, ROOK, Board, code_of, place
from cython.cimports.tabiya.chess.fen_kernel import clear_board, grant_castling, use_ep
from cython.cimports.tabiya.chess.position_kernel import PositionCore
from cython.cimports.tabiya.chess.tables_kernel import TABLES

EDGES = cython.declare(uint64_t, bit(8) - 1 | ~(bit(56) - 1))  # the first and the eighth rank


def put_pieces(board, colors, types):
    """Set up the pieces; False unless there is one kind on every occupied square, one king each, and no odd pawn."""
    squares: uint64_t
    square: cython.int
    seen: uint64_t = 0
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


def put_rights(board, castling):
    """Grants the rights to castle with the rooks in ``castling``, as far as king and rook stand where they should."""
    home: cython.int
    for color in range(2):
        home = 56 * color
        if board.king[color] != home + 4:
            continue
        for rook in range(home, home + 8, 7):
            if castling & bit(rook) and board.squares[rook] == code_of(color, ROOK):
                grant_castling(board, color, rook)


def load_bitboards(
    core: PositionCore,
    white: uint64_t,
    black: uint64_t,
    pawns: uint64_t,
    knights: uint64_t,
    bishops: uint64_t,
    rooks: uint64_t,
    queens: uint64_t,
    kings: uint64_t,
    black_to_move: cython.bint,
    castling: uint64_t,
    ep: cython.int,
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
    board: Board
    colors: uint64_t[2]
    types: uint64_t[8]
    colors[0] = white
    colors[1] = black
    types[0] = types[7] = 0
    types[1] = pawns
    types[2] = knights
    types[3] = bishops
    types[4] = rooks
    types[5] = queens
    types[6] = kings
    clear_board(cython.address(board))
    if not put_pieces(cython.address(board), colors, types):
        return False
    if black_to_move:
        board.turn = BLACK
        board.key ^= TABLES.turn_key
    put_rights(cython.address(board), castling)
    if ep != NO_SQUARE:
        if ep >> 3 != 2 and ep >> 3 != 5:
            return False
        board.state.ep_given = ep
        use_ep(cython.address(board), ep)
    core.board = board
    return True
