"""Lines of play in the PGN reader: opening and closing variations, annotations on their moves, lines that break off.

No recursion: open lines stand on a stack of their own. Every part of the text is read once; variations that stand
before the move they replace are read where they belong, at most MOST_DETOURS inside each other: time stays linear.
"""

import cython
from cython.cimports.libc.stdint import int32_t, uint16_t
from cython.cimports.libc.string import memcpy
from cython.cimports.tabiya.chess.board import make_move_without_key, remember, unmake_move
from cython.cimports.tabiya.chess.san import SAN_AMBIGUOUS, SAN_ILLEGAL, parse_san
from cython.cimports.tabiya.formats.pgn.lexer import is_blank, is_newline
from cython.cimports.tabiya.formats.pgn.reader import (
    MOST_DETOURS,
    NOTHING,
    PROBLEM_COMMENT_OPEN,
    PROBLEM_MOVE_AMBIGUOUS,
    PROBLEM_MOVE_ILLEGAL,
    PROBLEM_MOVE_UNREADABLE,
    PROBLEM_VARIATION_EARLY,
    PROBLEM_VARIATION_EMPTY,
    PROBLEM_VARIATION_OPEN,
    Detour,
    Line,
    Reader,
)
from cython.cimports.tabiya.formats.pgn.record_kernel import go_back, note, put_nags, put_text, set_mark
from cython.cimports.tabiya.formats.pgn.skip_kernel import Stop, skip_line
from cython.cimports.tabiya.game.columns import (
    KIND_TEXT_AFTER,
    KIND_TEXT_BEFORE,
    KIND_UNREADABLE,
    SIDE_AFTER,
    SIDE_BEFORE,
    SIDE_LATE,
    annotation_count,
    close_annotation,
    cut_strings,
    open_annotation,
    put_bytes,
    put_uint8,
    put_uint16,
    reserve,
    string_count,
)
from cython.cimports.tabiya.game.tape_kernel import VARIATION_BEGIN, VARIATION_END

# --- annotations -----------------------------------------------------------------------------------------------------


def mark_order(reader, move, side):
    """Notes whether an annotation on this side of a move, added now, is out of order: late ones come last."""
    rank: cython.int = 2 * move + (side == SIDE_LATE)
    if rank < reader.record.annotated:
        reader.record.unsorted = True
    else:
        reader.record.annotated = rank


def flush_nags(reader):
    """Attaches the NAGs that have been read: to the last move, even behind its variations; else to the next one."""
    line = cython.address(reader.line)
    record = cython.address(reader.record)
    waiting: cython.Py_ssize_t
    if reader.nags.size == 0:
        return
    if record.ended:
        mark_order(reader, NOTHING, SIDE_LATE)
        record.split_nags = True  # comments may part them
        put_nags(reader, NOTHING, SIDE_LATE)
    elif line.last == NOTHING:
        waiting = annotation_count(reader.columns)
        record.split_nags = True
        put_nags(reader, line.pending, SIDE_BEFORE)
        line.pending = waiting
    else:
        if record.nag_move >= line.last:
            record.split_nags = True
        else:
            record.nag_move = line.last
        mark_order(reader, line.last, SIDE_AFTER)
        put_nags(reader, line.last, SIDE_AFTER)


def open_text(reader, language):
    """Begins a text: after the last move; before the next one at the start of a line or behind ``)``."""
    columns = reader.columns
    line = cython.address(reader.line)
    if reader.record.ended:
        mark_order(reader, NOTHING, SIDE_LATE)
        open_annotation(columns, NOTHING, SIDE_LATE, KIND_TEXT_AFTER, language)
    elif line.last == NOTHING or line.after_variation:
        line.pending = open_annotation(columns, line.pending, SIDE_BEFORE, KIND_TEXT_BEFORE, language)
    else:
        mark_order(reader, line.last, SIDE_AFTER)
        open_annotation(columns, line.last, SIDE_AFTER, KIND_TEXT_AFTER, language)


def open_value(reader, kind):
    """The same for anything else, which before the first move is about the whole game."""
    columns = reader.columns
    line = cython.address(reader.line)
    if reader.record.ended:
        mark_order(reader, NOTHING, SIDE_LATE)
        open_annotation(columns, NOTHING, SIDE_LATE, kind, 0)
    elif line.last == NOTHING and reader.outside.size == 0:
        mark_order(reader, NOTHING, SIDE_AFTER)
        open_annotation(columns, NOTHING, SIDE_AFTER, kind, 0)
    elif line.last == NOTHING or line.after_variation:
        line.pending = open_annotation(columns, line.pending, SIDE_BEFORE, kind, 0)
    else:
        mark_order(reader, line.last, SIDE_AFTER)
        open_annotation(columns, line.last, SIDE_AFTER, kind, 0)


