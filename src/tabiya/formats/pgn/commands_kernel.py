"""Texts in comments, and the commands that say where a text belongs: ``[%pre …]``, ``[%post:GER …]``, ``[%game …]``.

Reads a comment whose line breaks are settled, writes annotations. Linear in the length of the comment. Commands that
are not known here, or make no sense, stay in the text as they are.
"""

import cython
from cython.cimports.libc.stdint import uint8_t
from cython.cimports.libc.string import memcmp
from cython.cimports.tabiya.formats.pgn.commands import (
    COMMAND_ERROR,
    COMMAND_GAME,
    COMMAND_LATE,
    COMMAND_NONE,
    COMMAND_PRE,
    Command,
    command_at,
)
from cython.cimports.tabiya.formats.pgn.lexer import is_blank, is_digit, is_newline
from cython.cimports.tabiya.formats.pgn.lines_kernel import add_text, flush_nags, mark_order
from cython.cimports.tabiya.formats.pgn.reader import NOTHING
from cython.cimports.tabiya.formats.pgn.record_kernel import put_text
from cython.cimports.tabiya.formats.pgn.tag_values_kernel import look_up
from cython.cimports.tabiya.game.columns import (
    KIND_TEXT_AFTER,
    KIND_TEXT_BEFORE,
    KIND_UNREADABLE,
    SIDE_AFTER,
    SIDE_BEFORE,
    SIDE_LATE,
    close_annotation,
    open_annotation,
    put_bytes,
    put_uint8,
)


def read_text(reader, text, length):
    """A comment: its commands, and then what is left of it as a text."""
    command: Command
    for place in range(length - 1):
        if text[place] == 91:  # "["
            command = command_at(text, place, length)
            if command.unclosed:
                break
            if command.name != COMMAND_NONE:
                read_with_commands(reader, text, length, place)
                return
    add_text(reader, text, length, 0)


def read_with_commands(reader, text, length, place):
    """The same, once it is known that the first command stands at ``place``."""
    plain = cython.address(reader.plain)
    command: Command
    begin: cython.Py_ssize_t = 0
    behind: cython.Py_ssize_t
    possible: cython.bint = True
    plain.size = 0
    put_bytes(reader.columns, plain, text, place)
    while place < length:
        behind = place + 1
        if possible and text[place] == 91:  # "["
            command = command_at(text, place, length)
            possible = not command.unclosed
            if command.name != COMMAND_NONE:
                behind = command.arguments_end + 1
                if obey(reader, text, command):
                    # The blank behind a command belongs to it, so that "a [%pre b] c" leaves "a c".
                    place = behind + (behind < length and is_blank(text[behind]))
                    continue
        put_bytes(reader.columns, plain, text + place, behind - place)
        place = behind
    length = plain.size
    while begin < length and (is_blank(plain.data[begin]) or is_newline(plain.data[begin])):
        begin += 1
    while length > begin and (is_blank(plain.data[length - 1]) or is_newline(plain.data[length - 1])):
        length -= 1
    if length > begin:
        add_text(reader, plain.data + begin, length - begin, 0)


def language_of(reader, text, length):
    """The number of a language: its code of three letters, or the number itself; -1 if neither is known."""
    number: cython.int = 0
    if length == 0:
        return 0
    if not is_digit(text[0]):
        return look_up(reader.languages, reader.languages_length, text, length)
    for index in range(length):
        if not is_digit(text[index]) or number > 25:
            return -1
        number = 10 * number + text[index] - 48
    return number if number < 256 else -1


