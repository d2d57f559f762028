"""Comments and errors of a game text: their bytes, and the commands in them. Linear in their length.

The sink knows where they belong, by the rules that PGN is read by, so that games come out the same whichever way they
went. A comment that kernels do not understand is kept as a whole for ``rich.py``, which reads any of them just so.
"""

import cython
from cython.cimports.libc.string import memchr
from cython.cimports.tabiya.chess.board import BLACK
from cython.cimports.tabiya.chess.letters import OPEN_BRACKET, OPEN_PAREN, PERCENT, SPACE
from cython.cimports.tabiya.formats.jose.reading import (
    FLAG_COMMANDS,
    KIND_COMMENT,
    PROBLEM_ENCODING,
    PROBLEM_HALF_LETTER,
)
from cython.cimports.tabiya.formats.jose.texts import (
    TEXT_BYTES,
    TEXT_GOOD,
    TEXT_HALF,
    TEXT_NO_MEMORY,
    has_command,
    put_utf8,
)
from cython.cimports.tabiya.game.annotations.commands import (
    COMMAND_CLOCK,
    COMMAND_ERROR,
    COMMAND_GAME,
    COMMAND_LATE,
    COMMAND_NONE,
    COMMAND_PRE,
    COMMAND_UNKNOWN,
    COMMAND_VALUE,
    COMMAND_VERBATIM,
    Command,
    command_at,
    error_at,
    language_of,
)
from cython.cimports.tabiya.game.annotations.escapes import put_unescaped
from cython.cimports.tabiya.game.annotations.forms_kernel import kind_of_form, put_form
from cython.cimports.tabiya.game.annotations.kinds import (
    KIND_BLACK_CLOCK,
    KIND_TEXT_AFTER,
    KIND_TEXT_BEFORE,
    KIND_UNREADABLE,
    KIND_WHITE_CLOCK,
)
from cython.cimports.tabiya.game.annotations.values_kernel import put_value
from cython.cimports.tabiya.game.columns import close_annotation, put_bytes, put_problem, put_uint8
from cython.cimports.tabiya.game.sink import (
    Mark,
    attach_nags,
    go_back,
    open_after,
    open_before,
    open_game_note,
    open_late,
    open_text,
    open_unreadable,
    set_mark,
    stands_before,
)
from cython.cimports.tabiya.game.utf8 import ascii_length

LONGEST_QUOTE = cython.declare(cython.int, 60)


def add_text(reader, text, length):
    """Add a comment: what its commands say, and what is left of it."""
    mark: Mark
    waits: cython.bint = reader.line.waits
    answer: cython.int
    attach_nags(cython.address(reader.sink))
    if has_command(text, length):
        set_mark(cython.address(reader.sink), cython.address(mark))
        answer = read_comment(reader, text, length)
        if answer == IS_READ:
            return
        go_back(cython.address(reader.sink), cython.address(mark))
        reader.line.waits = waits
        if answer == IS_LEFT:
            reader.flags |= FLAG_COMMANDS
            open_here(reader, KIND_COMMENT, 0)
            put_text(reader, text, length)
            return
    open_text(cython.address(reader.sink), 0)
    put_text(reader, text, length)


def add_error(reader, text, length, reason):
    """Add what jose could not read: a variation if it begins with ``(``, else the rest of the line."""
    open_unreadable(cython.address(reader.sink), reason, not (length and text[0] == OPEN_PAREN))
    put_text(reader, text, length)


def put_text(reader, text, length):
    """Write the bytes of the annotation that has been opened."""
    columns = reader.columns
    answer: cython.int = put_utf8(cython.address(columns.annotation_data.data), text, length)
    close_annotation(columns)
    if answer == TEXT_NO_MEMORY:
        columns.out_of_memory = True
    elif answer == TEXT_BYTES:
        note_encoding(reader, PROBLEM_ENCODING)
    elif answer == TEXT_HALF:
        note_encoding(reader, PROBLEM_HALF_LETTER)


def note_encoding(reader, code):
    reader.damaged = True
    if not reader.encoding_problem:
        reader.encoding_problem = code


# --- comments with commands ------------------------------------------------------------------------------------------


def read_comment(reader, text, length):
    """Read a comment with ``[%`` in it; what has been added has to be taken back unless it IS_READ."""
    if reader.leaves:
        return IS_LEFT
    for at in range(length):
        if text[at] < SPACE:  # line breaks have to be settled
            return IS_LEFT
    if ascii_length(text, length) == length:
        return read_commands(reader, text, length)
    reader.comment.size = 0
    if put_utf8(cython.address(reader.comment), text, length) != TEXT_GOOD:
        return IS_LEFT
    return read_commands(reader, reader.comment.data, reader.comment.size)


def read_commands(reader, text, length):
    plain = cython.address(reader.plain)
    waits: cython.bint = reader.line.waits and not stands_before(cython.address(reader.sink))
    unknown: cython.Py_ssize_t = reader.unknown.size
    place: cython.Py_ssize_t = 0
    begin: cython.Py_ssize_t = 0  # of what has not been copied to ``plain``
    obeyed: cython.bint = False
    command: Command
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
        elif not obey(reader, text, cython.address(command), waits):
            reader.unknown.size = unknown
            return IS_LEFT
        else:
            obeyed = True
            put_bytes(reader.columns, plain, text + begin, place - begin)
            # The blank behind a command belongs to it.
            place = command.arguments_end + 1
            place += place < length and text[place] == SPACE
            begin = place
    if not obeyed:
        return HAS_NO_COMMAND
    put_bytes(reader.columns, plain, text + begin, length - begin)
    add_plain(reader, plain.data, plain.size)
    return IS_READ


