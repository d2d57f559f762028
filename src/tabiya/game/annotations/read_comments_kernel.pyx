"""Reads commands in comments, for formats that store comments as texts, and the remaining text.

Reads a comment as UTF-8 without line breaks, writes annotations; the sink determines their places by the rules of PGN,
so that all formats return the same games. Linear in the length of the comment.
"""

from libc.string cimport memchr

from tabiya.chess.board cimport BLACK
from tabiya.chess.letters cimport OPEN_BRACKET, OPEN_PAREN, PERCENT, SPACE
from tabiya.game.annotations.commands cimport (
    COMMAND_CLOCK, COMMAND_ERROR, COMMAND_GAME, COMMAND_LATE, COMMAND_NONE, COMMAND_PRE, COMMAND_UNKNOWN, COMMAND_VALUE,
    COMMAND_VERBATIM, Command, command_at, error_at, language_of
)
from tabiya.game.annotations.comment_reading cimport HAS_NO_COMMAND, IS_LEFT, IS_READ
from tabiya.game.annotations.escapes cimport put_unescaped
from tabiya.game.annotations.forms_kernel cimport kind_of_form, put_form, put_value
from tabiya.game.annotations.kinds cimport (
    KIND_BLACK_CLOCK, KIND_TEXT_AFTER, KIND_TEXT_BEFORE, KIND_UNREADABLE, KIND_WHITE_CLOCK
)
from tabiya.game.columns cimport close_annotation, put_bytes, put_problem, put_uint8
from tabiya.game.sink cimport (
    before_first_move, open_after, open_before, open_game_note, open_late, open_text, stands_before
)

cdef int LONGEST_QUOTE = 60


cdef int read_commands(CommentReader* reader, const uint8_t* text, Py_ssize_t length, bint* waiting) noexcept nogil:
    """Read a comment with commands, as UTF-8 and without line breaks: the annotations, and the remaining text.

    ``waiting``: another comment has added a text before the next move; becomes true if this one does. Added annotations
    have to be removed unless the comment IS_READ.
    """
    plain = &reader.plain
    cdef bint waits = waiting[0] and not stands_before(reader.sink)
    cdef Py_ssize_t unknown = reader.unknown.size
    cdef Py_ssize_t place = 0
    cdef Py_ssize_t begin = 0  # start of the part that has not been copied to ``plain``
    cdef bint obeyed = False
    cdef Command command
    plain.size = 0
    while place < length - 1:
        if text[place] != OPEN_BRACKET or text[place + 1] != PERCENT:
            place += 1
            continue
        command = command_at(text, place, length, reader.commands, reader.commands_length)
        if command.unclosed:
            break
        if command.name == COMMAND_NONE:
            place += 2
        elif command.name == COMMAND_VERBATIM or (command.name == COMMAND_UNKNOWN and command.language_length == 0):
            if command.name == COMMAND_UNKNOWN:
                remember_unknown(reader, text + place, command.arguments_end + 1 - place)
            place = command.arguments_end + 1
        elif not obey(reader, text, &command, waits, waiting):
            reader.unknown.size = unknown
            return IS_LEFT
        else:
            obeyed = True
            put_bytes(reader.columns, plain, text + begin, place - begin)
            # The blank after a command belongs to it.
            place = command.arguments_end + 1
            place += place < length and text[place] == SPACE
            begin = place
    if not obeyed:
        return HAS_NO_COMMAND
    put_bytes(reader.columns, plain, text + begin, length - begin)
    add_plain(reader, plain.data, plain.size)
    return IS_READ


cdef void add_plain(CommentReader* reader, const uint8_t* text, Py_ssize_t length) noexcept nogil:
    """Add the remaining text of a comment, without blanks around it."""
    while length and text[length - 1] == SPACE:
        length -= 1
    while length and text[0] == SPACE:
        text += 1
        length -= 1
    if length:
        open_text(reader.sink, 0)
        put_bytes(reader.columns, &reader.columns.annotation_data.data, text, length)
        close_annotation(reader.columns)


cdef bint obey(
    CommentReader* reader, const uint8_t* text, const Command* command, bint waits, bint* waiting
) noexcept nogil:
    """Add the annotation of a command; False if only Python can read it."""
    if command.name >= COMMAND_VALUE:
        return command.language_length == 0 and obey_value(reader, text, command)
    if command.name == COMMAND_ERROR:
        return command.language_length == 0 and obey_error(reader, text, command)
    return command.name >= COMMAND_PRE and obey_text(reader, text, command, waits, waiting)


