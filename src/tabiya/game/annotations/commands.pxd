# Commands in comments, ``[%name:LANG arguments]``.
#
# Common commands are known here by name. All others are in a table from ``vocabulary.py``, with an entry for each:
# length of the name, meaning, form and kind of its value, length of the words, name, words.

from libc.stdint cimport uint8_t
from libc.string cimport memchr, memcmp, strlen

from tabiya.chess.letters cimport is_digit
from tabiya.game.annotations.kinds cimport (
    KIND_ARROWS,
    KIND_BLACK_CLOCK,
    KIND_EVALUATION,
    KIND_SQUARES,
    KIND_TIME_SPENT,
    KIND_WHITE_CLOCK,
)
from tabiya.game.spelling cimport look_up

cdef enum:
    COMMAND_NONE = 0      # not a command
    COMMAND_RARE = 1      # known to Python only
    COMMAND_VERBATIM = 2  # of other programs, ignored: stays in the text
    COMMAND_UNKNOWN = 3
    COMMAND_PRE = 4       # a text before the next move
    COMMAND_POST = 5      # a text after the last move
    COMMAND_GAME = 6      # a text about the whole game
    COMMAND_LATE = 7      # a text after the variations on the last move
    COMMAND_ERROR = 8     # the unreadable rest of a line
    COMMAND_VALUE = 9     # a value of ``kind`` that kernels read
    COMMAND_CLOCK = 10    # the clock of the side that has moved

# A command in a text; its arguments are not parsed.
ctypedef struct Command:
    int name
    int kind                   # of a value
    int form                   # the spelling of its arguments, see ``forms_kernel``; 0 for common values
    const uint8_t* words       # the words that its arguments may contain, in the form of ``look_up``
    Py_ssize_t words_length
    bint unclosed              # not closed: then no command after it is closed either
    Py_ssize_t language        # start of the language code
    Py_ssize_t language_length
    Py_ssize_t arguments       # start of the arguments
    Py_ssize_t arguments_end   # the place of the "]"


cdef enum:
    ENTRY_HEAD = 6


cdef inline Py_ssize_t entry_words(const uint8_t* entry) noexcept nogil:
    """The length of the words of an entry."""
    return entry[4] | entry[5] << 8


cdef inline Py_ssize_t entry_end(const uint8_t* table, Py_ssize_t length, Py_ssize_t place) noexcept nogil:
    """The end of the entry at ``place``; -1 if it is missing or incomplete."""
    if length - place < ENTRY_HEAD:
        return -1
    place += ENTRY_HEAD + table[place] + entry_words(table + place)
    return place if place <= length else -1


cdef inline void describe(Command* command, const uint8_t* entry) noexcept nogil:
    """Copy an entry of the table into a command."""
    command.name = entry[1]
    command.form = entry[2]
    command.kind = entry[3]
    command.words = entry + ENTRY_HEAD + entry[0]
    command.words_length = entry_words(entry)


cdef inline bint is_word_letter(int letter) noexcept nogil:
    return c'a' <= letter <= c'z' or c'A' <= letter <= c'Z' or c'0' <= letter <= c'9' or letter == c'_'


cdef inline bint ends_head(int letter) noexcept nogil:
    """Whether the name of a command ends before this blank; a line break has become a blank, or two of them."""
    return letter == c' ' or letter == c'\t' or letter == c'\n' or letter == 11 or letter == 12


cdef inline void name_command(Command* command, const uint8_t* name, Py_ssize_t length, const uint8_t* rare,
                              Py_ssize_t rare_length) noexcept nogil:
    """Identify a command; ``rare`` is the table of those that are not known by name."""
    cdef Py_ssize_t place = 0, end
    command.name = COMMAND_VALUE
    if length == 3 and memcmp(name, b"clk", 3) == 0:
        command.name = COMMAND_CLOCK
    elif length == 4 and memcmp(name, b"eval", 4) == 0:
        command.kind = KIND_EVALUATION
    elif length == 3 and memcmp(name, b"emt", 3) == 0:
        command.kind = KIND_TIME_SPENT
    elif length == 3 and memcmp(name, b"cal", 3) == 0:
        command.kind = KIND_ARROWS
    elif length == 3 and memcmp(name, b"csl", 3) == 0:
        command.kind = KIND_SQUARES
    elif length == 4 and memcmp(name, b"clkw", 4) == 0:
        command.kind = KIND_WHITE_CLOCK
    elif length == 4 and memcmp(name, b"clkb", 4) == 0:
        command.kind = KIND_BLACK_CLOCK
    elif length == 3 and memcmp(name, b"pre", 3) == 0:
        command.name = COMMAND_PRE
    elif length == 4 and memcmp(name, b"post", 4) == 0:
        command.name = COMMAND_POST
    elif length == 4 and memcmp(name, b"late", 4) == 0:
        command.name = COMMAND_LATE
    elif length == 4 and memcmp(name, b"game", 4) == 0:
        command.name = COMMAND_GAME
    elif length == 5 and memcmp(name, b"error", 5) == 0:
        command.name = COMMAND_ERROR
    else:
        command.name = COMMAND_UNKNOWN
        end = entry_end(rare, rare_length, 0)
        while end >= 0:
            if rare[place] == length and memcmp(rare + place + ENTRY_HEAD, name, length) == 0:
                describe(command, rare + place)
                return
            place = end
            end = entry_end(rare, rare_length, place)