def add_text(reader, text, length, language):
    """A text of the file, where it belongs."""
    flush_nags(reader)
    open_text(reader, language)
    put_text(reader, cython.address(reader.columns.annotation_data.data), text, length)
    close_annotation(reader.columns)


def add_unreadable(reader, begin, stop, move, side, reason):
    """Keeps a stretch of text verbatim, without the blanks around it."""
    columns = reader.columns
    end: cython.Py_ssize_t = stop.place
    while end > begin and (is_blank(reader.text[end - 1]) or is_newline(reader.text[end - 1])):
        end -= 1
    mark_order(reader, move, side)
    open_annotation(columns, move, side, KIND_UNREADABLE, reason)
    put_text(reader, cython.address(columns.annotation_data.data), reader.text + begin, end - begin)
    if stop.comment_open:
        note(reader, PROBLEM_COMMENT_OPEN, begin, end)
        put_bytes(columns, cython.address(columns.annotation_data.data), b"}", 1)
    close_annotation(columns)


def settle_pending(reader, move, late):
    """Gives the annotations that waited for a move this one; ``late`` if it is the last of a line that has ended."""
    columns = reader.columns
    waiting: cython.Py_ssize_t = reader.line.pending
    newest: cython.Py_ssize_t = annotation_count(columns) - 1
    following: cython.Py_ssize_t
    moves = cython.cast(cython.pointer[int32_t], columns.annotation_move.data)
    kinds = cython.cast(cython.pointer[uint16_t], columns.annotation_kind.data)
    if waiting == NOTHING or columns.out_of_memory:
        return
    mark_order(reader, move, SIDE_LATE if late else SIDE_BEFORE)
    while waiting != NOTHING:
        following = moves[waiting]
        moves[waiting] = move
        if late:
            columns.annotation_side.data[waiting] = SIDE_LATE
            if kinds[waiting] == KIND_TEXT_BEFORE:
                kinds[waiting] = KIND_TEXT_AFTER
        if waiting != newest:
            reader.record.unsorted = True
        newest = waiting - 1
        waiting = following
    reader.line.pending = NOTHING


# --- lines -----------------------------------------------------------------------------------------------------------


def play(reader, move):
    """Adds a legal move (or a null move) to the line."""
    line = cython.address(reader.line)
    if reader.nags.size:
        flush_nags(reader)
    remember(cython.address(line.board), move, cython.address(line.undo))
    make_move_without_key(cython.address(line.board), move)
    put_uint16(reader.columns, cython.address(reader.columns.moves), move)
    line.last = reader.record.moves
    reader.record.moves += 1
    line.after_variation = False
    if line.pending != NOTHING:
        settle_pending(reader, line.last, False)
    if line.early != NOTHING:
        line.due = line.early
        line.early = NOTHING


def open_line(reader, opened, resume):
    """Begins a variation on the line's last move, whose ``(`` stands at ``opened``."""
    columns = reader.columns
    line = cython.address(reader.line)
    flush_nags(reader)
    if not reserve(columns, cython.address(reader.outside), cython.sizeof(Line)):
        return
    memcpy(reader.outside.data + reader.outside.size, line, cython.sizeof(Line))
    reader.outside.size += cython.sizeof(Line)
    unmake_move(cython.address(line.board), cython.address(line.undo))
    line.last = NOTHING
    line.after_variation = False
    line.pending = line.early = line.due = line.inline_end = line.inline_resume = NOTHING
    line.opened = opened
    line.resume = resume
    line.tape_mark = columns.moves.size
    line.move_mark = reader.record.moves
    set_mark(reader, cython.address(line.mark))
    line.extra_mark = string_count(cython.address(columns.extra_keys))
    put_uint16(columns, cython.address(columns.moves), VARIATION_BEGIN)
    reader.place = opened + 1


def pop_line(reader):
    """Goes back to the line outside; the reader's place becomes where reading goes on."""
    resume: cython.Py_ssize_t = reader.line.resume
    reader.outside.size -= cython.sizeof(Line)
    memcpy(cython.address(reader.line), reader.outside.data + reader.outside.size, cython.sizeof(Line))
    if resume != NOTHING:
        reader.place = resume
        reader.detour_depth -= 1


def cut_back(reader):
    """Forgets everything that the open variation has added."""
    line = cython.address(reader.line)
    reader.columns.moves.size = line.tape_mark
    reader.record.moves = line.move_mark
    go_back(reader, cython.address(line.mark))
    cut_strings(cython.address(reader.columns.extra_keys), line.extra_mark)
    cut_strings(cython.address(reader.columns.extra_values), line.extra_mark)


