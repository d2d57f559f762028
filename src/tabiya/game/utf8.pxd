# Texts of unknown encoding: UTF-8 or a code page of 8 bits; see also code_pages.py.

from libc.stdint cimport uint8_t, uint16_t, uint64_t

from tabiya.chess.bits cimport LOW_BITS
from tabiya.game.columns cimport Columns, reserve
from tabiya.game.growing cimport Bytes

cdef inline uint64_t eight_letters(const uint8_t* text) noexcept nogil:
    """Eight bytes, the first one lowest on any machine; compilers make one load of it."""
    return (text[0] | <uint64_t> text[1] << 8 | <uint64_t> text[2] << 16 | <uint64_t> text[3] << 24
            | <uint64_t> text[4] << 32 | <uint64_t> text[5] << 40 | <uint64_t> text[6] << 48 | <uint64_t> text[7] << 56)


cdef inline Py_ssize_t ascii_length(const uint8_t* text, Py_ssize_t length) noexcept nogil:
    """Number of ASCII bytes at the start."""
    cdef Py_ssize_t place = 0
    while place + 8 <= length and not eight_letters(text + place) & LOW_BITS * 0x80:
        place += 8
    while place < length and text[place] < 0x80:
        place += 1
    return place


cdef inline int utf8_sequence(const uint8_t* text, Py_ssize_t length) noexcept nogil:
    """Length of the valid UTF-8 sequence at the start, 0 if none. Surrogates and overlong forms are invalid."""
    cdef int first = text[0], count
    if first < 0x80:
        return 1
    if first < 0xC2 or first > 0xF4:
        return 0
    count = 2 if first < 0xE0 else 3 if first < 0xF0 else 4
    if length < count or text[1] & 0xC0 != 0x80:
        return 0
    if (first == 0xE0 and text[1] < 0xA0 or first == 0xED and text[1] > 0x9F or first == 0xF0 and text[1] < 0x90
            or first == 0xF4 and text[1] > 0x8F):
        return 0
    if count > 2 and text[2] & 0xC0 != 0x80 or count > 3 and text[3] & 0xC0 != 0x80:
        return 0
    return count


cdef inline bint is_utf8(const uint8_t* text, Py_ssize_t length) noexcept nogil:
    cdef Py_ssize_t place = ascii_length(text, length)
    cdef int count
    while place < length:
        count = utf8_sequence(text + place, length - place)
        if count == 0:
            return False
        place += count
    return True


cdef inline int put_character(uint8_t* out, int character) noexcept nogil:
    """Write a character below 0x10000 as UTF-8; return its number of bytes."""
    if character < 0x80:
        out[0] = character
        return 1
    if character < 0x800:
        out[0] = 0xC0 | character >> 6
        out[1] = 0x80 | character & 63
        return 2
    out[0] = 0xE0 | character >> 12
    out[1] = 0x80 | character >> 6 & 63
    out[2] = 0x80 | character & 63
    return 3


cdef inline void put_transcoded(Columns* columns, Bytes* out, const uint8_t* text, Py_ssize_t length,
                                const uint16_t* code_page) noexcept nogil:
    """Append 8-bit text as UTF-8; ``code_page`` contains the characters of the bytes 0x80 to 0xFF."""
    cdef Py_ssize_t place
    cdef int letter
    if not reserve(columns, out, 3 * length):
        return
    for place in range(length):
        letter = text[place]
        if letter >= 0x80:
            letter = code_page[letter - 0x80]
        out.size += put_character(out.data + out.size, letter)
