"""Questions about a position that take long, or hardly ever come up: pawns en passant, checks, mates, sacrifices.

Reads a board and the move that is played there. Linear in the number of legal moves at worst.
"""

import cython
from cython.cimports.libc.stdint import uint16_t
from cython.cimports.tabiya.chess.board import (
    EMPTY,
    KING,
    KNIGHT,
    MAX_MOVES,
    NO_FILE,
    NO_SQUARE,
    PAWN,
    QUEEN,
    Board,
    in_check,
    make_move_without_key,
    source_of,
    target_of,
)
from cython.cimports.tabiya.chess.fen_kernel import legal_ep
from cython.cimports.tabiya.chess.rules_kernel import has_legal_move, legal_moves
from cython.cimports.tabiya.chess.tables_kernel import TABLES
from cython.cimports.tabiya.search.instructions import (
    OP_EN_PASSANT,
    OP_GIVES_CHECK,
    OP_MATE,
    OP_SACRIFICE,
    captured_by,
)


def worth_of(piece_type):
    """Return what a man is worth, in pawns, as everybody counts."""
    if piece_type == QUEEN:
        return 9
    if piece_type > KNIGHT + 1:
        return 5
    return 3 if piece_type > PAWN else 1


def is_sacrifice(board, move, least):
    """Return whether a move takes something worth less, by so much, and the taker can be taken by a legal move."""
    replies: uint16_t[MAX_MOVES]
    after: Board
    mover: cython.int
    taken: cython.int
    target: cython.int = target_of(move)
    if move <= 0:
        return False
    mover = board.squares[source_of(move)] & 7
    taken = captured_by(board, move) & 7
    if taken == EMPTY or mover == KING or worth_of(mover) - worth_of(taken) < least:
        return False
    after = board[0]
    make_move_without_key(cython.address(after), move)
    for reply in range(legal_moves(cython.address(after), replies, MAX_MOVES)):
        if target_of(replies[reply]) == target:
            return True
    return False


def gives_check(board, move, mate):
    """Return whether a move gives check, and with ``mate`` leaves no answer to it."""
    after: Board
    if move <= 0:
        return False
    after = board[0]
    make_move_without_key(cython.address(after), move)
    return in_check(cython.address(after)) and not (mate and has_legal_move(cython.address(after)))


def legal_ep_here(board):
    """Return where a pawn can be taken en passant, legally, on a board that knows only the square behind it."""
    known: Board
    if board.state.ep == NO_SQUARE:
        return NO_SQUARE
    known = board[0]
    known.state.ep_file = NO_FILE
    if TABLES.pawn[board.turn ^ 1][board.state.ep] & board.types[PAWN] & board.colors[board.turn]:
        known.state.ep_file = board.state.ep & 7
    return legal_ep(cython.address(known))


def holds_rarely(line, asked, move):
    """Return whether an instruction holds whose question takes long, or never comes up in most positions."""
    board: cython.pointer[cython.const[Board]] = cython.address(line.board)
    if asked.operation == OP_EN_PASSANT:
        return legal_ep_here(board) == asked.low
    if asked.operation == OP_GIVES_CHECK:
        return gives_check(board, move, asked.low != 0)
    if asked.operation == OP_SACRIFICE:
        return is_sacrifice(board, move, asked.low)
    if asked.operation == OP_MATE:
        return in_check(board) and not has_legal_move(board)
    return not in_check(board) and not has_legal_move(board)