cdef bint obey_text(
    CommentReader* reader, const uint8_t* text, const Command* command, bint waits, bint* waiting
) noexcept nogil:
    """``[%post:GER text]``; ``waits``: another comment here has added a text before the next move."""
    sink = reader.sink
    cdef int language = language_of(
        reader.languages, reader.languages_length, text + command.language, command.language_length
    )
    if language < 0 or not unescape(reader, text + command.arguments, command.arguments_end - command.arguments):
        return False
    if command.name == COMMAND_GAME:
        reader.told = True
        open_game_note(sink, KIND_TEXT_AFTER, language)
    elif command.name == COMMAND_LATE:
        if stands_before(sink) and not (reader.values_of_game and before_first_move(sink)):
            return False
        open_late(sink, KIND_TEXT_AFTER, language)
    elif command.name == COMMAND_PRE:
        if sink.ended or waits:
            return False
        reader.told = waiting[0] = True
        open_before(sink, KIND_TEXT_BEFORE, language)
    else:
        open_text(sink, language)
    close_argument(reader)
    return True


cdef bint obey_error(CommentReader* reader, const uint8_t* text, const Command* command) noexcept nogil:
    """``[%error illegal "Nf9 e5"]``: late, unless it is a variation."""
    sink = reader.sink
    cdef Py_ssize_t begin
    cdef Py_ssize_t end
    cdef int reason = error_at(text, command[0], &begin, &end)
    if reason < 0 or not unescape(reader, text + begin, end - begin):
        return False
    if reader.argument.size and reader.argument.data[0] == OPEN_PAREN:
        open_here(reader, KIND_UNREADABLE, reason)
    elif stands_before(sink):
        return False
    else:
        open_late(sink, KIND_UNREADABLE, reason)
    close_argument(reader)
    return True


cdef bint obey_value(CommentReader* reader, const uint8_t* text, const Command* command) noexcept nogil:
    """``[%clk 1:29:45]``, ``[%medal tactics]``."""
    sink = reader.sink
    cdef int kind = command.kind
    cdef Py_ssize_t length = command.arguments_end - command.arguments
    text += command.arguments
    if command.name == COMMAND_CLOCK:
        if reader.values_of_game and before_first_move(sink):
            kind = KIND_WHITE_CLOCK
        elif sink.ended or stands_before(sink):
            return False  # its side depends on what follows
        else:
            kind = KIND_WHITE_CLOCK if sink.line.board.turn == BLACK else KIND_BLACK_CLOCK
    if command.form == 0:
        open_here(reader, kind, 0)
        return put_value(reader.columns, kind, text, length)
    kind = kind_of_form(command, text, length)
    if kind < 0:
        return False
    open_here(reader, kind, 0)
    return put_form(reader.columns, command, text, length, True)


cdef void open_here(CommentReader* reader, int kind, int lang) noexcept nogil:
    """Begin an annotation at the place of a text; one before the first move may apply to the game."""
    sink = reader.sink
    if reader.values_of_game and before_first_move(sink):
        open_game_note(sink, kind, lang)
    elif stands_before(sink):
        open_before(sink, kind, lang)
    else:
        open_after(sink, kind, lang)


cdef bint unescape(CommentReader* reader, const uint8_t* text, Py_ssize_t length) noexcept nogil:
    """Write an unescaped argument to ``reader.argument``."""
    reader.argument.size = 0
    return put_unescaped(&reader.argument, text, length)


cdef void close_argument(CommentReader* reader) noexcept nogil:
    """Write the argument of a command into the open annotation."""
    columns = reader.columns
    put_bytes(columns, &columns.annotation_data.data, reader.argument.data, reader.argument.size)
    close_annotation(columns)


# --- unknown commands ------------------------------------------------------------------------------------------------


cdef void remember_unknown(CommentReader* reader, const uint8_t* source, Py_ssize_t length) noexcept nogil:
    """Store the first letters of a command for ``note_unknown``."""
    cdef int letters = 0
    reader.told = True
    for at in range(length):
        letters += source[at] & 0xC0 != 0x80
        if letters > LONGEST_QUOTE:
            break
        put_uint8(reader.columns, &reader.unknown, source[at])
    put_uint8(reader.columns, &reader.unknown, 0)


cdef void note_unknown(CommentReader* reader) noexcept nogil:
    """Report the unknown commands of a record."""
    cdef Py_ssize_t begin = 0
    cdef Py_ssize_t length
    while begin < reader.unknown.size and not reader.columns.out_of_memory:
        length = (
            <const uint8_t*> memchr(reader.unknown.data + begin, 0, reader.unknown.size - begin)
            - reader.unknown.data
            - begin
        )
        reader.plain.size = 0
        put_bytes(reader.columns, &reader.plain, b"an unknown command: ", 20)
        put_bytes(reader.columns, &reader.plain, reader.unknown.data + begin, length)
        put_problem(reader.columns, 0, -1, reader.plain.data, reader.plain.size)
        begin += length + 1
