"""Lines of play in the reader of jose's game texts: the sink's, with jose's piece lists following every move.

A variation costs a copy of its line, every move is constant.
"""

import cython
from cython.cimports.libc.stdint import uint8_t
from cython.cimports.libc.string import memcpy
from cython.cimports.tabiya.formats.jose.moves_kernel import DEEPEST
from cython.cimports.tabiya.formats.jose.pieces import move_piece, take_back_piece
from cython.cimports.tabiya.formats.jose.reading import (
    PROBLEM_EARLY_CLOSE,
    PROBLEM_EARLY_VARIATION,
    PROBLEM_EMPTY_VARIATION,
    PROBLEM_OPEN_VARIATION,
    PROBLEM_TOO_DEEP,
)
from cython.cimports.tabiya.game.columns import put_problem
from cython.cimports.tabiya.game.sink import (
    NOTHING,
    add_move,
    close_variation,
    depth_of,
    end_line,
    open_variation,
)


def fail(reader, code):
    """Note what is wrong with the last byte read; the stored bytes are kept. Always False."""
    put_problem(reader.columns, code, reader.place - 1 if reader.place else 0, cython.NULL, 0)
    reader.damaged = True
    return False


def play(reader, move):
    line = cython.address(reader.line)
    board = cython.address(reader.sink.line.board)
    move_piece(cython.address(line.pieces), board, move, cython.address(line.undo))
    add_move(cython.address(reader.sink), move)
    line.waits = False


def open_line(reader):
    """Take the last move back: what follows is an alternative to it."""
    line = cython.address(reader.line)
    sink = cython.address(reader.sink)
    if sink.line.last == NOTHING:
        return fail(reader, PROBLEM_EARLY_VARIATION)
    if depth_of(sink) >= DEEPEST:
        return fail(reader, PROBLEM_TOO_DEEP)
    if not open_variation(sink):
        return False
    take_back_piece(cython.address(line.pieces), cython.address(line.undo))
    line.opened = reader.place - 1
    line.waits = False
    return True


def close_line(reader):
    if reader.sink.outside.size == 0:
        return fail(reader, PROBLEM_EARLY_CLOSE)
    leave_line(reader)
    return True


def leave_line(reader):
    """End the open variation and go back to the line around it."""
    line = cython.address(reader.line)
    counts: uint8_t[16]
    reader.reread |= line.waits
    if reader.sink.line.last == NOTHING:
        put_problem(reader.columns, PROBLEM_EMPTY_VARIATION, line.opened, cython.NULL, 0)
    memcpy(counts, line.pieces.count, 16)
    close_variation(cython.address(reader.sink))
    memcpy(line.pieces.count, counts, 16)  # places added in the variation stay, vacant


def close_all(reader):
    """End the lines that are open where the game ends."""
    while reader.sink.outside.size:
        put_problem(reader.columns, PROBLEM_OPEN_VARIATION, reader.line.opened, cython.NULL, 0)
        leave_line(reader)
    reader.reread |= reader.line.waits
    end_line(cython.address(reader.sink))
