# Text output of the PGN writer: words, line breaks, numbers.

from libc.stdint cimport int64_t, uint8_t
from libc.string cimport memcpy

from tabiya.game.growing cimport Bytes, grow

cdef enum:
    LAST_COLUMN = 79

# Losses of the PGN writer; the sentences are in ``messages.py``.
cdef enum:
    LOSS_TEXT = 0    # a text had to be changed to fit into a comment
    LOSS_PLACE = 1   # an annotation is at a position that PGN cannot express
    LOSS_TAG = 2     # a tag had to be changed to fit into a line
    LOSS_VALUE = 3   # a value that other programs read partly or not at all
    LOSS_BLANKS = 4  # only blanks and line breaks of a text
    LOSS_COUNT = 5

ctypedef struct Output:
    Bytes bytes
    bint failed              # no memory
    bint one_line            # no line breaks inside movetext
    int column               # letters in the current line
    bint glued               # the next word follows without a blank
    int64_t losses[5]
    Py_ssize_t first_loss[5]  # record of the first
    Py_ssize_t record


cdef inline void put(Output* out, const uint8_t* data, Py_ssize_t length) noexcept nogil:
    """Append bytes unchanged; the column is not updated."""
    if length:
        if not grow(&out.bytes, length):
            out.failed = True
            return
        memcpy(out.bytes.data + out.bytes.size, data, length)
        out.bytes.size += length


cdef inline void put_letter(Output* out, int letter) noexcept nogil:
    if not grow(&out.bytes, 1):
        out.failed = True
        return
    out.bytes.data[out.bytes.size] = letter
    out.bytes.size += 1


cdef inline void lose(Output* out, int kind) noexcept nogil:
    if out.losses[kind] == 0:
        out.first_loss[kind] = out.record
    out.losses[kind] += 1


cdef inline void break_line(Output* out) noexcept nogil:
    """Go to the start of a line, unless this one is empty."""
    if out.column:
        put_letter(out, c'\n')
        out.column = 0
    out.glued = False


cdef inline void space(Output* out, Py_ssize_t letters) noexcept nogil:
    """Write a blank, or a line break if a word of this many letters does not fit into the line."""
    if out.glued:
        out.glued = False
    elif out.column:
        if out.column + 1 + letters >= LAST_COLUMN and not out.one_line:  # leaves space for a parenthesis
            put_letter(out, c'\n')
            out.column = 0
        else:
            put_letter(out, c' ')
            out.column += 1


cdef inline void put_word(Output* out, const uint8_t* word, Py_ssize_t length) noexcept nogil:
    """Append an ASCII word after a blank or a line break."""
    space(out, length)
    put(out, word, length)
    out.column += <int> length


cdef inline void put_short_word(Output* out, const uint8_t* word, Py_ssize_t length) noexcept nogil:
    """Do ``put_word`` for at most 16 letters in memory of at least 16 bytes: copying all of these is faster."""
    if not grow(&out.bytes, 17):
        out.failed = True
        return
    space(out, length)
    memcpy(out.bytes.data + out.bytes.size, word, 16)
    out.bytes.size += length
    out.column += <int> length


cdef inline void put_close(Output* out, int letter) noexcept nogil:
    """Append a letter to the last word."""
    if out.column >= LAST_COLUMN and not out.one_line:
        put_letter(out, c'\n')
        out.column = 0
    put_letter(out, letter)
    out.column += 1


cdef inline bint is_continuation(int letter) noexcept nogil:
    """Return whether a byte is inside a UTF-8 sequence, so that it takes no column of its own."""
    return letter & 0xC0 == 0x80
