# Escapes in the arguments of commands, as in ``escapes.py``.

from libc.stdint cimport uint8_t
from libc.string cimport memcpy

from tabiya.chess.letters cimport DELETE, SPACE
from tabiya.game.growing cimport Bytes, grow
from tabiya.game.utf8 cimport put_character


cdef inline int hex_value(int letter) noexcept nogil:
    """The value of a hexadecimal digit, or -1."""
    if c'0' <= letter <= c'9':
        return letter - c'0'
    if c'A' <= letter <= c'F':
        return letter - c'A' + 10
    return letter - c'a' + 10 if c'a' <= letter <= c'f' else -1


cdef inline bint put_unescaped(Bytes* out, const uint8_t* text, Py_ssize_t length) noexcept nogil:
    """Append an argument without its escapes, which is never longer; False if memory is exhausted.

    A backslash before an unknown letter is a backslash.
    """
    cdef Py_ssize_t place = 0
    cdef int letter, code, index
    if not grow(out, length):
        return False
    while place < length:
        letter = text[place]
        place += 1
        if letter == c'\\' and place < length:
            letter = text[place]
            place += 1
            if letter == c'n':
                letter = c'\n'
            elif letter == c'r':
                letter = c'\r'
            elif letter == c't':
                letter = c'\t'
            elif letter != c']' and letter != c'\\' and letter != c'"':
                code = -1
                if letter == c'u' and length - place >= 4:
                    code = 0
                    for index in range(4):
                        code = -1 if code < 0 or hex_value(text[place + index]) < 0 else (
                            16 * code + hex_value(text[place + index]))
                # A surrogate has no UTF-8 form; it stays as it is.
                if code >= 0 and not 0xD800 <= code <= 0xDFFF:
                    out.size += put_character(out.data + out.size, code)
                    place += 4
                    continue
                out.data[out.size] = c'\\'
                out.size += 1
        out.data[out.size] = letter
        out.size += 1
    return True


cdef inline int escape_letter(int letter, bint quoted, uint8_t* out) noexcept nogil:
    """Write the escape of a letter that must be escaped, at most six letters; 0 for any other."""
    out[0] = c'\\'
    if letter == c']' or letter == c'\\' or (letter == c'"' and quoted):
        out[1] = letter
    elif letter == c'\n':
        out[1] = c'n'
    elif letter == c'\r':
        out[1] = c'r'
    elif letter == c'\t':
        out[1] = c't'
    elif letter < SPACE or letter == c'}' or letter == DELETE:
        out[1] = c'u'
        out[2] = out[3] = c'0'
        out[4] = b"0123456789ABCDEF"[letter >> 4]
        out[5] = b"0123456789ABCDEF"[letter & 15]
        return 6
    else:
        return 0
    return 2


cdef inline bint put_escaped(Bytes* out, const uint8_t* text, Py_ssize_t length, bint quoted) noexcept nogil:
    """Append a text with escapes; False if memory is exhausted.

    A line may break at any single blank, and blanks around an argument are lost: all others are escaped.
    """
    cdef Py_ssize_t place
    cdef int letters
    if not grow(out, 6 * length):
        return False
    for place in range(length):
        if text[place] == c' ' and (
            place and text[place - 1] == c' ' or not quoted and (place == 0 or place == length - 1)
        ):
            memcpy(out.data + out.size, b"\\u0020", 6)
            letters = 6
        else:
            letters = escape_letter(text[place], quoted, out.data + out.size)
            if letters == 0:
                out.data[out.size] = text[place]
                letters = 1
        out.size += letters
    return True
