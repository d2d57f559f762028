"""The bytes of name files: sorted lists that share prefixes (``.sn4``), and consecutive records (``.sn5``). Linear."""

from libc.stdint cimport int32_t, int64_t, uint8_t
from libc.string cimport memcpy

import numpy as np

cdef Py_ssize_t BROKEN = -1
cdef int MOST_VARINT = 63


def read_sorted(
    const uint8_t[::1] data not None, Py_ssize_t place, Py_ssize_t count, int id_bytes, int frequency_bytes
) -> tuple:
    """Read a list of names, each of which may share a prefix with the one before.

    Returns:
        The position after the list, ids, the ends of the names (one more than there are, from 0), and their letters. In
        an invalid list the position is that of the invalid entry, and there are fewer names.
    """
    cdef Py_ssize_t end = data.shape[0]
    cdef int least = id_bytes + frequency_bytes + 1
    if place < 0 or not 1 <= id_bytes <= 4 or not 1 <= frequency_bytes <= 4 or count < 0:
        raise ValueError("this is not a list of names")
    count = min(count, max(0, end - place) // least)  # none is shorter
    ids = np.zeros(count, np.int32)
    ends = np.zeros(count + 1, np.int64)
    letters = np.zeros(255 * count, np.uint8)
    cdef int32_t[::1] id_view = ids
    cdef int64_t[::1] end_view = ends
    cdef uint8_t[::1] out = letters
    cdef Py_ssize_t index = 0
    cdef Py_ssize_t at
    cdef Py_ssize_t size = 0
    cdef Py_ssize_t before = 0
    cdef int length
    cdef int common
    with nogil:
        while index < count:
            at = place
            if end - at < least + (index > 0):
                break
            id_view[index] = read_number(&data[at], id_bytes)
            at += id_bytes + frequency_bytes
            length = data[at]
            at += 1
            common = 0
            if index:
                common = data[at]
                at += 1
            if common > length or common > size - before or length - common > end - at:
                break
            if common:
                memcpy(&out[size], &out[before], common)
            if length > common:
                memcpy(&out[size + common], &data[at], length - common)
            before = size
            size += length
            place = at + length - common
            index += 1
            end_view[index] = size
    return place, ids[:index], ends[: index + 1], letters[:size]


def write_sorted(
    const uint8_t[::1] letters not None, const int64_t[::1] ends not None, const int64_t[::1] order not None,
    const int64_t[::1] frequencies not None, int id_bytes, int frequency_bytes
) -> bytes:
    """Write a list of names of at most 255 bytes in this order; the inverse of ``read_sorted``."""
    cdef Py_ssize_t count = order.shape[0]
    if ends.shape[0] != count + 1 or frequencies.shape[0] != count or not 1 <= id_bytes <= 4:
        raise ValueError("the columns of the names do not fit each other")
    if not 1 <= frequency_bytes <= 4 or ends[0] != 0 or ends[count] > letters.shape[0]:
        raise ValueError("the columns of the names do not fit each other")
    for index in range(count):
        if not 0 <= order[index] < count or not 0 <= ends[index + 1] - ends[index] <= 255:
            raise ValueError("a name has more than 255 bytes, or is none")
    written = np.zeros(count * (id_bytes + frequency_bytes + 2) + letters.shape[0], np.uint8)
    cdef uint8_t[::1] out = written
    cdef Py_ssize_t size = 0
    cdef Py_ssize_t before = 0
    cdef int former = 0
    cdef Py_ssize_t begin
    cdef int length
    cdef int common
    with nogil:
        for index in range(count):
            begin = ends[order[index]]
            length = ends[order[index] + 1] - begin
            common = 0
            write_number(&out[size], id_bytes, order[index])
            write_number(&out[size + id_bytes], frequency_bytes, frequencies[order[index]])
            size += id_bytes + frequency_bytes
            out[size] = length
            size += 1
            if index:
                while common < length and common < former and letters[begin + common] == letters[before + common]:
                    common += 1
                out[size] = common
                size += 1
            if length > common:
                memcpy(&out[size], &letters[begin + common], length - common)
            size += length - common
            before = begin
            former = length
    return written[:size].tobytes()


def read_records(const uint8_t[::1] data not None) -> tuple:
    """Read consecutive names, each after a number for its length and its kind.

    Returns:
        The position after the last valid record; kinds, and the begins and ends of the names.
    """
    cdef Py_ssize_t end = data.shape[0]
    cdef Py_ssize_t count = 0
    cdef Py_ssize_t place = 0
    cdef Py_ssize_t at
    cdef Py_ssize_t number
    cdef const uint8_t[::1] first = data
    if end == 0:
        return 0, np.zeros(0, np.uint8), np.zeros(0, np.int64), np.zeros(0, np.int64)
    with nogil:
        while place < end:
            at = place
            number = read_varint(&first[0], end, &at)
            if number < 0 or number >> 3 > end - at:
                break
            place = at + (number >> 3)
            count += 1
    kinds = np.zeros(count, np.uint8)
    begins = np.zeros(count, np.int64)
    ends = np.zeros(count, np.int64)
    cdef uint8_t[::1] kind_view = kinds
    cdef int64_t[::1] begin_view = begins
    cdef int64_t[::1] end_view = ends
    place = 0
    with nogil:
        for index in range(count):
            number = read_varint(&first[0], end, &place)
            kind_view[index] = number & 7
            begin_view[index] = place
            place += number >> 3
            end_view[index] = place
    return place, kinds, begins, ends


cdef Py_ssize_t read_number(const uint8_t* data, int size) noexcept nogil:
    cdef Py_ssize_t number = 0
    for index in range(size):
        number = number << 8 | data[index]
    return number


cdef void write_number(uint8_t* data, int size, Py_ssize_t number) noexcept nogil:
    for index in range(size):
        data[size - 1 - index] = number & 255
        number >>= 8


cdef Py_ssize_t read_varint(const uint8_t* data, Py_ssize_t end, Py_ssize_t* place) noexcept nogil:
    """Read seven bits per byte, the lowest first; negative if it extends past the end or is too large."""
    cdef Py_ssize_t number = 0
    cdef int shift = 0
    cdef Py_ssize_t byte
    while place[0] < end and shift < MOST_VARINT - 7:
        byte = data[place[0]]
        place[0] += 1
        number |= (byte & 127) << shift
        if byte < 128:
            return number
        shift += 7
    return BROKEN
