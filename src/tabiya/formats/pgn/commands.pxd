# Commands in comments, ``[%name arguments]``: those that carry texts.

from libc.stdint cimport uint8_t
from libc.string cimport memcmp

cdef enum:
    COMMAND_NONE = 0
    COMMAND_PRE = 1     # a text before the next move
    COMMAND_POST = 2    # a text after the last move
    COMMAND_GAME = 3    # a text about the whole game
    COMMAND_LATE = 5    # a text behind the variations on the last move
    COMMAND_ERROR = 4   # the rest of a line that could not be read

# A command as it stands in a text, without looking into its arguments.
ctypedef struct Command:
    int name
    bint unclosed              # one of ours, but nothing closes it: then no command behind it is closed either
    Py_ssize_t language        # where the code of the language begins
    Py_ssize_t language_length
    Py_ssize_t arguments       # where they begin
    Py_ssize_t arguments_end   # the place of the "]"


cdef inline bint is_word_letter(int letter) noexcept nogil:
    return c'a' <= letter <= c'z' or c'A' <= letter <= c'Z' or c'0' <= letter <= c'9' or letter == c'_'


cdef inline int command_of(const uint8_t* name, Py_ssize_t length) noexcept nogil:
    if length == 3 and memcmp(name, b"pre", 3) == 0:
        return COMMAND_PRE
    if length == 4 and memcmp(name, b"post", 4) == 0:
        return COMMAND_POST
    if length == 4 and memcmp(name, b"late", 4) == 0:
        return COMMAND_LATE
    if length == 4 and memcmp(name, b"game", 4) == 0:
        return COMMAND_GAME
    if length == 5 and memcmp(name, b"error", 5) == 0:
        return COMMAND_ERROR
    return COMMAND_NONE


cdef inline Command command_at(const uint8_t* text, Py_ssize_t place, Py_ssize_t end) noexcept nogil:
    """The command that begins at ``place`` with ``[%``; COMMAND_NONE if it is not one of ours or nothing closes it."""
    cdef Command command
    cdef Py_ssize_t name = place + 2
    command.name = COMMAND_NONE
    command.unclosed = False
    command.language_length = 0
    if place + 2 >= end or text[place] != c'[' or text[place + 1] != c'%':
        return command
    place = name
    while place < end and is_word_letter(text[place]):
        place += 1
    command.name = command_of(text + name, place - name)
    command.language = place + 1
    if place < end and text[place] == c':':
        place += 1
        while place < end and is_word_letter(text[place]):
            place += 1
        command.language_length = place - command.language
    if place < end and text[place] == c' ':
        place += 1
    elif place >= end or text[place] != c']':
        command.name = COMMAND_NONE
    command.arguments = place
    if command.name == COMMAND_NONE:
        return command
    while place < end and text[place] != c']':
        place += 2 if text[place] == c'\\' else 1
    command.arguments_end = place
    if place >= end:
        command.name = COMMAND_NONE
        command.unclosed = True
    return command