def add_plain(reader, text, length):
    """Add what is left of a comment, without blanks around it."""
    while length and text[length - 1] == SPACE:
        length -= 1
    while length and text[0] == SPACE:
        text += 1
        length -= 1
    if length:
        open_text(cython.address(reader.sink), 0)
        put_bytes(reader.columns, cython.address(reader.columns.annotation_data.data), text, length)
        close_annotation(reader.columns)


def obey(reader, text, command, waits):
    """Add the annotation of a command; False if that is for ``rich.py``."""
    if command.name >= COMMAND_VALUE:
        return command.language_length == 0 and obey_value(reader, text, command)
    if command.name == COMMAND_ERROR:
        return command.language_length == 0 and obey_error(reader, text, command)
    return command.name >= COMMAND_PRE and obey_text(reader, text, command, waits)


def obey_text(reader, text, command, waits):
    """``[%post:GER text]``; ``waits``: another comment here has put a text before the next move."""
    sink = cython.address(reader.sink)
    language: cython.int = language_of(
        reader.languages, reader.languages_length, text + command.language, command.language_length
    )
    if language < 0 or not unescape(reader, text + command.arguments, command.arguments_end - command.arguments):
        return False
    if command.name == COMMAND_GAME:
        reader.told = True
        open_game_note(sink, KIND_TEXT_AFTER, language)
    elif command.name == COMMAND_LATE:
        if stands_before(sink):
            return False
        open_late(sink, KIND_TEXT_AFTER, language)
    elif command.name == COMMAND_PRE:
        if sink.ended or waits:
            return False
        reader.told = reader.line.waits = True
        open_before(sink, KIND_TEXT_BEFORE, language)
    else:
        open_text(sink, language)
    close_argument(reader)
    return True


def obey_error(reader, text, command):
    """``[%error illegal "Nf9 e5"]``: late, unless it is a variation."""
    sink = cython.address(reader.sink)
    begin: cython.Py_ssize_t
    end: cython.Py_ssize_t
    reason: cython.int = error_at(text, command[0], cython.address(begin), cython.address(end))
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


def obey_value(reader, text, command):
    """``[%clk 1:29:45]``, ``[%medal tactics]``."""
    sink = cython.address(reader.sink)
    kind: cython.int = command.kind
    length: cython.Py_ssize_t = command.arguments_end - command.arguments
    text += command.arguments
    if command.name == COMMAND_CLOCK:
        if sink.ended or stands_before(sink):
            return False  # whose it is depends on what follows
        kind = KIND_WHITE_CLOCK if sink.line.board.turn == BLACK else KIND_BLACK_CLOCK
    if command.form == 0:
        open_here(reader, kind, 0)
        return put_value(reader.columns, kind, text, length)
    kind = kind_of_form(command, text, length)
    if kind < 0:
        return False
    open_here(reader, kind, 0)
    return put_form(reader.columns, command, text, length, True)


def open_here(reader, kind, lang):
    """Begin an annotation where a text would stand."""
    sink = cython.address(reader.sink)
    if stands_before(sink):
        open_before(sink, kind, lang)
    else:
        open_after(sink, kind, lang)


def unescape(reader, text, length):
    """Put an argument without escapes into ``reader.argument``."""
    reader.argument.size = 0
    return put_unescaped(cython.address(reader.argument), text, length)


def close_argument(reader):
    """Write the argument of a command into the annotation that has been opened."""
    columns = reader.columns
    put_bytes(columns, cython.address(columns.annotation_data.data), reader.argument.data, reader.argument.size)
    close_annotation(columns)


# --- commands that nobody knows --------------------------------------------------------------------------------------


def remember_unknown(reader, source, length):
    """Keep the first letters of a command for ``note_unknown``."""
    letters: cython.int = 0
    reader.told = True
    for at in range(length):
        letters += source[at] & 0xC0 != 0x80
        if letters > LONGEST_QUOTE:
            break
        put_uint8(reader.columns, cython.address(reader.unknown), source[at])
    put_uint8(reader.columns, cython.address(reader.unknown), 0)


def note_unknown(reader):
    """Note the commands of a record that nobody knows."""
    begin: cython.Py_ssize_t = 0
    length: cython.Py_ssize_t
    while begin < reader.unknown.size and not reader.columns.out_of_memory:
        length = (
            cython.cast("const uint8_t*", memchr(reader.unknown.data + begin, 0, reader.unknown.size - begin))
            - reader.unknown.data
            - begin
        )
        reader.plain.size = 0
        put_bytes(reader.columns, cython.address(reader.plain), b"an unknown command: ", 20)
        put_bytes(reader.columns, cython.address(reader.plain), reader.unknown.data + begin, length)
        put_problem(reader.columns, 0, -1, reader.plain.data, reader.plain.size)
        begin += length + 1
