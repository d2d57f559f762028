"""Lines of play in the PGN reader: variations that open and close, that stand out of their place, that break off.

No recursion: open lines stand on the stack of the sink. Every part of the text is read once; variations that stand
before the move they replace are read where they belong, at most MOST_DETOURS inside each other: time stays linear.
"""

import cython
from cython.cimports.tabiya.chess.letters import is_blank, is_newline
from cython.cimports.tabiya.chess.san import SAN_AMBIGUOUS, SAN_ILLEGAL, parse_san
from cython.cimports.tabiya.formats.pgn.reader import (
    MOST_DETOURS,
    PROBLEM_COMMENT_OPEN,
    PROBLEM_MOVE_AMBIGUOUS,
    PROBLEM_MOVE_ILLEGAL,
    PROBLEM_MOVE_UNREADABLE,
    PROBLEM_VARIATION_EARLY,
    PROBLEM_VARIATION_EMPTY,
    PROBLEM_VARIATION_OPEN,
    Detour,
)
from cython.cimports.tabiya.formats.pgn.record_kernel import note, put_text
from cython.cimports.tabiya.formats.pgn.skip_kernel import Stop, skip_line
from cython.cimports.tabiya.game.annotations.kinds import KIND_UNREADABLE
from cython.cimports.tabiya.game.columns import close_annotation, put_bytes
from cython.cimports.tabiya.game.sink import (
    NOTHING,
    add_move,
    attach_nags,
    close_variation,
    drop_variation,
    end_line,
    line_around,
    open_after,
    open_late,
    open_text,
    open_variation,
)

# --- texts -----------------------------------------------------------------------------------------------------------


def add_text(reader, text, length, language):
    """Add a text of the file where it belongs."""
    open_text(cython.address(reader.sink), language)
    put_text(reader, cython.address(reader.columns.annotation_data.data), text, length)
    close_annotation(reader.columns)


def keep_late(reader, begin, stop, reason):
    """Keep the rest of a line, behind its last move or behind the result."""
    attach_nags(cython.address(reader.sink))
    open_late(cython.address(reader.sink), KIND_UNREADABLE, reason)
    put_verbatim(reader, begin, stop)


def put_verbatim(reader, begin, stop):
    """Write a stretch of text without the blanks around it, and close the annotation that it is."""
    columns = reader.columns
    end: cython.Py_ssize_t = stop.place
    while end > begin and (is_blank(reader.text[end - 1]) or is_newline(reader.text[end - 1])):
        end -= 1
    put_text(reader, cython.address(columns.annotation_data.data), reader.text + begin, end - begin)
    if stop.comment_open:
        note(reader, PROBLEM_COMMENT_OPEN, begin, end)
        put_bytes(columns, cython.address(columns.annotation_data.data), b"}", 1)
    close_annotation(columns)


# --- lines -----------------------------------------------------------------------------------------------------------


def play(reader, move):
    """Add a legal move (or a null move) to the line."""
    line = cython.address(reader.line)
    add_move(cython.address(reader.sink), move)
    if line.early != NOTHING:
        line.due = line.early
        line.early = NOTHING


def open_line(reader, opened, resume):
    """Begin a variation on the line's last move, whose ``(`` stands at ``opened``."""
    line = cython.address(reader.line)
    if not open_variation(cython.address(reader.sink)):
        return
    line.early = line.due = line.inline_end = line.inline_resume = NOTHING
    line.opened = opened
    line.resume = resume
    reader.place = opened + 1


def leave_line(reader, drops):
    """Go back to the line outside; the reader's place becomes where reading goes on."""
    resume: cython.Py_ssize_t = reader.line.resume
    if drops:
        drop_variation(cython.address(reader.sink))
    else:
        close_variation(cython.address(reader.sink))
    if resume != NOTHING:
        reader.place = resume
        reader.detour_depth -= 1


def close_line(reader):
    """End the variation at its ``)``, at the reader's place, or does what must come before."""
    line = cython.address(reader.line)
    if line.inline_end == reader.place:
        reader.place = line.inline_resume
        line.inline_end = NOTHING
        reader.detour_depth -= 1
        return
    attach_nags(cython.address(reader.sink))
    if leave_for_detour(reader):
        return
    reader.place += 1
    if reader.sink.line.last == NOTHING:
        note(reader, PROBLEM_VARIATION_EMPTY, line.opened, reader.place)
    leave_line(reader, False)


