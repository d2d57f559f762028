# The lexical elements of PGN: classes of characters, and where games begin.

from libc.stdint cimport uint8_t
from libc.string cimport memcmp

from tabiya.chess.letters cimport is_blank, is_digit, is_newline


cdef inline bint is_symbol(int letter) noexcept nogil:
    """Return whether a letter can be part of a move or of a sign: letters, digits, ``+#=-:/_@'~``, all beyond ASCII."""
    return (c'a' <= letter <= c'z' or c'A' <= letter <= c'Z' or c'0' <= letter <= c'9' or letter >= 0x80
            or letter == c'+' or letter == c'#' or letter == c'=' or letter == c'-' or letter == c':' or letter == c'/'
            or letter == c'_' or letter == c'@' or letter == c'\'' or letter == c'~')


cdef inline bint is_mark(const uint8_t* text, Py_ssize_t end, Py_ssize_t place) noexcept nogil:
    """Return whether there is a byte order mark here: of a file appended to another."""
    return end - place >= 3 and text[place] == 0xEF and text[place + 1] == 0xBB and text[place + 2] == 0xBF


# --- where games begin -----------------------------------------------------------------------------------------------

cdef inline bint at_line_start(const uint8_t* text, Py_ssize_t place) noexcept nogil:
    """Return whether a line begins here; a byte order mark (of a file appended to another) is ignored."""
    if place >= 3 and text[place - 1] == 0xBF and text[place - 2] == 0xBB and text[place - 3] == 0xEF:
        place -= 3
    return place == 0 or is_newline(text[place - 1])


cdef inline bint is_name_letter(int letter) noexcept nogil:
    """Return whether a letter can be part of the name of a tag."""
    return (is_digit(letter) or c'a' <= letter <= c'z' or c'A' <= letter <= c'Z' or letter == c'_' or letter == c'-'
            or letter == c'.' or letter >= 0x80)


cdef inline bint is_tag_pair(const uint8_t* text, Py_ssize_t end, Py_ssize_t place) noexcept nogil:
    """Return whether ``[Name "`` is here. Only such a line can begin a game; ``[%clk …]`` in a comment cannot."""
    cdef Py_ssize_t name
    if place >= end or text[place] != c'[':
        return False
    place += 1
    while place < end and is_blank(text[place]):
        place += 1
    name = place
    while place < end and is_name_letter(text[place]):
        place += 1
    if place == name:
        return False
    while place < end and is_blank(text[place]):
        place += 1
    return place < end and text[place] == c'"'


cdef inline bint is_tag_line(const uint8_t* text, Py_ssize_t end, Py_ssize_t place) noexcept nogil:
    """Return whether there are only tag pairs, the last of them possibly damaged, from here to ``end``."""
    cdef Py_ssize_t after
    while place < end:
        if not is_tag_pair(text, end, place):
            return False
        while text[place] != c'"':
            place += 1
        place += 1
        after = 0
        while place < end and after == 0:
            if text[place] == c'\\' and place + 1 < end and (text[place + 1] == c'"' or text[place + 1] == c'\\'):
                place += 1
            elif text[place] == c'"':
                after = place + 1
                while after < end and is_blank(text[after]):
                    after += 1
                after = after + 1 if after < end and text[after] == c']' else 0
            place += 1
        if after:
            place = after
            while place < end and is_blank(text[place]):
                place += 1
    return True


cdef inline bint follows_tag_line(const uint8_t* text, Py_ssize_t place) noexcept nogil:
    """Return whether the last non-empty line before this one consists only of tags."""
    cdef Py_ssize_t start
    while place and (is_newline(text[place - 1]) or is_blank(text[place - 1])):
        place -= 1
    start = place
    while start and not is_newline(text[start - 1]):
        start -= 1
    return start < place and is_tag_line(text, place, start)


cdef inline bint begins_game(const uint8_t* text, Py_ssize_t end, Py_ssize_t place) noexcept nogil:
    """Return whether the line here, after an empty line, begins a game, even if a comment is still open.

    It does if it is a tag pair; but after other tag pairs only an Event does, because some programs leave an empty line
    in the middle of the tags.
    """
    if not is_tag_pair(text, end, place):
        return False
    if place + 7 <= end and memcmp(text + place, b"[Event ", 7) == 0:
        return True
    return not follows_tag_line(text, place)