def obey(reader, text, command):
    """Makes an annotation of a command. False if it makes no sense, and nothing is done."""
    columns = reader.columns
    line = cython.address(reader.line)
    language: cython.int = language_of(reader, text + command.language, command.language_length)
    if language < 0:
        return False
    if command.name == COMMAND_ERROR:
        return command.language_length == 0 and obey_error(reader, text, command)
    unescape(
        reader, cython.address(reader.argument), text + command.arguments, command.arguments_end - command.arguments
    )
    flush_nags(reader)
    if command.name == COMMAND_GAME:
        mark_order(reader, NOTHING, SIDE_AFTER)
        open_annotation(columns, NOTHING, SIDE_AFTER, KIND_TEXT_AFTER, language)
    elif command.name == COMMAND_LATE and line.last != NOTHING and not reader.record.ended:
        mark_order(reader, line.last, SIDE_LATE)
        open_annotation(columns, line.last, SIDE_LATE, KIND_TEXT_AFTER, language)
    elif command.name == COMMAND_PRE and not reader.record.ended:
        line.pending = open_annotation(columns, line.pending, SIDE_BEFORE, KIND_TEXT_BEFORE, language)
    else:
        add_text(reader, reader.argument.data, reader.argument.size, language)
        return True
    put_text(reader, cython.address(columns.annotation_data.data), reader.argument.data, reader.argument.size)
    close_annotation(columns)
    return True


def obey_error(reader, text, command):
    """``[%error illegal "Nf9 e5"]``; a text that begins with ``(`` is a variation, any other the rest of the line."""
    columns = reader.columns
    place: cython.Py_ssize_t = command.arguments
    end: cython.Py_ssize_t = command.arguments_end
    word: cython.Py_ssize_t = place
    reason: cython.int = -1
    move: cython.int = NOTHING if reader.record.ended else reader.line.last
    side: cython.int = SIDE_LATE
    while place < end and text[place] != 32:
        place += 1
    if place - word == 10 and memcmp(text + word, b"unreadable", 10) == 0:
        reason = 0
    elif place - word == 7 and memcmp(text + word, b"illegal", 7) == 0:
        reason = 1
    elif place - word == 9 and memcmp(text + word, b"ambiguous", 9) == 0:
        reason = 2
    if reason < 0 or end - place < 3 or text[place + 1] != 34 or text[end - 1] != 34:  # '"'
        return False
    flush_nags(reader)
    unescape(reader, cython.address(reader.argument), text + place + 2, end - place - 3)
    if move != NOTHING and reader.argument.size and reader.argument.data[0] == 40:  # "("
        side = SIDE_AFTER
    mark_order(reader, move, side)
    open_annotation(columns, move, side, KIND_UNREADABLE, reason)
    put_text(reader, cython.address(columns.annotation_data.data), reader.argument.data, reader.argument.size)
    close_annotation(columns)
    return True


def hex_value(letter):
    """The value of a hexadecimal digit, or -1."""
    if 48 <= letter <= 57:
        return letter - 48
    if 65 <= letter <= 70:
        return letter - 55
    return letter - 87 if 97 <= letter <= 102 else -1


def unescape(reader, out, text, length):
    """Writes an argument without its escapes; a backslash before anything unknown is a backslash."""
    columns = reader.columns
    place: cython.Py_ssize_t = 0
    letter: cython.int
    code: cython.int
    out.size = 0
    while place < length:
        letter = text[place]
        place += 1
        if letter != 92 or place == length:  # "\"
            put_uint8(columns, out, letter)
            continue
        letter = text[place]
        place += 1
        if letter == 93 or letter == 92 or letter == 34:  # ] \ "
            put_uint8(columns, out, letter)
        elif letter == 110:  # n
            put_uint8(columns, out, 10)
        elif letter == 114:  # r
            put_uint8(columns, out, 13)
        elif letter == 116:  # t
            put_uint8(columns, out, 9)
        else:
            code = -1
            if letter == 117 and length - place >= 4:  # u
                code = 0
                for index in range(4):
                    code = (
                        -1
                        if code < 0 or hex_value(text[place + index]) < 0
                        else 16 * code + hex_value(text[place + index])
                    )
            # Beyond ASCII there is UTF-8; an escape of a letter there stays as it is.
            if 0 <= code < 128:
                put_uint8(columns, out, code)
                place += 4
            else:
                put_uint8(columns, out, 92)
                put_uint8(columns, out, letter)
