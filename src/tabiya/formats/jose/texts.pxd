# Texts as jose stores them: UTF-8 by units of UTF-16, so that a character beyond U+FFFF is two sequences of three bytes
# (CESU-8), each text with a terminating zero.

from libc.stdint cimport uint8_t
from libc.string cimport memcpy

from tabiya.game.growing cimport Bytes, grow
from tabiya.game.utf8 cimport ascii_length, put_character, utf8_sequence

cdef enum:
    TEXT_GOOD = 0
    TEXT_NO_MEMORY = 1
    TEXT_HALF = 2       # an unpaired half of a character; it became U+FFFD
    TEXT_BYTES = 3      # not UTF-8, read as ISO 8859-1


cdef inline bint is_unit(const uint8_t* text, Py_ssize_t length, int least, int most) noexcept nogil:
    """Return whether half of a character begins here: ED, then a byte in this range."""
    return length >= 3 and text[0] == 0xED and least <= text[1] <= most and text[2] & 0xC0 == 0x80


cdef inline void put_latin(Bytes* out, const uint8_t* text, Py_ssize_t length) noexcept nogil:
    """Append ISO 8859-1 as UTF-8; space for twice the length must be reserved."""
    cdef Py_ssize_t at
    for at in range(length):
        out.size += put_character(out.data + out.size, text[at])


cdef inline int put_utf8(Bytes* out, const uint8_t* text, Py_ssize_t length) noexcept nogil:
    """Append a text of jose as UTF-8."""
    cdef Py_ssize_t at = ascii_length(text, length), begin = out.size
    cdef int count, high, low, answer = TEXT_GOOD
    if not grow(out, 2 * length):
        return TEXT_NO_MEMORY
    if at:
        memcpy(out.data + out.size, text, at)
        out.size += at
    while at < length:
        count = utf8_sequence(text + at, length - at)
        if count:
            memcpy(out.data + out.size, text + at, count)
            out.size += count
            at += count
        elif is_unit(text + at, length - at, 0xA0, 0xAF) and is_unit(text + at + 3, length - at - 3, 0xB0, 0xBF):
            high = (text[at + 1] & 15) << 6 | text[at + 2] & 63
            low = (text[at + 4] & 15) << 6 | text[at + 5] & 63
            high = 0x10000 + (high << 10 | low)
            out.data[out.size] = 0xF0 | high >> 18
            out.data[out.size + 1] = 0x80 | high >> 12 & 63
            out.data[out.size + 2] = 0x80 | high >> 6 & 63
            out.data[out.size + 3] = 0x80 | high & 63
            out.size += 4
            at += 6
        elif is_unit(text + at, length - at, 0xA0, 0xBF):
            memcpy(out.data + out.size, b"\xef\xbf\xbd", 3)
            out.size += 3
            at += 3
            answer = TEXT_HALF
        else:
            out.size = begin
            put_latin(out, text, length)
            return TEXT_BYTES
    return answer


cdef inline bint put_cesu8(Bytes* out, const uint8_t* text, Py_ssize_t length) noexcept nogil:
    """Append a text of UTF-8 as jose writes it; False without memory."""
    cdef Py_ssize_t at = ascii_length(text, length)
    cdef int letter, high, low
    if not grow(out, 2 * length):
        return False
    if at:
        memcpy(out.data + out.size, text, at)
        out.size += at
    while at < length:
        if text[at] < 0xF0 or length - at < 4:
            out.data[out.size] = text[at]
            out.size += 1
            at += 1
            continue
        letter = (text[at] & 7) << 18 | (text[at + 1] & 63) << 12 | (text[at + 2] & 63) << 6 | text[at + 3] & 63
        letter -= 0x10000
        high = letter >> 10 & 0x3FF
        low = letter & 0x3FF
        out.data[out.size] = out.data[out.size + 3] = 0xED
        out.data[out.size + 1] = 0xA0 | high >> 6
        out.data[out.size + 2] = 0x80 | high & 63
        out.data[out.size + 4] = 0xB0 | low >> 6
        out.data[out.size + 5] = 0x80 | low & 63
        out.size += 6
        at += 4
    return True
