"""Comments with commands: texts with their position, ``[%pre …]``, ``[%post:GER …]``, and common values.

Reads a comment whose line breaks are resolved, writes annotations. Linear in the length of the comment. Unknown
commands remain in the text unchanged; a comment with commands that only Python reads is kept as a whole.
"""

from tabiya.chess.board cimport BLACK
from tabiya.chess.letters cimport OPEN_BRACKET, OPEN_PAREN, PERCENT, is_blank, is_newline
from tabiya.formats.pgn.comments_kernel cimport has_tag
from tabiya.formats.pgn.lines_kernel cimport add_text
from tabiya.formats.pgn.reader cimport PROBLEM_COMMAND
from tabiya.formats.pgn.record_kernel cimport note_text, put_text
from tabiya.game.annotations.commands cimport (
    COMMAND_CLOCK, COMMAND_ERROR, COMMAND_GAME, COMMAND_LATE, COMMAND_NONE, COMMAND_PRE, COMMAND_RARE, COMMAND_VALUE,
    COMMAND_VERBATIM, Command, command_at, ends_head, error_at, language_of
)
from tabiya.game.annotations.escapes cimport put_unescaped
from tabiya.game.annotations.forms_kernel cimport FIRST_SPACED, kind_of_form, put_form
from tabiya.game.annotations.kinds cimport (
    KIND_BLACK_CLOCK, KIND_TEXT_AFTER, KIND_TEXT_BEFORE, KIND_UNREADABLE, KIND_WHITE_CLOCK
)
from tabiya.game.annotations.values_kernel cimport put_value
from tabiya.game.columns cimport close_annotation, put_bytes, put_int32, put_int64, put_uint8
from tabiya.game.sink cimport (
    NOTHING, Mark, attach_nags, before_first_move, go_back, open_after, open_before, open_game_note, open_late,
    open_text, open_value, set_mark, stands_before
)

# Position of a comment left to ``comments.py``; stored in ``lang`` of the annotation.
cdef enum:
    COMMENT_OF_BLACK = 1    # at a move of Black
    COMMENT_OF_GAME = 2     # before the first move of the game: values belong to the whole game
    COMMENT_WAITS = 4       # preceded a move, if one came: so do its texts for the next move


cdef void read_text(Reader* reader, const uint8_t* text, Py_ssize_t length) noexcept nogil:
    """Read a comment: its commands, then the rest of it as text."""
    cdef Mark mark
    for place in range(length - 1):
        if text[place] == OPEN_BRACKET and text[place + 1] == PERCENT:
            attach_nags(&reader.sink)
            set_mark(&reader.sink, &mark)
            if not read_commands(reader, text, length, place):
                go_back(&reader.sink, &mark)
                leave_comment(reader, text, length)
            return
    add_text(reader, text, length, 0)


cdef bint read_commands(Reader* reader, const uint8_t* text, Py_ssize_t length, Py_ssize_t place) noexcept nogil:
    """Execute the commands, which begin at ``place`` or later. False if one of them is not for kernels."""
    plain = &reader.plain
    cdef Command command
    cdef Py_ssize_t begin = 0  # of the text not yet copied to ``plain``
    cdef Py_ssize_t behind
    plain.size = 0
    while place < length - 1:
        if text[place] != OPEN_BRACKET or text[place + 1] != PERCENT:
            place += 1
            continue
        command = command_at(text, place, length, reader.rare, reader.rare_length)
        if command.unclosed:
            break
        if command.name == COMMAND_NONE:
            place += 2
            continue
        if command.name == COMMAND_RARE:
            return False
        behind = command.arguments_end + 1
        if command.name >= COMMAND_VALUE:
            if not obey_value(reader, text, command):
                return False
        elif command.name < COMMAND_PRE or not obey_text(reader, text, command):
            if command.name != COMMAND_VERBATIM:
                note_text(reader, PROBLEM_COMMAND, reader.place, text + place, behind - place)
            place = behind
            continue
        put_bytes(reader.columns, plain, text + begin, place - begin)
        # The blank after a command belongs to it, so that "a [%pre b] c" becomes "a c".
        begin = place = behind + (behind < length and is_blank(text[behind]))
    if begin < length:
        put_bytes(reader.columns, plain, text + begin, length - begin)
    add_stripped(reader, plain.data, plain.size)
    return True


cdef void add_stripped(Reader* reader, const uint8_t* text, Py_ssize_t length) noexcept nogil:
    """Add a text without surrounding blanks, if it is not empty."""
    cdef Py_ssize_t begin = 0
    while begin < length and (is_blank(text[begin]) or is_newline(text[begin])):
        begin += 1
    while length > begin and (is_blank(text[length - 1]) or is_newline(text[length - 1])):
        length -= 1
    if length > begin:
        add_text(reader, text + begin, length - begin, 0)


cdef bint is_black(Reader* reader) noexcept nogil:
    """Return whether a comment belongs to a move of Black: the last one, or the next if the comment precedes it."""
    sink = &reader.sink
    if sink.ended or before_first_move(sink):
        return False
    return (sink.line.board.turn == BLACK) == stands_before(sink)


