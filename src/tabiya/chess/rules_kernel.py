"""Legal move generation: reads a ``Board``, writes tape tokens. Linear in the number of moves; never recurses on input.

C functions for other kernels stand in ``rules_kernel.pxd``; Python reaches them through ``position_kernel``.
"""

import cython
from cython.cimports.libc.stdint import uint16_t, uint64_t
from cython.cimports.tabiya.chess.bits import bit, lowest
from cython.cimports.tabiya.chess.board import (
    BISHOP,
    KING,
    KING_SIDE,
    MAX_MOVES,
    NO_SQUARE,
    PAWN,
    QUEEN,
    QUEEN_SIDE,
    ROOK,
    Board,
    attacked,
    bishop_attacks,
    castling_move,
    in_check,
    is_legal,
    leaves_king_safe,
    make_move,
    move_of,
    occupied,
    piece_attacks,
    rook_attacks,
)
from cython.cimports.tabiya.chess.letters import HASH, PLUS
from cython.cimports.tabiya.chess.tables_kernel import TABLES


def pinned_candidates(board):
    """Own pieces that may be pinned: those next to the king on lines where an enemy slider stands behind them."""
    us: cython.int = board.turn
    king: cython.int = board.king[us]
    own: uint64_t = board.colors[us]
    enemies: uint64_t = board.colors[us ^ 1]
    occupancy: uint64_t = own | enemies
    found: uint64_t = 0
    blockers: uint64_t
    sliders: uint64_t = (board.types[BISHOP] | board.types[QUEEN]) & enemies
    if sliders & TABLES.bishop_lines[king]:
        blockers = bishop_attacks(king, occupancy) & own
        if bishop_attacks(king, occupancy ^ blockers) & sliders:
            found = blockers
    sliders = (board.types[ROOK] | board.types[QUEEN]) & enemies
    if sliders & TABLES.rook_lines[king]:
        blockers = rook_attacks(king, occupancy) & own
        if rook_attacks(king, occupancy ^ blockers) & sliders:
            found |= blockers
    return found


def add_moves(found, board, source, targets, tested):
    while targets:
        target: cython.int = lowest(targets)
        targets &= targets - 1
        if not tested or leaves_king_safe(board, source, target):
            found.moves[found.count] = move_of(source, target, 0)
            found.count += 1


def add_pawn_moves(found, board, source, tested):
    us: cython.int = board.turn
    target: cython.int
    forward: cython.int = 8 - 16 * us
    targets: uint64_t = TABLES.pawn[us][source] & board.colors[us ^ 1] & ~board.types[KING]
    if board.state.ep != NO_SQUARE:
        targets |= TABLES.pawn[us][source] & bit(board.state.ep)
    if board.squares[source + forward] == 0:
        targets |= bit(source + forward)
        if source >> 3 == (6 if us else 1) and board.squares[source + 2 * forward] == 0:
            targets |= bit(source + 2 * forward)
    while targets:
        target = lowest(targets)
        targets &= targets - 1
        # Taking en passant empties two squares of a rank at once, so it can uncover the king without being "pinned".
        if (tested or target == board.state.ep) and not leaves_king_safe(board, source, target):
            continue
        if target >> 3 == (0 if us else 7):
            for promoted in range(QUEEN, 1, -1):
                found.moves[found.count] = move_of(source, target, promoted)
                found.count += 1
        else:
            found.moves[found.count] = move_of(source, target, 0)
            found.count += 1


def legal_moves(board, moves, limit):
    """Write the legal moves and return their number; stops after the piece with which ``limit`` is reached.

    ``moves`` has room for MAX_MOVES tokens.
    """
    us: cython.int = board.turn
    king: cython.int = board.king[us]
    source: cython.int
    move: cython.int
    checked: cython.bint = in_check(board)
    free: uint64_t = ~board.colors[us] & ~board.types[KING]
    doubtful: uint64_t = board.colors[us] if checked else pinned_candidates(board)
    pieces: uint64_t = board.colors[us] & ~bit(king)
    occupancy: uint64_t = occupied(board)
    found: MoveList
    found.moves = moves
    found.count = 0
    add_moves(cython.address(found), board, king, TABLES.king[king] & free, True)
    while pieces and found.count < limit:
        source = lowest(pieces)
        pieces &= pieces - 1
        if board.squares[source] & 7 == PAWN:
            add_pawn_moves(cython.address(found), board, source, doubtful & bit(source) != 0)
        else:
            add_moves(
                cython.address(found),
                board,
                source,
                piece_attacks(board.squares[source] & 7, source, occupancy) & free,
                doubtful & bit(source) != 0,
            )
    if board.state.rights and not checked and found.count < limit:
        for side in range(KING_SIDE, QUEEN_SIDE + 1):
            move = castling_move(board, side)
            if move:
                found.moves[found.count] = move
                found.count += 1
    return found.count


def has_legal_move(board):
    moves: uint16_t[MAX_MOVES]
    return legal_moves(board, moves, 1) > 0


def is_legal_move(board, move):
    """``is_legal`` for those who ask rarely: inline in two places of a kernel it would be inline in neither."""
    return is_legal(board, move)


def waiting_side_in_check(board):
    """Whether the side to move could take the king."""
    them: cython.int = board.turn ^ 1
    return attacked(board, board.king[them], them, board.colors[them ^ 1], occupied(board))


def check_mark(board):
    """``+`` if the side to move is in check, ``#`` if it is mated, else 0."""
    if not in_check(board):
        return 0
    return PLUS if has_legal_move(board) else HASH


def count_leaves(board, depth):
    """Perft: the number of move sequences of ``depth`` plies. Recurses ``depth`` deep, which the caller bounds."""
    moves: uint16_t[MAX_MOVES]
    next_board: Board
    leaves: uint64_t = 0
    count: cython.int = legal_moves(board, moves, MAX_MOVES)
    if depth <= 1:
        return count if depth == 1 else 1
    for index in range(count):
        next_board = board[0]
        make_move(cython.address(next_board), moves[index])
        leaves += count_leaves(cython.address(next_board), depth - 1)
    return leaves
