# Payloads and their texts, letter by letter. The caller has reserved memory for writing.

from libc.stdint cimport int64_t, uint8_t
from libc.string cimport memcpy

from tabiya.game.growing cimport Bytes
from tabiya.chess.letters cimport is_digit
from tabiya.game.spelling cimport format_digits


cdef inline void put_letter(Bytes* out, int letter) noexcept nogil:
    out.data[out.size] = letter
    out.size += 1


cdef inline void put_letters(Bytes* out, const uint8_t* letters, Py_ssize_t length) noexcept nogil:
    memcpy(out.data + out.size, letters, length)
    out.size += length


cdef inline void put_hex(Bytes* out, int byte) noexcept nogil:
    put_letter(out, b"0123456789ABCDEF"[byte >> 4])
    put_letter(out, b"0123456789ABCDEF"[byte & 15])


cdef inline void put_number(Bytes* out, int64_t number) noexcept nogil:
    """Write a number of at most ten digits."""
    if number < 0:
        put_letter(out, c'-')
        number = -number
    out.size += format_digits(out.data + out.size, <unsigned int> number)


cdef inline void put_big_endian(Bytes* out, int64_t number, int size) noexcept nogil:
    cdef int index
    for index in range(size):
        put_letter(out, <int> (number >> 8 * (size - 1 - index) & 255))


cdef inline int64_t big_endian(const uint8_t* data, int size) noexcept nogil:
    cdef int64_t number = 0
    cdef int index
    for index in range(size):
        number = number << 8 | data[index]
    return number


cdef inline int64_t take_number(const uint8_t* text, Py_ssize_t length, Py_ssize_t* place, int most) noexcept nogil:
    """Return the number at ``place``, of at most this many digits, and skip it; -1 if there is none or it is longer."""
    cdef int64_t number = 0
    cdef Py_ssize_t begin = place[0]
    while place[0] < length and is_digit(text[place[0]]):
        if place[0] - begin == most:
            return -1
        number = 10 * number + text[place[0]] - c'0'
        place[0] += 1
    return number if place[0] > begin else -1
