"""Comments and errors of a game text: their bytes, and the commands in them. Linear in their length.

The sink attaches them by the rules of PGN, so that games are the same by either route. A comment that kernels do not
support is kept as a whole for ``rich.py``, which reads any comment in the same way.
"""

from tabiya.chess.letters cimport OPEN_PAREN, SPACE
from tabiya.formats.jose.reading cimport FLAG_COMMANDS, KIND_COMMENT, PROBLEM_ENCODING, PROBLEM_HALF_LETTER
from tabiya.formats.jose.texts cimport TEXT_BYTES, TEXT_GOOD, TEXT_HALF, TEXT_NO_MEMORY, has_command, put_utf8
from tabiya.game.annotations.comment_reading cimport IS_LEFT, IS_READ
from tabiya.game.annotations.read_comments_kernel cimport open_here, read_commands
from tabiya.game.columns cimport close_annotation
from tabiya.game.sink cimport Mark, attach_nags, go_back, open_text, open_unreadable, set_mark
from tabiya.game.utf8 cimport ascii_length


cdef void add_text(Reader* reader, const uint8_t* text, Py_ssize_t length) noexcept nogil:
    """Add a comment: the annotations of its commands, and the rest of its text."""
    cdef Mark mark
    cdef bint waits = reader.line.waits
    cdef int answer
    attach_nags(&reader.sink)
    if has_command(text, length):
        set_mark(&reader.sink, &mark)
        answer = read_comment(reader, text, length)
        if answer == IS_READ:
            return
        go_back(&reader.sink, &mark)
        reader.line.waits = waits
        if answer == IS_LEFT:
            reader.flags |= FLAG_COMMANDS
            open_here(&reader.comments, KIND_COMMENT, 0)
            put_text(reader, text, length)
            return
    open_text(&reader.sink, 0)
    put_text(reader, text, length)


cdef void add_error(Reader* reader, const uint8_t* text, Py_ssize_t length, int reason) noexcept nogil:
    """Add text that jose could not read: a variation if it begins with ``(``, else the rest of the line."""
    open_unreadable(&reader.sink, reason, not (length and text[0] == OPEN_PAREN))
    put_text(reader, text, length)


cdef void put_text(Reader* reader, const uint8_t* text, Py_ssize_t length) noexcept nogil:
    """Write the bytes of the annotation that has been opened."""
    columns = reader.columns
    cdef int answer = put_utf8(&columns.annotation_data.data, text, length)
    close_annotation(columns)
    if answer == TEXT_NO_MEMORY:
        columns.out_of_memory = True
    elif answer == TEXT_BYTES:
        note_encoding(reader, PROBLEM_ENCODING)
    elif answer == TEXT_HALF:
        note_encoding(reader, PROBLEM_HALF_LETTER)


cdef void note_encoding(Reader* reader, int code) noexcept nogil:
    reader.damaged = True
    if not reader.encoding_problem:
        reader.encoding_problem = code


# --- comments with commands ------------------------------------------------------------------------------------------


cdef int read_comment(Reader* reader, const uint8_t* text, Py_ssize_t length) noexcept nogil:
    """Read a comment that contains ``[%``; the caller must undo what was added unless it IS_READ."""
    if reader.leaves:
        return IS_LEFT
    for at in range(length):
        if text[at] < SPACE:  # line breaks must be resolved
            return IS_LEFT
    waits = &reader.line.waits
    if ascii_length(text, length) == length:
        return read_commands(&reader.comments, text, length, waits)
    reader.comment.size = 0
    if put_utf8(&reader.comment, text, length) != TEXT_GOOD:
        return IS_LEFT
    return read_commands(&reader.comments, reader.comment.data, reader.comment.size, waits)