def close_all_lines(reader):
    """End the game's lines where the game ends. True if there is something to be read elsewhere before."""
    sink = cython.address(reader.sink)
    while True:
        attach_nags(sink)
        if leave_for_detour(reader):
            return True
        if sink.outside.size == 0:
            break
        note(reader, PROBLEM_VARIATION_OPEN, reader.line.opened, reader.line.opened + 1)
        leave_line(reader, False)
    end_line(sink)
    return False


# --- variations out of their place -----------------------------------------------------------------------------------


def leave_for_detour(reader):
    """Go to a variation that has waited for the line's last move, or for its end. False if there is none."""
    line = cython.address(reader.line)
    detours = cython.cast(cython.pointer[Detour], reader.detours.data)
    opened: cython.Py_ssize_t
    if line.due != NOTHING:
        opened = detours[line.due].opened
        line.due = detours[line.due].next
        reader.detour_depth += 1
        open_line(reader, opened, reader.place)
        return True
    if line.early != NOTHING:
        # No next move: the variation is what the line goes on with, and further ones are alternatives to it.
        line.inline_end = detours[line.early].closed
        line.inline_resume = reader.place
        reader.place = detours[line.early].opened + 1
        line.early = detours[line.early].next
        reader.sink.line.after_variation = True
        reader.detour_depth += 1
        return True
    return False


def postpone(reader, begin, end):
    """Put off the open variation if its first move, ``begin`` to ``end``, fits only after the line's last move."""
    outer = line_around(cython.address(reader.sink))
    detours: cython.pointer[Detour]
    detour: Detour
    number: cython.Py_ssize_t = reader.detours.size // cython.sizeof(Detour)
    stop: Stop
    if (
        reader.detour_depth >= MOST_DETOURS
        or parse_san(cython.address(outer.board), reader.text + begin, end - begin) < 0
    ):
        return False
    stop = skip_line(reader, begin)
    if not stop.closed:
        return False
    detour.opened = reader.line.opened
    detour.closed = stop.place
    detour.next = NOTHING
    put_bytes(
        reader.columns,
        cython.address(reader.detours),
        cython.cast("const unsigned char*", cython.address(detour)),
        cython.sizeof(Detour),
    )
    reader.place = stop.place + 1
    leave_line(reader, True)
    note(reader, PROBLEM_VARIATION_EARLY, begin, end)
    if reader.columns.out_of_memory:
        return True
    if reader.line.early == NOTHING:
        reader.line.early = number
    else:
        detours = cython.cast(cython.pointer[Detour], reader.detours.data)
        detours[reader.line.latest].next = number
    reader.line.latest = number
    return True


# --- lines that break off --------------------------------------------------------------------------------------------


def fail_line(reader, begin, end, reason):
    """Keep the rest of the line verbatim: the token from ``begin`` to ``end`` is not a move here."""
    sink = cython.address(reader.sink)
    stop: Stop
    opened: cython.Py_ssize_t = reader.line.opened
    problem: cython.int = PROBLEM_MOVE_UNREADABLE
    kept_reason: cython.int = 0
    if reason == SAN_ILLEGAL:
        problem = PROBLEM_MOVE_ILLEGAL
        kept_reason = 1
    elif reason == SAN_AMBIGUOUS:
        problem = PROBLEM_MOVE_AMBIGUOUS
        kept_reason = 2
    attach_nags(sink)
    if sink.line.last == NOTHING and sink.outside.size:
        if postpone(reader, begin, end):
            return
        stop = skip_line(reader, begin)
        stop.place += stop.closed
        reader.place = stop.place
        leave_line(reader, True)
        note(reader, problem, begin, end)
        sink.line.after_variation = True
        open_after(sink, KIND_UNREADABLE, kept_reason)
        put_verbatim(reader, opened, stop)
        return
    note(reader, problem, begin, end)
    stop = skip_line(reader, begin)
    reader.place = stop.place
    keep_late(reader, begin, stop, kept_reason)
