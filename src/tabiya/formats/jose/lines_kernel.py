"""Lines of play in the reader of jose's game texts: moves that are played, variations that open and close.

No recursion: open lines stand on a stack of their own. A variation costs a copy of its line, every move is constant.
"""

import cython
from cython.cimports.libc.stdint import uint8_t
from cython.cimports.libc.string import memcpy
from cython.cimports.tabiya.chess.board import make_move_without_key, remember, unmake_move
from cython.cimports.tabiya.formats.jose.moves_kernel import DEEPEST
from cython.cimports.tabiya.formats.jose.notes_kernel import adopt, end_line, settle_pending
from cython.cimports.tabiya.formats.jose.pieces import move_piece, take_back_piece
from cython.cimports.tabiya.formats.jose.reading import (
    NOTHING,
    PROBLEM_EARLY_CLOSE,
    PROBLEM_EARLY_VARIATION,
    PROBLEM_EMPTY_VARIATION,
    PROBLEM_OPEN_VARIATION,
    PROBLEM_TOO_DEEP,
    Line,
)
from cython.cimports.tabiya.game.columns import put_problem, put_uint16, reserve
from cython.cimports.tabiya.game.tape_kernel import VARIATION_BEGIN, VARIATION_END


def fail(reader, code):
    """Notes what is wrong with the last byte read; the stored bytes are kept. Always False."""
    put_problem(reader.columns, code, reader.place - 1 if reader.place else 0, cython.NULL, 0)
    reader.damaged = True
    return False


def play(reader, move):
    line = cython.address(reader.line)
    move_piece(cython.address(line.pieces), cython.address(line.board), move, cython.address(line.piece_undo))
    remember(cython.address(line.board), move, cython.address(line.undo))
    make_move_without_key(cython.address(line.board), move)
    put_uint16(reader.columns, cython.address(reader.columns.moves), move)
    line.last = reader.moves
    reader.moves += 1
    line.after_variation = False
    if line.pending != NOTHING or line.errors != NOTHING:
        settle_pending(reader)


def open_line(reader):
    """Takes the last move back: what follows is an alternative to it."""
    line = cython.address(reader.line)
    size: cython.Py_ssize_t = cython.sizeof(Line)
    if line.last == NOTHING:
        return fail(reader, PROBLEM_EARLY_VARIATION)
    if reader.outside.size // size >= DEEPEST:
        return fail(reader, PROBLEM_TOO_DEEP)
    if not reserve(reader.columns, cython.address(reader.outside), size):
        return False
    memcpy(reader.outside.data + reader.outside.size, line, size)
    reader.outside.size += size
    unmake_move(cython.address(line.board), cython.address(line.undo))
    take_back_piece(cython.address(line.pieces), cython.address(line.piece_undo))
    line.last = NOTHING
    line.after_variation = False
    line.pending = line.errors = NOTHING
    line.tape_mark = reader.columns.moves.size
    line.opened = reader.place - 1
    put_uint16(reader.columns, cython.address(reader.columns.moves), VARIATION_BEGIN)
    return True


def close_line(reader):
    if reader.outside.size == 0:
        return fail(reader, PROBLEM_EARLY_CLOSE)
    pop_line(reader)
    return True


def pop_line(reader):
    """Ends the open variation and goes back to the line around it. One without moves was none."""
    line = cython.address(reader.line)
    pending: cython.Py_ssize_t = NOTHING
    counts: uint8_t[16]
    if line.last == NOTHING:
        put_problem(reader.columns, PROBLEM_EMPTY_VARIATION, line.opened, cython.NULL, 0)
        reader.columns.moves.size = line.tape_mark
        pending = line.pending
        empty = True
    else:
        end_line(reader)
        put_uint16(reader.columns, cython.address(reader.columns.moves), VARIATION_END)
        empty = False
    memcpy(counts, line.pieces.count, 16)
    reader.outside.size -= cython.sizeof(Line)
    memcpy(line, reader.outside.data + reader.outside.size, cython.sizeof(Line))
    memcpy(line.pieces.count, counts, 16)  # places added in the variation stay, vacant
    if empty:
        adopt(reader, pending)
    else:
        line.after_variation = True


def close_all(reader):
    """Ends the lines that are open where the game ends."""
    while reader.outside.size:
        put_problem(reader.columns, PROBLEM_OPEN_VARIATION, reader.line.opened, cython.NULL, 0)
        pop_line(reader)
    end_line(reader)