def close_line(reader):
    """Ends the variation at its ``)``, at the reader's place, or does what must come before."""
    line = cython.address(reader.line)
    if line.inline_end == reader.place:
        reader.place = line.inline_resume
        line.inline_end = NOTHING
        reader.detour_depth -= 1
        return
    flush_nags(reader)
    if leave_for_detour(reader):
        return
    reader.place += 1
    if line.last != NOTHING:
        settle_pending(reader, line.last, True)
        put_uint16(reader.columns, cython.address(reader.columns.moves), VARIATION_END)
        pop_line(reader)
        line.after_variation = True
        return
    note(reader, PROBLEM_VARIATION_EMPTY, line.opened, reader.place)
    dissolve_line(reader)


def dissolve_line(reader):
    """Gives the annotations of a variation without moves to the line outside, as if they had stood there."""
    columns = reader.columns
    line = cython.address(reader.line)
    pending: cython.Py_ssize_t = line.pending
    moves = cython.cast(cython.pointer[int32_t], columns.annotation_move.data)
    kinds = cython.cast(cython.pointer[uint16_t], columns.annotation_kind.data)
    following: cython.Py_ssize_t
    columns.moves.size = line.tape_mark
    pop_line(reader)
    if columns.out_of_memory:
        return
    while pending != NOTHING:
        following = moves[pending]
        if line.after_variation:
            moves[pending] = line.pending
            line.pending = pending
            reader.record.unsorted = True
        else:
            mark_order(reader, line.last, SIDE_AFTER)
            moves[pending] = line.last
            columns.annotation_side.data[pending] = SIDE_AFTER
            if kinds[pending] == KIND_TEXT_BEFORE:
                kinds[pending] = KIND_TEXT_AFTER
        pending = following


def close_all_lines(reader):
    """Ends the game's lines where the game ends. True if there is something to be read elsewhere before."""
    while True:
        flush_nags(reader)
        if leave_for_detour(reader):
            return True
        if reader.outside.size == 0:
            break
        note(reader, PROBLEM_VARIATION_OPEN, reader.line.opened, reader.line.opened + 1)
        if reader.line.last == NOTHING:
            dissolve_line(reader)
            continue
        settle_pending(reader, reader.line.last, True)
        put_uint16(reader.columns, cython.address(reader.columns.moves), VARIATION_END)
        pop_line(reader)
        reader.line.after_variation = True
    settle_pending(reader, reader.line.last, True)
    return False


# --- variations out of their place -----------------------------------------------------------------------------------


def leave_for_detour(reader):
    """Goes to a variation that has waited for the line's last move, or for its end. False if there is none."""
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
        line.after_variation = True
        reader.detour_depth += 1
        return True
    return False


def postpone(reader, begin, end):
    """Puts off the open variation if its first move, ``begin`` to ``end``, fits only after the line's last move."""
    outer = cython.cast(cython.pointer[Line], reader.outside.data + reader.outside.size - cython.sizeof(Line))
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
    cut_back(reader)
    note(reader, PROBLEM_VARIATION_EARLY, begin, end)
    reader.place = stop.place + 1
    pop_line(reader)
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
    """The token from ``begin`` to ``end`` is no move here: keeps the rest of the line verbatim."""
    line = cython.address(reader.line)
    stop: Stop
    opened: cython.Py_ssize_t = line.opened
    problem: cython.int = PROBLEM_MOVE_UNREADABLE
    kept_reason: cython.int = 0
    if reason == SAN_ILLEGAL:
        problem = PROBLEM_MOVE_ILLEGAL
        kept_reason = 1
    elif reason == SAN_AMBIGUOUS:
        problem = PROBLEM_MOVE_AMBIGUOUS
        kept_reason = 2
    flush_nags(reader)
    if line.last == NOTHING and reader.outside.size:
        if postpone(reader, begin, end):
            return
        stop = skip_line(reader, begin)
        cut_back(reader)
        note(reader, problem, begin, end)
        if stop.closed:
            stop.place += 1
        reader.place = stop.place
        pop_line(reader)
        line.after_variation = True
        add_unreadable(reader, opened, stop, line.last, SIDE_AFTER, kept_reason)
        return
    note(reader, problem, begin, end)
    stop = skip_line(reader, begin)
    reader.place = stop.place
    add_unreadable(reader, begin, stop, NOTHING if reader.record.ended else line.last, SIDE_LATE, kept_reason)
