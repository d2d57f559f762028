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
    """Return the lists of this many records.

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
    """Return whether the record has a text here, and one that lies inside the letters."""
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


def first_members(
    codes: cython.const[int32_t][::1],
    slots: cython.const[int32_t][::1],
    lists: cython.const[int32_t][::1],
    firsts: int32_t[:, ::1],
    repeated: uint8_t[::1],
) -> None:
    """Find the first member of each list for each of some codes.

    Args:
        codes: of all members.
        slots: by code, the row of ``firsts`` that it goes to; negative for none.
        lists: offsets of the lists.
        firsts: takes the number of the member, and must be negative at first.
        repeated: takes 1 for members whose code stood in the same list before.
    """
    member: cython.Py_ssize_t
    record: cython.Py_ssize_t
    slot: int32_t
    check_members(codes, lists, repeated)
    if firsts.shape[1] != lists.shape[0] - 1:
        raise ValueError("there must be a place for every list")
    with cython.nogil:
        for record in range(lists.shape[0] - 1):
            for member in range(lists[record], lists[record + 1]):
                slot = slots[codes[member]] if 0 <= codes[member] < slots.shape[0] else -1
                if slot < 0 or slot >= firsts.shape[0]:
                    continue
                if firsts[slot, record] < 0:
                    firsts[slot, record] = member
                else:
                    repeated[member] = 1


def members_behind(
    codes: cython.const[int32_t][::1],
    ranks: cython.const[int32_t][::1],
    lists: cython.const[int32_t][::1],
    left_out: cython.const[uint8_t][::1],
    behind: uint8_t[::1],
) -> None:
    """Mark the members that stand behind one of a higher rank in their list.

    Args:
        codes: of all members.
        ranks: by code; negative for members that do not count.
        lists: offsets of the lists.
        left_out: 1 for further members that do not count.
        behind: takes the marks.
    """
    member: cython.Py_ssize_t
    record: cython.Py_ssize_t
    rank: int32_t
    highest: int32_t
    check_members(codes, lists, behind)
    check_members(codes, lists, left_out)
    with cython.nogil:
        for record in range(lists.shape[0] - 1):
            highest = -1
            for member in range(lists[record], lists[record + 1]):
                rank = ranks[codes[member]] if 0 <= codes[member] < ranks.shape[0] else -1
                if rank < 0 or left_out[member]:
                    continue
                if rank < highest:
                    behind[member] = 1
                else:
                    highest = rank


def check_members(codes, lists, marks):
    """Check that the offsets of lists rise and stay within the members, each of which has a mark."""
    if lists.shape[0] < 1 or lists[0] < 0 or lists[lists.shape[0] - 1] > codes.shape[0]:
        raise ValueError("the lists do not fit their members")
    if marks.shape[0] != codes.shape[0]:
        raise ValueError("there must be a mark for every member")
    for record in range(lists.shape[0] - 1):
        if lists[record] > lists[record + 1]:
            raise ValueError("the offsets of lists must rise")
    return 0
