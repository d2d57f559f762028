"""Comments with commands: texts that say where they belong, ``[%pre …]``, ``[%post:GER …]``, and common values.

Reads a comment whose line breaks are settled, writes annotations. Linear in the length of the comment. Commands that
are not known stay in the text as they are; a comment with commands that only Python reads is kept as a whole.
"""

import cython
from cython.cimports.tabiya.chess.board import BLACK
from cython.cimports.tabiya.chess.letters import (
    OPEN_BRACKET,
    OPEN_PAREN,
    PERCENT,
    is_blank,
    is_newline,
)
from cython.cimports.tabiya.formats.pgn.comments_kernel import has_tag
from cython.cimports.tabiya.formats.pgn.lines_kernel import add_text
from cython.cimports.tabiya.formats.pgn.reader import PROBLEM_COMMAND
from cython.cimports.tabiya.formats.pgn.record_kernel import note_text, put_text
from cython.cimports.tabiya.game.annotations.commands import (
    COMMAND_CLOCK,
    COMMAND_ERROR,
    COMMAND_GAME,
    COMMAND_LATE,
    COMMAND_NONE,
    COMMAND_PRE,
    COMMAND_RARE,
    COMMAND_VALUE,
    COMMAND_VERBATIM,
    Command,
    command_at,
    ends_head,
    error_at,
    language_of,
)
from cython.cimports.tabiya.game.annotations.escapes import put_unescaped
from cython.cimports.tabiya.game.annotations.forms_kernel import FIRST_SPACED, kind_of_form, put_form
from cython.cimports.tabiya.game.annotations.kinds import (
    KIND_BLACK_CLOCK,
    KIND_TEXT_AFTER,
    KIND_TEXT_BEFORE,
    KIND_UNREADABLE,
    KIND_WHITE_CLOCK,
)
from cython.cimports.tabiya.game.annotations.values_kernel import put_value
from cython.cimports.tabiya.game.columns import close_annotation, put_bytes, put_int32, put_int64, put_uint8
from cython.cimports.tabiya.game.sink import (
    NOTHING,
    Mark,
    attach_nags,
    before_first_move,
    go_back,
    open_after,
    open_before,
    open_game_note,
    open_late,
    open_text,
    open_value,
    set_mark,
    stands_before,
)


def read_text(reader, text, length):
    """Read a comment: its commands, then the rest of it as text."""
    mark: Mark
    for place in range(length - 1):
        if text[place] == OPEN_BRACKET and text[place + 1] == PERCENT:
            attach_nags(cython.address(reader.sink))
            set_mark(cython.address(reader.sink), cython.address(mark))
            if not read_commands(reader, text, length, place):
                go_back(cython.address(reader.sink), cython.address(mark))
                leave_comment(reader, text, length)
            return
    add_text(reader, text, length, 0)


def read_commands(reader, text, length, place):
    """Obeys the commands, which begin at ``place`` at the earliest. False if one of them is not for kernels."""
    plain = cython.address(reader.plain)
    command: Command
    begin: cython.Py_ssize_t = 0  # of what has not been copied to ``plain``
    behind: cython.Py_ssize_t
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
        # The blank behind a command belongs to it, so that "a [%pre b] c" leaves "a c".
        begin = place = behind + (behind < length and is_blank(text[behind]))
    if begin < length:
        put_bytes(reader.columns, plain, text + begin, length - begin)
    add_stripped(reader, plain.data, plain.size)
    return True


def add_stripped(reader, text, length):
    """Add a text without the blanks around it, if anything is left."""
    begin: cython.Py_ssize_t = 0
    while begin < length and (is_blank(text[begin]) or is_newline(text[begin])):
        begin += 1
    while length > begin and (is_blank(text[length - 1]) or is_newline(text[length - 1])):
        length -= 1
    if length > begin:
        add_text(reader, text + begin, length - begin, 0)


def is_black(reader):
    """Return whether a comment stands at a move of Black: the last one, or the next where it stands before one."""
    sink = cython.address(reader.sink)
    if sink.ended or before_first_move(sink):
        return False
    return (sink.line.board.turn == BLACK) == stands_before(sink)


def leave_comment(reader, text, length):
    """Keep a whole comment for ``comments.py``: its number in the record, the last move, its place, its text."""
    columns = reader.columns
    data = cython.address(columns.annotation_data.data)
    sink = cython.address(reader.sink)
    before: cython.bint = stands_before(sink)
    how: cython.int = COMMENT_OF_BLACK if is_black(reader) else 0
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


def obey_text(reader, text, command):
    """Make an annotation of a text. False if its language makes no sense, and nothing is done."""
    columns = reader.columns
    sink = cython.address(reader.sink)
    language: cython.int = language_of(
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
    put_bytes(columns, cython.address(columns.annotation_data.data), reader.argument.data, reader.argument.size)
    close_annotation(columns)
    return True


def obey_value(reader, text, command):
    """Make an annotation of a value. False if it is not spelled as usual; what was begun has to be cut off then."""
    kind: cython.int = command.kind
    length: cython.Py_ssize_t = command.arguments_end - command.arguments
    if command.language_length:
        return False
    if command.name == COMMAND_CLOCK:
        kind = KIND_BLACK_CLOCK if is_black(reader) else KIND_WHITE_CLOCK
    text += command.arguments
    for place in range(length if command.form < FIRST_SPACED else 0):
        if ends_head(text[place]):
            text = without_blanks(reader, text, cython.address(length))
            break
    if command.form == 0:
        open_value(cython.address(reader.sink), kind, 0)
        return put_value(reader.columns, kind, text, length)
    kind = kind_of_form(cython.address(command), text, length)
    if kind < 0:
        return False
    open_value(cython.address(reader.sink), kind, 0)
    utf8: cython.bint = not reader.always_code_page and not has_tag(reader, b"TextEncoding")
    return put_form(reader.columns, cython.address(command), text, length, utf8)


def without_blanks(reader, text, length):
    """Return the argument without the blanks that line breaks inside numbers, times and lists have left there."""
    argument = cython.address(reader.argument)
    argument.size = 0
    for place in range(length[0]):
        if not ends_head(text[place]):
            put_uint8(reader.columns, argument, text[place])
    length[0] = argument.size
    return argument.data


def obey_error(reader, text, command):
    """``[%error illegal "Nf9 e5"]``; a text that begins with ``(`` is a variation, any other the rest of the line."""
    columns = reader.columns
    sink = cython.address(reader.sink)
    begin: cython.Py_ssize_t
    end: cython.Py_ssize_t
    reason: cython.int = error_at(text, command, cython.address(begin), cython.address(end))
    if reason < 0:
        return False
    unescape(reader, text + begin, end - begin)
    if not sink.ended and sink.line.last != NOTHING and reader.argument.size and reader.argument.data[0] == OPEN_PAREN:
        open_after(sink, KIND_UNREADABLE, reason)
    else:
        open_late(sink, KIND_UNREADABLE, reason)
    put_bytes(columns, cython.address(columns.annotation_data.data), reader.argument.data, reader.argument.size)
    close_annotation(columns)
    return True


def unescape(reader, text, length):
    """Put an argument into ``reader.argument``, as UTF-8 and without escapes."""
    reader.argument.size = reader.converted.size = 0
    put_text(reader, cython.address(reader.converted), text, length)
    if not put_unescaped(cython.address(reader.argument), reader.converted.data, reader.converted.size):
        reader.columns.out_of_memory = True
