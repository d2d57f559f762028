"""Lines of play in the PGN reader: variations that open and close, are out of place, or break off.

No recursion: open lines are on the stack of the sink. Every part of the text is read once; variations that precede the
move they replace are read where they belong, at most MOST_DETOURS inside each other: time remains linear.
"""

from tabiya.chess.letters cimport is_blank, is_newline
from tabiya.chess.san cimport SAN_AMBIGUOUS, SAN_ILLEGAL, parse_san
from tabiya.formats.pgn.reader cimport (
    MOST_DETOURS, PROBLEM_COMMENT_OPEN, PROBLEM_MOVE_AMBIGUOUS, PROBLEM_MOVE_ILLEGAL, PROBLEM_MOVE_UNREADABLE,
    PROBLEM_VARIATION_EARLY, PROBLEM_VARIATION_EMPTY, PROBLEM_VARIATION_OPEN, Detour
)
from tabiya.formats.pgn.record_kernel cimport note, put_text
from tabiya.formats.pgn.skip_kernel cimport skip_line
from tabiya.game.annotations.kinds cimport KIND_UNREADABLE
from tabiya.game.columns cimport close_annotation, put_bytes
from tabiya.game.sink cimport (
    NOTHING, add_move, attach_nags, close_variation, drop_variation, end_line, line_around, open_after, open_late,
    open_text, open_variation
)

# --- texts -----------------------------------------------------------------------------------------------------------


cdef void add_text(Reader* reader, const uint8_t* text, Py_ssize_t length, int language) noexcept nogil:
    """Add a text of the file at its position."""
    open_text(&reader.sink, language)
    put_text(reader, &reader.columns.annotation_data.data, text, length)
    close_annotation(reader.columns)


cdef void keep_late(Reader* reader, Py_ssize_t begin, Stop stop, int reason) noexcept nogil:
    """Keep the rest of a line, after its last move or after the result."""
    attach_nags(&reader.sink)
    open_late(&reader.sink, KIND_UNREADABLE, reason)
    put_verbatim(reader, begin, stop)


cdef void put_verbatim(Reader* reader, Py_ssize_t begin, Stop stop) noexcept nogil:
    """Write a piece of text without surrounding blanks, and close its annotation."""
    columns = reader.columns
    cdef Py_ssize_t end = stop.place
    while end > begin and (is_blank(reader.text[end - 1]) or is_newline(reader.text[end - 1])):
        end -= 1
    put_text(reader, &columns.annotation_data.data, reader.text + begin, end - begin)
    if stop.comment_open:
        note(reader, PROBLEM_COMMENT_OPEN, begin, end)
        put_bytes(columns, &columns.annotation_data.data, b"}", 1)
    close_annotation(columns)


# --- lines -----------------------------------------------------------------------------------------------------------


cdef void play(Reader* reader, int move) noexcept nogil:
    """Add a legal move (or a null move) to the line."""
    line = &reader.line
    add_move(&reader.sink, move)
    if line.early != NOTHING:
        line.due = line.early
        line.early = NOTHING


cdef void open_line(Reader* reader, Py_ssize_t opened, Py_ssize_t resume) noexcept nogil:
    """Begin a variation on the line's last move; its ``(`` is at ``opened``."""
    line = &reader.line
    if not open_variation(&reader.sink):
        return
    line.early = line.due = line.inline_end = line.inline_resume = NOTHING
    line.opened = opened
    line.resume = resume
    reader.place = opened + 1


cdef void leave_line(Reader* reader, bint drops) noexcept nogil:
    """Return to the outer line, and set the reader's position to where reading continues."""
    cdef Py_ssize_t resume = reader.line.resume
    if drops:
        drop_variation(&reader.sink)
    else:
        close_variation(&reader.sink)
    if resume != NOTHING:
        reader.place = resume
        reader.detour_depth -= 1


cdef void close_line(Reader* reader) noexcept nogil:
    """End the variation at its ``)``, at the reader's position, or go to what must be read before."""
    line = &reader.line
    if line.inline_end == reader.place:
        reader.place = line.inline_resume
        line.inline_end = NOTHING
        reader.detour_depth -= 1
        return
    attach_nags(&reader.sink)
    if leave_for_detour(reader):
        return
    reader.place += 1
    if reader.sink.line.last == NOTHING:
        note(reader, PROBLEM_VARIATION_EMPTY, line.opened, reader.place)
    leave_line(reader, False)


cdef bint close_all_lines(Reader* reader) noexcept nogil:
    """End the game's lines where the game ends. True if something elsewhere must be read before."""
    sink = &reader.sink
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


# --- variations out of place -----------------------------------------------------------------------------------------


cdef bint leave_for_detour(Reader* reader) noexcept nogil:
    """Go to a variation that has waited for the line's last move, or for its end. False if there is none."""
    line = &reader.line
    detours = <Detour*> reader.detours.data
    cdef Py_ssize_t opened
    if line.due != NOTHING:
        opened = detours[line.due].opened
        line.due = detours[line.due].next
        reader.detour_depth += 1
        open_line(reader, opened, reader.place)
        return True
    if line.early != NOTHING:
        # No next move: the variation continues the line, and further ones are alternatives to it.
        line.inline_end = detours[line.early].closed
        line.inline_resume = reader.place
        reader.place = detours[line.early].opened + 1
        line.early = detours[line.early].next
        reader.sink.line.after_variation = True
        reader.detour_depth += 1
        return True
    return False


cdef bint postpone(Reader* reader, Py_ssize_t begin, Py_ssize_t end) noexcept nogil:
    """Postpone the open variation if its first move, ``begin`` to ``end``, fits only after the line's last move."""
    outer = line_around(&reader.sink)
    cdef Detour* detours
    cdef Detour detour
    cdef Py_ssize_t number = reader.detours.size // sizeof(Detour)
    cdef Stop stop
    if reader.detour_depth >= MOST_DETOURS or parse_san(&outer.board, reader.text + begin, end - begin) < 0:
        return False
    stop = skip_line(reader, begin)
    if not stop.closed:
        return False
    detour.opened = reader.line.opened
    detour.closed = stop.place
    detour.next = NOTHING
    put_bytes(reader.columns, &reader.detours, <const unsigned char*> &detour, sizeof(Detour))
    reader.place = stop.place + 1
    leave_line(reader, True)
    note(reader, PROBLEM_VARIATION_EARLY, begin, end)
    if reader.columns.out_of_memory:
        return True
    if reader.line.early == NOTHING:
        reader.line.early = number
    else:
        detours = <Detour*> reader.detours.data
        detours[reader.line.latest].next = number
    reader.line.latest = number
    return True


# --- lines that break off --------------------------------------------------------------------------------------------


cdef void fail_line(Reader* reader, Py_ssize_t begin, Py_ssize_t end, int reason) noexcept nogil:
    """Keep the rest of the line verbatim: the token from ``begin`` to ``end`` is not a move here."""
    sink = &reader.sink
    cdef Stop stop
    cdef Py_ssize_t opened = reader.line.opened
    cdef int problem = PROBLEM_MOVE_UNREADABLE
    cdef int kept_reason = 0
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
