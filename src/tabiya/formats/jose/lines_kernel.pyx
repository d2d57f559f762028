"""Lines of play in the reader of jose's game texts: the sink's, with jose's piece lists updated by every move.

A variation costs a copy of its line, every move is constant.
"""

from libc.stdint cimport uint8_t
from libc.string cimport memcpy

from tabiya.formats.jose.moves_kernel cimport DEEPEST
from tabiya.formats.jose.pieces cimport move_piece, take_back_piece
from tabiya.formats.jose.reading cimport (
    PROBLEM_EARLY_CLOSE, PROBLEM_EARLY_VARIATION, PROBLEM_EMPTY_VARIATION, PROBLEM_OPEN_VARIATION, PROBLEM_TOO_DEEP
)
from tabiya.game.columns cimport put_problem
from tabiya.game.sink cimport NOTHING, add_move, close_variation, depth_of, end_line, open_variation


cdef bint fail(Reader* reader, int code) noexcept nogil:
    """Record a problem at the last byte read; the stored bytes are kept. Always returns False."""
    put_problem(reader.columns, code, reader.place - 1 if reader.place else 0, NULL, 0)
    reader.damaged = True
    return False


cdef void play(Reader* reader, int move) noexcept nogil:
    line = &reader.line
    board = &reader.sink.line.board
    move_piece(&line.pieces, board, move, &line.undo)
    add_move(&reader.sink, move)
    line.waits = False


cdef bint open_line(Reader* reader) noexcept nogil:
    """Take the last move back: what follows is an alternative to it."""
    line = &reader.line
    sink = &reader.sink
    if sink.line.last == NOTHING:
        return fail(reader, PROBLEM_EARLY_VARIATION)
    if depth_of(sink) >= DEEPEST:
        return fail(reader, PROBLEM_TOO_DEEP)
    if not open_variation(sink):
        return False
    take_back_piece(&line.pieces, &line.undo)
    line.opened = reader.place - 1
    line.waits = False
    return True


cdef bint close_line(Reader* reader) noexcept nogil:
    if reader.sink.outside.size == 0:
        return fail(reader, PROBLEM_EARLY_CLOSE)
    leave_line(reader)
    return True


cdef void leave_line(Reader* reader) noexcept nogil:
    """End the open variation and return to the outer line."""
    line = &reader.line
    cdef uint8_t counts[16]
    reader.reread |= line.waits
    if reader.sink.line.last == NOTHING:
        put_problem(reader.columns, PROBLEM_EMPTY_VARIATION, line.opened, NULL, 0)
    memcpy(counts, line.pieces.count, 16)
    close_variation(&reader.sink)
    memcpy(line.pieces.count, counts, 16)  # entries added in the variation remain, vacant


cdef void close_all(Reader* reader) noexcept nogil:
    """End the lines that are open where the game ends."""
    while reader.sink.outside.size:
        put_problem(reader.columns, PROBLEM_OPEN_VARIATION, reader.line.opened, NULL, 0)
        leave_line(reader)
    reader.reread |= reader.line.waits
    end_line(&reader.sink)