cdef inline const char* name_of_value(int kind, bint black) noexcept nogil:
    """The command of a value that kernels read, in a comment at a move of Black or White."""
    if kind == KIND_EVALUATION:
        return b"eval"
    if kind == KIND_TIME_SPENT:
        return b"emt"
    if kind == KIND_ARROWS:
        return b"cal"
    if kind == KIND_SQUARES:
        return b"csl"
    if (kind == KIND_BLACK_CLOCK) == black:
        return b"clk"
    return b"clkb" if kind == KIND_BLACK_CLOCK else b"clkw"


cdef inline Command command_at(const uint8_t* text, Py_ssize_t place, Py_ssize_t end, const uint8_t* rare,
                               Py_ssize_t rare_length) noexcept nogil:
    """The command that begins at ``place`` with ``[%``; COMMAND_NONE if there is none or it is not closed."""
    cdef Command command
    cdef Py_ssize_t name = place + 2, name_end
    command.name = COMMAND_NONE
    command.kind = command.form = 0
    command.words = NULL
    command.words_length = 0
    command.unclosed = False
    command.language = command.language_length = command.arguments = command.arguments_end = 0
    if name >= end or text[place] != c'[' or text[place + 1] != c'%':
        return command
    place = name
    while place < end and is_word_letter(text[place]):
        place += 1
    name_end = place
    if place < end and text[place] == c':':
        place += 1
        command.language = place
        while place < end and is_word_letter(text[place]):
            place += 1
        command.language_length = place - command.language
        if command.language_length == 0:
            return command
    if name_end == name or place >= end:
        return command
    if ends_head(text[place]):
        place += 1
    elif text[place] != c']':
        return command
    command.arguments = place
    while place < end and text[place] != c']':
        place += 2 if text[place] == c'\\' else 1
    if place >= end:
        command.unclosed = True
        return command
    command.arguments_end = place
    name_command(&command, text + name, name_end - name, rare, rare_length)
    return command


cdef inline Py_ssize_t find_command(const uint8_t* text, Py_ssize_t place, Py_ssize_t length) noexcept nogil:
    """Return where the next ``[%`` is, or ``length``."""
    cdef const uint8_t* found
    while place < length - 1:
        found = <const uint8_t*> memchr(text + place, c'[', length - 1 - place)
        if found == NULL:
            break
        place = found - text
        if text[place + 1] == c'%':
            return place
        place += 1
    return length


cdef inline bint has_command(const uint8_t* text, Py_ssize_t length) noexcept nogil:
    """Return whether a text contains ``[%``."""
    return find_command(text, 0, length) < length


cdef inline bint is_known_command(int command) noexcept nogil:
    """Whether a command is read as such, and not as plain text."""
    return command != COMMAND_NONE and command != COMMAND_UNKNOWN and command != COMMAND_VERBATIM


# --- texts -----------------------------------------------------------------------------------------------------------

cdef enum:
    REASONS = 5


cdef inline int language_of(const uint8_t* table, Py_ssize_t table_length, const uint8_t* text,
                            Py_ssize_t length) noexcept nogil:
    """The number of a language, given by its code of three letters or as a number; -1 if unknown."""
    cdef int number = 0
    cdef Py_ssize_t index
    if length == 0:
        return 0
    if not is_digit(text[0]):
        return look_up(table, table_length, text, length)
    for index in range(length):
        if not is_digit(text[index]) or number > 25:
            return -1
        number = 10 * number + text[index] - c'0'
    return number if number < 256 else -1


cdef inline const char* reason_word(int reason) noexcept nogil:
    """Why a line could not be read, as in ``[%error illegal "Nf9"]``."""
    if reason == 1:
        return b"illegal"
    if reason == 2:
        return b"ambiguous"
    if reason == 3:
        return b"unrecognized"
    return b"expected" if reason == 4 else b"unreadable"


cdef inline int error_at(const uint8_t* text, Command command, Py_ssize_t* begin, Py_ssize_t* end) noexcept nogil:
    """The reason of an error, with the bounds of its escaped text; -1 if it has an unusual spelling."""
    cdef Py_ssize_t place = command.arguments, length
    cdef int reason
    while place < command.arguments_end and text[place] != c' ':
        place += 1
    begin[0] = place + 2
    end[0] = command.arguments_end - 1
    if end[0] < begin[0] or text[place + 1] != c'"':
        return -1
    length = place - command.arguments
    place += 2
    while place < command.arguments_end and text[place] != c'"':
        place += 2 if text[place] == c'\\' else 1
    if place != end[0]:
        return -1
    for reason in range(REASONS):
        if strlen(reason_word(reason)) == <size_t> length:
            if memcmp(reason_word(reason), text + command.arguments, length) == 0:
                return reason
    return -1
