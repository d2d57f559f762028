"""Gathers the lists of records from columns of texts: every record asks every column, in the order of columns.

Two passes, linear in records times columns and in the bytes that come out: one to measure, one to fill.
"""

import cython
import numpy as np
from cython.cimports.cpython.bytes import PyBytes_AS_STRING, PyBytes_FromStringAndSize
from cython.cimports.libc.stdint import INT32_MAX, int32_t, int64_t, uint8_t
from cython.cimports.libc.stdlib import free, malloc
from cython.cimports.libc.string import memcpy


def gather(records: cython.Py_ssize_t, columns: list) -> tuple:
    """The lists of so many records.

    Args:
        records: how many there are.
        columns: for each column a tuple: ``places`` (int64, by record the number of its text, negative for none), then
            the texts as Arrow keeps them: ``valid`` (bits, or nothing if all are there), the number of the first bit,
            ``ends`` (int32, one more than there are texts) and ``letters``. A text that is not valid is none.

    Returns:
        The offsets of the lists, and of their members the number of the column, the offsets of the text, all letters.
    """
    count: cython.Py_ssize_t = len(columns)
    members: int64_t = 0
    size: int64_t = 0
    lists: int32_t[::1] = np.zeros(records + 1, np.int32)
    sources = cython.cast(cython.pointer[Source], malloc((count + 1) * cython.sizeof(Source)))
    if sources == cython.NULL:
        raise MemoryError("no memory for the lists of records")
    try:
        for number, column in enumerate(columns):
            open_source(cython.address(sources[number]), records, column)
        with cython.nogil:
            measure(sources, count, records, cython.address(members), cython.address(size))
        if members >= INT32_MAX or size > INT32_MAX:
            raise OverflowError("the lists of a batch may not have more than 2 GB")
        owners: int32_t[::1] = np.zeros(members + 1, np.int32)  # one more than needed: an address even for none
        ends: int32_t[::1] = np.zeros(members + 1, np.int32)
        letters = PyBytes_FromStringAndSize(cython.NULL, size)
        into: cython.p_char = PyBytes_AS_STRING(letters)
        with cython.nogil:
            fill(
                sources,
                count,
                records,
                cython.address(lists[0]),
                cython.address(owners[0]),
                cython.address(ends[0]),
                into,
            )
    finally:
        free(sources)
    return np.asarray(lists), np.asarray(owners)[:members], np.asarray(ends), letters


def open_source(source, records, column):
    """Points at the memory of a column, which the caller keeps."""
    places: cython.const[int64_t][::1] = column[0]
    valid: cython.const[uint8_t][::1] = column[1]
    ends: cython.const[int32_t][::1] = column[3]
    letters: cython.const[uint8_t][::1] = column[4]
    if places.shape[0] != records or ends.shape[0] < 1:
        raise ValueError("a column has a place for every record and an end for every text")
    source.first_bit = column[2]
    source.texts = ends.shape[0] - 1
    if valid.shape[0] and (source.first_bit < 0 or 8 * valid.shape[0] < source.first_bit + source.texts):
        raise ValueError("a column has a bit for every text")
    source.places = cython.address(places[0]) if records else cython.NULL
    source.valid = cython.address(valid[0]) if valid.shape[0] else cython.NULL
    source.ends = cython.address(ends[0])
    source.size = letters.shape[0]
    source.letters = cython.cast(cython.p_char, cython.address(letters[0])) if letters.shape[0] else cython.NULL
    return 0


def has_text(source, record):
    """Whether the record has a text here, and one that lies inside the letters."""
    place: int64_t = source.places[record]
    bit: cython.Py_ssize_t
    if place < 0 or place >= source.texts:
        return False
    if source.valid != cython.NULL:
        bit = source.first_bit + place
        if not source.valid[bit >> 3] >> (bit & 7) & 1:
            return False
    return 0 <= source.ends[place] <= source.ends[place + 1] <= source.size


def measure(sources, count, records, members, size):
    place: int64_t
    for record in range(records):
        for number in range(count):
            if has_text(cython.address(sources[number]), record):
                place = sources[number].places[record]
                members[0] += 1
                size[0] += sources[number].ends[place + 1] - sources[number].ends[place]


def fill(sources, count, records, lists, owners, ends, letters):
    source: cython.pointer[cython.const[Source]]
    place: int64_t
    length: int32_t
    members: int32_t = 0
    size: int32_t = 0
    for record in range(records):
        for number in range(count):
            source = cython.address(sources[number])
            if not has_text(source, record):
                continue
            place = source.places[record]
            length = source.ends[place + 1] - source.ends[place]
            if length:
                memcpy(letters + size, source.letters + source.ends[place], length)
            size += length
            owners[members] = number
            members += 1
            ends[members] = size
        lists[record + 1] = members
