"""Comments and errors of a game text: their bytes, and the common values among them. Linear in their length.

The sink knows where they belong, by the rules that PGN is read by, so that games come out the same whichever way they
went.
"""

import cython
from cython.cimports.tabiya.chess.board import BLACK
from cython.cimports.tabiya.chess.letters import OPEN_BRACKET, OPEN_PAREN, PERCENT, SPACE
from cython.cimports.tabiya.formats.jose.reading import FLAG_COMMANDS, PROBLEM_ENCODING, PROBLEM_HALF_LETTER
from cython.cimports.tabiya.formats.jose.texts import (
    TEXT_BYTES,
    TEXT_GOOD,
    TEXT_HALF,
    TEXT_NO_MEMORY,
    has_command,
    put_utf8,
)
from cython.cimports.tabiya.game.annotations.commands import COMMAND_CLOCK, COMMAND_VALUE, Command, command_at
from cython.cimports.tabiya.game.annotations.kinds import KIND_BLACK_CLOCK, KIND_WHITE_CLOCK
from cython.cimports.tabiya.game.annotations.values_kernel import put_value
from cython.cimports.tabiya.game.columns import annotation_count, close_annotation, cut_annotations, put_bytes
from cython.cimports.tabiya.game.sink import attach_nags, open_text, open_unreadable, open_value, stands_before


def add_text(reader, text, length):
    """A comment."""
    attach_nags(cython.address(reader.sink))
    if has_command(text, length):
        if add_values(reader, text, length):
            return
        reader.flags |= FLAG_COMMANDS
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


def add_values(reader, text, length):
    """Add the annotations of a comment with common values, and perhaps a text, after a move.

    False, and nothing is added, if there is more to it than kernels know: that is for ``rich.py``, which reads the
    same from what is written here.
    """
    columns = reader.columns
    plain = cython.address(reader.plain)
    first: cython.Py_ssize_t = annotation_count(columns)
    place: cython.Py_ssize_t = 0
    begin: cython.Py_ssize_t = 0  # of what has not been copied to ``plain``
    command: Command
    if reader.sink.ended or stands_before(cython.address(reader.sink)):
        return False
    for at in range(length):
        if text[at] < SPACE:  # line breaks have to be settled
            return False
    plain.size = 0
    while place < length - 1:
        if text[place] != OPEN_BRACKET or text[place + 1] != PERCENT:
            place += 1
            continue
        command = command_at(text, place, length, cython.NULL, 0)
        if not add_value(reader, text, command):
            cut_annotations(columns, first)
            return False
        put_bytes(columns, plain, text + begin, place - begin)
        # The blank behind a command belongs to it.
        place = command.arguments_end + 1
        place += place < length and text[place] == SPACE
        begin = place
    put_bytes(columns, plain, text + begin, length - begin)
    if not add_plain(reader, plain.data, plain.size):
        cut_annotations(columns, first)
        return False
    return True


def add_value(reader, text, command):
    """Add the annotation of a command; False if it is not a common value in a usual spelling."""
    kind: cython.int = command.kind
    if command.name < COMMAND_VALUE or command.language_length:
        return False
    if command.name == COMMAND_CLOCK:
        kind = KIND_WHITE_CLOCK if reader.sink.line.board.turn == BLACK else KIND_BLACK_CLOCK
    open_value(cython.address(reader.sink), kind, 0)
    return put_value(reader.columns, kind, text + command.arguments, command.arguments_end - command.arguments)


def add_plain(reader, text, length):
    """Add what is left of a comment, without blanks around it. False if it holds a command now, or is no UTF-8."""
    columns = reader.columns
    answer: cython.int
    while length and text[length - 1] == SPACE:
        length -= 1
    while length and text[0] == SPACE:
        text += 1
        length -= 1
    if length == 0:
        return True
    if has_command(text, length):
        return False
    open_text(cython.address(reader.sink), 0)
    answer = put_utf8(cython.address(columns.annotation_data.data), text, length)
    close_annotation(columns)
    columns.out_of_memory |= answer == TEXT_NO_MEMORY
    return answer == TEXT_GOOD or answer == TEXT_NO_MEMORY