cdef void leave_comment(Reader* reader, const uint8_t* text, Py_ssize_t length) noexcept nogil:
    """Keep a whole comment for ``comments.py``: its number in the record, the last move, its position, its text."""
    columns = reader.columns
    data = &columns.annotation_data.data
    sink = &reader.sink
    cdef bint before = stands_before(sink)
    cdef int how = COMMENT_OF_BLACK if is_black(reader) else 0
    if before:
        how |= COMMENT_WAITS
        if before_first_move(sink):
            how |= COMMENT_OF_GAME
        open_before(sink, KIND_COMMENT, how)
    else:
        open_after(sink, KIND_COMMENT, how)
    reader.record.comments += 1
    put_int32(columns, data, reader.record.comments)
    put_int32(columns, data, NOTHING if sink.ended else sink.line.last)
    put_int64(columns, data, reader.base + reader.place)
    put_text(reader, data, text, length)
    close_annotation(columns)
    if not before and not sink.ended:
        open_before(sink, KIND_NEXT_MOVE, 0)
        put_int32(columns, data, reader.record.comments)
        close_annotation(columns)


cdef bint obey_text(Reader* reader, const uint8_t* text, Command command) noexcept nogil:
    """Convert a text command to an annotation. False, and no change, if its language is invalid."""
    columns = reader.columns
    sink = &reader.sink
    cdef int language = language_of(
        reader.languages, reader.languages_length, text + command.language, command.language_length
    )
    if language < 0:
        return False
    if command.name == COMMAND_ERROR:
        return command.language_length == 0 and obey_error(reader, text, command)
    unescape(reader, text + command.arguments, command.arguments_end - command.arguments)
    if command.name == COMMAND_GAME:
        open_game_note(sink, KIND_TEXT_AFTER, language)
    elif command.name == COMMAND_LATE and sink.line.last != NOTHING and not sink.ended:
        open_late(sink, KIND_TEXT_AFTER, language)
    elif command.name == COMMAND_PRE and not sink.ended:
        open_before(sink, KIND_TEXT_BEFORE, language)
    else:
        open_text(sink, language)
    put_bytes(columns, &columns.annotation_data.data, reader.argument.data, reader.argument.size)
    close_annotation(columns)
    return True


cdef bint obey_value(Reader* reader, const uint8_t* text, Command command) noexcept nogil:
    """Convert a value to an annotation. False if its spelling is unusual; the caller must then undo the rest."""
    cdef int kind = command.kind
    cdef Py_ssize_t length = command.arguments_end - command.arguments
    if command.language_length:
        return False
    if command.name == COMMAND_CLOCK:
        kind = KIND_BLACK_CLOCK if is_black(reader) else KIND_WHITE_CLOCK
    text += command.arguments
    for place in range(length if command.form < FIRST_SPACED else 0):
        if ends_head(text[place]):
            text = without_blanks(reader, text, &length)
            break
    if command.form == 0:
        open_value(&reader.sink, kind, 0)
        return put_value(reader.columns, kind, text, length)
    kind = kind_of_form(&command, text, length)
    if kind < 0:
        return False
    open_value(&reader.sink, kind, 0)
    cdef bint utf8 = not reader.always_code_page and not has_tag(reader, b"TextEncoding")
    return put_form(reader.columns, &command, text, length, utf8)


cdef const uint8_t* without_blanks(Reader* reader, const uint8_t* text, Py_ssize_t* length) noexcept nogil:
    """Return the argument without the blanks that line breaks have left inside numbers, times and lists."""
    argument = &reader.argument
    argument.size = 0
    for place in range(length[0]):
        if not ends_head(text[place]):
            put_uint8(reader.columns, argument, text[place])
    length[0] = argument.size
    return argument.data


cdef bint obey_error(Reader* reader, const uint8_t* text, Command command) noexcept nogil:
    """``[%error illegal "Nf9 e5"]``; a text that begins with ``(`` is a variation, any other the rest of the line."""
    columns = reader.columns
    sink = &reader.sink
    cdef Py_ssize_t begin
    cdef Py_ssize_t end
    cdef int reason = error_at(text, command, &begin, &end)
    if reason < 0:
        return False
    unescape(reader, text + begin, end - begin)
    if not sink.ended and sink.line.last != NOTHING and reader.argument.size and reader.argument.data[0] == OPEN_PAREN:
        open_after(sink, KIND_UNREADABLE, reason)
    else:
        open_late(sink, KIND_UNREADABLE, reason)
    put_bytes(columns, &columns.annotation_data.data, reader.argument.data, reader.argument.size)
    close_annotation(columns)
    return True


cdef void unescape(Reader* reader, const uint8_t* text, Py_ssize_t length) noexcept nogil:
    """Decode an argument into ``reader.argument``, as UTF-8 and without escapes."""
    reader.argument.size = reader.converted.size = 0
    put_text(reader, &reader.converted, text, length)
    if not put_unescaped(&reader.argument, reader.converted.data, reader.converted.size):
        reader.columns.out_of_memory = True
