# The syntax of EPD operations, shared by reader and writer: an opcode, operands, a semicolon.

from libc.stdint cimport uint8_t
from libc.string cimport memcmp, strlen

from tabiya.chess.board cimport Board
from tabiya.chess.fen_kernel cimport read_fen

ctypedef struct Span:
    const uint8_t* data
    Py_ssize_t length


cdef inline bint is_blank(int letter) noexcept nogil:
    return letter == c' ' or letter == c'\t' or letter == c'\r'


cdef inline bint is_digit(int letter) noexcept nogil:
    return c'0' <= letter <= c'9'


cdef inline bint is_word(Span text, const char* word) noexcept nogil:
    return text.length == <Py_ssize_t> strlen(word) and memcmp(text.data, word, text.length) == 0


cdef inline bint is_opcode(Span code) noexcept nogil:
    """Return whether a word can be the key of an extra: lower case, and single underscores between words.

    ``line`` and ``operation`` are keys of what has no opcode.
    """
    cdef Py_ssize_t place
    cdef int letter, before = c'_'
    for place in range(code.length):
        letter = code.data[place]
        if not (c'a' <= letter <= c'z' or place and is_digit(letter) or letter == c'_' and before != c'_'):
            return False
        before = letter
    return before != c'_' and not is_word(code, b"line") and not is_word(code, b"operation")


cdef inline bint is_comment(Span code) noexcept nogil:
    """Return whether this is one of c0 to c9."""
    return code.length == 2 and code.data[0] == c'c' and is_digit(code.data[1])


cdef inline bint has_meaning(Span code) noexcept nogil:
    """Return whether an operation with this opcode becomes something else than an extra, at least the first one."""
    return (
        is_comment(code) or is_word(code, b"acd") or is_word(code, b"ce") or is_word(code, b"dm")
        or is_word(code, b"eco") or is_word(code, b"fmvn") or is_word(code, b"hmvc") or is_word(code, b"id")
        or is_word(code, b"pv")
    )


cdef inline Py_ssize_t end_of_operation(const uint8_t* text, Py_ssize_t length, bint* closed) noexcept nogil:
    """Return the place of the semicolon that ends an operation, or the end of the text.

    Semicolons within quotation marks are text. ``closed``: whether the last quotation marks are closed.
    """
    cdef Py_ssize_t place = 0
    cdef bint quoted = False
    while place < length:
        if text[place] == c'"':
            quoted = not quoted
        elif quoted and text[place] == c'\\' and place + 1 < length:
            place += 1
        elif not quoted and text[place] == c';':
            break
        place += 1
    closed[0] = not quoted
    return place


cdef inline Span trimmed(const uint8_t* text, Py_ssize_t length) noexcept nogil:
    cdef Span span
    while length and is_blank(text[0]):
        text += 1
        length -= 1
    while length and is_blank(text[length - 1]):
        length -= 1
    span.data = text
    span.length = length
    return span


cdef inline Span next_word(Span* rest) noexcept nogil:
    """Take the next word, which ends at a blank or a semicolon; it is empty if there is none."""
    cdef Span word
    cdef Py_ssize_t length = 0
    rest[0] = trimmed(rest.data, rest.length)
    while length < rest.length and not is_blank(rest.data[length]) and rest.data[length] != c';':
        length += 1
    word.data = rest.data
    word.length = length
    rest.data += length
    rest.length -= length
    return word


cdef inline int read_number(Span text, int most) noexcept nogil:
    """Return an unsigned number up to ``most``; -1 for any other text and for a spelling such as 007."""
    cdef Py_ssize_t place
    cdef int number = 0
    if text.length == 0 or text.length > 1 and text.data[0] == c'0':
        return -1
    for place in range(text.length):
        if not is_digit(text.data[place]):
            return -1
        number = 10 * number + text.data[place] - c'0'
        if number > most:
            return -1
    return number


cdef inline bint names_rooks(Span fen) noexcept nogil:
    """Return whether castling is spelled with the files of the rooks, as only Chess960 needs it."""
    cdef Span castling
    cdef Py_ssize_t place
    for _ in range(3):
        castling = next_word(&fen)
    for place in range(castling.length):
        if c'a' <= castling.data[place] | 0x20 <= c'h':
            return True
    return False


cdef inline bint read_start(Span fen, Board* board) noexcept nogil:
    """Set up a position, of Chess960 if castling is spelled like that; False if it is invalid."""
    return read_fen(fen.data, fen.length, names_rooks(fen), board)
