"""Comments in game data: a code at the position of each, and all texts after the moves. Linear in their length."""

from libc.stdint cimport uint8_t
from libc.string cimport memchr

from tabiya.chess.letters cimport OPEN_BRACKET, PERCENT, SPACE
from tabiya.formats.scid.games.codes cimport CODE_END, CODE_NAG
from tabiya.formats.scid.games.reading cimport FLAG_COMMANDS, KIND_COMMENT, PROBLEM_TEXT_MISSING
from tabiya.formats.scid.games.tags_kernel cimport put_utf8
from tabiya.game.annotations.comment_reading cimport IS_LEFT, IS_READ
from tabiya.game.annotations.read_comments_kernel cimport open_here, read_commands
from tabiya.game.columns cimport close_annotation, put_problem
from tabiya.game.sink cimport NOTHING, Mark, attach_nags, go_back, open_text, set_mark


cdef bint read_comment(Reader* reader) noexcept nogil:
    """Add the next text as a comment."""
    cdef const uint8_t* zero = NULL
    cdef Py_ssize_t place = reader.text_place
    if place == NOTHING:
        place = texts_behind(reader.data, reader.place, reader.end)
    if place < reader.end:
        zero = <const uint8_t*> memchr(reader.data + place, 0, reader.end - place)
    if zero == NULL:
        return fail(reader, PROBLEM_TEXT_MISSING)
    reader.text_place = zero - reader.data + 1
    add_text(reader, reader.data + place, reader.text_place - 1 - place)
    return True


cdef Py_ssize_t texts_behind(const uint8_t* data, Py_ssize_t place, Py_ssize_t end) noexcept nogil:
    """Return where the texts begin: after the end of the moves, whose byte otherwise occurs only as a NAG's value."""
    while place < end and data[place] != CODE_END:
        place += 2 if data[place] == CODE_NAG else 1
    return place + 1


cdef void add_text(Reader* reader, const uint8_t* text, Py_ssize_t length) noexcept nogil:
    """Add a comment: the annotations of its commands, and the rest of its text."""
    cdef Mark mark
    cdef int answer
    sink = &reader.sink
    cdef bint waits = reader.line.waits
    attach_nags(sink)
    for at in range(length - 1):
        if text[at] == OPEN_BRACKET and text[at + 1] == PERCENT:
            break
    else:
        open_text(sink, 0)
        put_text(reader, text, length)
        return
    reader.comment.size = 0
    put_utf8(reader, &reader.comment, text, length)
    set_mark(sink, &mark)
    answer = understand(reader)
    if answer == IS_READ:
        return
    go_back(sink, &mark)
    reader.line.waits = waits
    if answer == IS_LEFT:
        reader.flags |= FLAG_COMMANDS
        reader.comments.values_of_game = False
        open_here(&reader.comments, KIND_COMMENT, 0)
        reader.comments.values_of_game = True
    else:
        open_text(sink, 0)
    put_text(reader, text, length)


cdef void put_text(Reader* reader, const uint8_t* text, Py_ssize_t length) noexcept nogil:
    """Write the bytes of the annotation that has been opened."""
    put_utf8(reader, &reader.columns.annotation_data.data, text, length)
    close_annotation(reader.columns)


cdef int understand(Reader* reader) noexcept nogil:
    """Read the commands of the current comment; line breaks must be resolved first, which is left to Python."""
    if reader.leaves:
        return IS_LEFT
    for at in range(reader.comment.size):
        if reader.comment.data[at] < SPACE:
            return IS_LEFT
    return read_commands(&reader.comments, reader.comment.data, reader.comment.size, &reader.line.waits)


cdef bint fail(Reader* reader, int code) noexcept nogil:
    """Record a problem at the last byte read; the stored bytes are kept. Always returns False."""
    put_problem(reader.columns, code, reader.place - 1 if reader.place else 0, NULL, 0)
    reader.damaged = True
    return False
