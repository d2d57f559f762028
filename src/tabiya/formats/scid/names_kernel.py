"""The bytes of name files: sorted lists that share beginnings (``.sn4``), and records in a row (``.sn5``). Linear."""

import cython
import numpy as np
from cython.cimports.libc.stdint import int32_t, int64_t, uint8_t
from cython.cimports.libc.string import memcpy

BROKEN = cython.declare(cython.Py_ssize_t, -1)
MOST_VARINT = cython.declare(cython.int, 63)


def read_sorted(
    data: cython.const[uint8_t][::1],
    place: cython.Py_ssize_t,
    count: cython.Py_ssize_t,
    id_bytes: cython.int,
    frequency_bytes: cython.int,
) -> tuple:
    """Read a list of names, each of which may begin like the one before.

    Returns:
        The place behind the list, ids, the ends of the names (one more than there are, from 0), and their letters.
        Where the list makes no sense the place is that of the entry, and it has fewer names.
    """
    end: cython.Py_ssize_t = data.shape[0]
    least: cython.int = id_bytes + frequency_bytes + 1
    if place < 0 or not 1 <= id_bytes <= 4 or not 1 <= frequency_bytes <= 4 or count < 0:
        raise ValueError("this is not a list of names")
    count = min(count, max(0, end - place) // least)  # none is shorter
    ids = np.zeros(count, np.int32)
    ends = np.zeros(count + 1, np.int64)
    letters = np.zeros(255 * count, np.uint8)
    id_view: int32_t[::1] = ids
    end_view: int64_t[::1] = ends
    out: uint8_t[::1] = letters
    index: cython.Py_ssize_t = 0
    at: cython.Py_ssize_t
    size: cython.Py_ssize_t = 0
    before: cython.Py_ssize_t = 0
    length: cython.int
    common: cython.int
    with cython.nogil:
        while index < count:
            at = place
            if end - at < least + (index > 0):
                break
            id_view[index] = read_number(cython.address(data[at]), id_bytes)
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
                memcpy(cython.address(out[size]), cython.address(out[before]), common)
            if length > common:
                memcpy(cython.address(out[size + common]), cython.address(data[at]), length - common)
            before = size
            size += length
            place = at + length - common
            index += 1
            end_view[index] = size
    return place, ids[:index], ends[: index + 1], letters[:size]


def write_sorted(
    letters: cython.const[uint8_t][::1],
    ends: cython.const[int64_t][::1],
    order: cython.const[int64_t][::1],
    frequencies: cython.const[int64_t][::1],
    id_bytes: cython.int,
    frequency_bytes: cython.int,
) -> bytes:
    """Write a list of names of at most 255 bytes in this order; the inverse of ``read_sorted``."""
    count: cython.Py_ssize_t = order.shape[0]
    if ends.shape[0] != count + 1 or frequencies.shape[0] != count or not 1 <= id_bytes <= 4:
        raise ValueError("the columns of the names do not fit each other")
    if not 1 <= frequency_bytes <= 4 or ends[0] != 0 or ends[count] > letters.shape[0]:
        raise ValueError("the columns of the names do not fit each other")
    for index in range(count):
        if not 0 <= order[index] < count or not 0 <= ends[index + 1] - ends[index] <= 255:
            raise ValueError("a name has more than 255 bytes, or is none")
    written = np.zeros(count * (id_bytes + frequency_bytes + 2) + letters.shape[0], np.uint8)
    out: uint8_t[::1] = written
    size: cython.Py_ssize_t = 0
    before: cython.Py_ssize_t = 0
    former: cython.int = 0
    begin: cython.Py_ssize_t
    length: cython.int
    common: cython.int
    with cython.nogil:
        for index in range(count):
            begin = ends[order[index]]
            length = ends[order[index] + 1] - begin
            common = 0
            write_number(cython.address(out[size]), id_bytes, order[index])
            write_number(cython.address(out[size + id_bytes]), frequency_bytes, frequencies[order[index]])
            size += id_bytes + frequency_bytes
            out[size] = length
            size += 1
            if index:
                while common < length and common < former and letters[begin + common] == letters[before + common]:
                    common += 1
                out[size] = common
                size += 1
            if length > common:
                memcpy(cython.address(out[size]), cython.address(letters[begin + common]), length - common)
            size += length - common
            before = begin
            former = length
    return written[:size].tobytes()


def read_records(data: cython.const[uint8_t][::1]) -> tuple:
    """Read names in a row, each behind a number that says how long it is and of which kind.

    Returns:
        The place behind the last record that makes sense; kinds, and where the names begin and end.
    """
    end: cython.Py_ssize_t = data.shape[0]
    count: cython.Py_ssize_t = 0
    place: cython.Py_ssize_t = 0
    at: cython.Py_ssize_t
    number: cython.Py_ssize_t
    first: cython.const[uint8_t][::1] = data
    if end == 0:
        return 0, np.zeros(0, np.uint8), np.zeros(0, np.int64), np.zeros(0, np.int64)
    with cython.nogil:
        while place < end:
            at = place
            number = read_varint(cython.address(first[0]), end, cython.address(at))
            if number < 0 or number >> 3 > end - at:
                break
            place = at + (number >> 3)
            count += 1
    kinds = np.zeros(count, np.uint8)
    begins = np.zeros(count, np.int64)
    ends = np.zeros(count, np.int64)
    kind_view: uint8_t[::1] = kinds
    begin_view: int64_t[::1] = begins
    end_view: int64_t[::1] = ends
    place = 0
    with cython.nogil:
        for index in range(count):
            number = read_varint(cython.address(first[0]), end, cython.address(place))
            kind_view[index] = number & 7
            begin_view[index] = place
            place += number >> 3
            end_view[index] = place
    return place, kinds, begins, ends


def read_number(data, size):
    number: cython.Py_ssize_t = 0
    for index in range(size):
        number = number << 8 | data[index]
    return number


def write_number(data, size, number):
    for index in range(size):
        data[size - 1 - index] = number & 255
        number >>= 8


def read_varint(data, end, place):
    """Read seven bits a byte, the lowest first; negative if it runs past the end or is too large."""
    number: cython.Py_ssize_t = 0
    shift: cython.int = 0
    byte: cython.Py_ssize_t
    while place[0] < end and shift < MOST_VARINT - 7:
        byte = data[place[0]]
        place[0] += 1
        number |= (byte & 127) << shift
        if byte < 128:
            return number
        shift += 7
    return BROKEN
