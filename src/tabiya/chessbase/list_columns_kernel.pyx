"""Gathers the lists of records from columns of texts, in the order of columns.

Two passes, linear in records times columns and in the bytes of the result: one to measure, one to fill.
"""

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize
from libc.stdint cimport INT32_MAX, int32_t, int64_t, uint8_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy

import numpy as np

# A column of texts, and the text of each record.
ctypedef struct Source:
    const int64_t* places   # by record: the index of its text, negative for none
    const uint8_t* valid    # a bit per text, NULL if all are valid
    Py_ssize_t first_bit
    const int32_t* ends     # the begin and end of texts in ``letters``
    Py_ssize_t texts        # number of texts
    const char* letters
    Py_ssize_t size         # of ``letters``


def gather(Py_ssize_t records, list columns not None) -> tuple:
    """Return the lists of this many records.

    Args:
        records: their number.
        columns: for each column a tuple: ``places`` (int64, by record the index of its text, negative for none), then
            the texts as Arrow keeps them: ``valid`` (bits, or nothing if all are valid), the number of the first bit,
            ``ends`` (int32, one more than there are texts) and ``letters``. An invalid text is missing.

    Returns:
        The offsets of the lists, and of their members the number of the column, the offsets of the text, all letters.
    """
    cdef int32_t[::1] owners
    cdef int32_t[::1] ends
    cdef char* into
    cdef Py_ssize_t count = len(columns)
    cdef int64_t members = 0
    cdef int64_t size = 0
    cdef int32_t[::1] lists = np.zeros(records + 1, np.int32)
    sources = <Source*> malloc((count + 1) * sizeof(Source))
    if sources == NULL:
        raise MemoryError("no memory for the lists of records")
    try:
        for number, column in enumerate(columns):
            open_source(&sources[number], records, column)
        with nogil:
            measure(sources, count, records, &members, &size)
        if members >= INT32_MAX or size > INT32_MAX:
            raise OverflowError("the lists of a batch may not have more than 2 GB")
        owners = np.zeros(members + 1, np.int32)  # one more than needed: an address even for none
        ends = np.zeros(members + 1, np.int32)
        letters = PyBytes_FromStringAndSize(NULL, size)
        into = PyBytes_AS_STRING(letters)
        with nogil:
            fill(sources, count, records, &lists[0], &owners[0], &ends[0], into)
    finally:
        free(sources)
    return np.asarray(lists), np.asarray(owners)[:members], np.asarray(ends), letters


cdef int open_source(Source* source, Py_ssize_t records, tuple column) except -1:
    """Set pointers to the memory of a column, which the caller keeps."""
    cdef const int64_t[::1] places = column[0]
    cdef const uint8_t[::1] valid = column[1]
    cdef const int32_t[::1] ends = column[3]
    cdef const uint8_t[::1] letters = column[4]
    if places.shape[0] != records or ends.shape[0] < 1:
        raise ValueError("a column has a place for every record and an end for every text")
    source.first_bit = column[2]
    source.texts = ends.shape[0] - 1
    if valid.shape[0] and (source.first_bit < 0 or 8 * valid.shape[0] < source.first_bit + source.texts):
        raise ValueError("a column has a bit for every text")
    source.places = &places[0] if records else NULL
    source.valid = &valid[0] if valid.shape[0] else NULL
    source.ends = &ends[0]
    source.size = letters.shape[0]
    source.letters = <char*> &letters[0] if letters.shape[0] else NULL
    return 0


cdef bint has_text(const Source* source, Py_ssize_t record) noexcept nogil:
    """Return whether the record has a text here that is inside the letters."""
    cdef int64_t place = source.places[record]
    cdef Py_ssize_t bit
    if place < 0 or place >= source.texts:
        return False
    if source.valid != NULL:
        bit = source.first_bit + place
        if not source.valid[bit >> 3] >> (bit & 7) & 1:
            return False
    return 0 <= source.ends[place] <= source.ends[place + 1] <= source.size


cdef void measure(
    const Source* sources, Py_ssize_t count, Py_ssize_t records, int64_t* members, int64_t* size
) noexcept nogil:
    cdef int64_t place
    for record in range(records):
        for number in range(count):
            if has_text(&sources[number], record):
                place = sources[number].places[record]
                members[0] += 1
                size[0] += sources[number].ends[place + 1] - sources[number].ends[place]


cdef void fill(
    const Source* sources, Py_ssize_t count, Py_ssize_t records, int32_t* lists, int32_t* owners, int32_t* ends,
    char* letters
) noexcept nogil:
    cdef const Source* source
    cdef int64_t place
    cdef int32_t length
    cdef int32_t members = 0
    cdef int32_t size = 0
    for record in range(records):
        for number in range(count):
            source = &sources[number]
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
    const int32_t[::1] codes not None, const int32_t[::1] slots not None, const int32_t[::1] lists not None,
    int32_t[:, ::1] firsts not None, uint8_t[::1] repeated not None
) -> None:
    """Find the first member of each list for each of some codes.

    Args:
        codes: of all members.
        slots: by code, its row of ``firsts``; negative for none.
        lists: offsets of the lists.
        firsts: receives the index of the member, and must be negative at first.
        repeated: receives 1 for members whose code occurred earlier in the same list.
    """
    cdef Py_ssize_t member
    cdef Py_ssize_t record
    cdef int32_t slot
    check_members(codes, lists, repeated)
    if firsts.shape[1] != lists.shape[0] - 1:
        raise ValueError("there must be a place for every list")
    with nogil:
        for record in range(lists.shape[0] - 1):
            for member in range(lists[record], lists[record + 1]):
                slot = slots[codes[member]] if 0 <= codes[member] < slots.shape[0] else -1
                if slot < 0 or slot >= firsts.shape[0]:
                    continue
                if firsts[slot, record] < 0:
                    firsts[slot, record] = member
                else:
                    repeated[member] = 1


def later_members(
    const int32_t[::1] codes not None, const int32_t[::1] ranks not None, const int32_t[::1] lists not None,
    const uint8_t[::1] left_out not None, uint8_t[::1] later not None
) -> None:
    """Mark the members that follow one of a higher rank in their list.

    Args:
        codes: of all members.
        ranks: by code; negative for members to ignore.
        lists: offsets of the lists.
        left_out: 1 for further members to ignore.
        behind: receives the marks.
    """
    cdef Py_ssize_t member
    cdef Py_ssize_t record
    cdef int32_t rank
    cdef int32_t highest
    check_members(codes, lists, later)
    check_members(codes, lists, left_out)
    with nogil:
        for record in range(lists.shape[0] - 1):
            highest = -1
            for member in range(lists[record], lists[record + 1]):
                rank = ranks[codes[member]] if 0 <= codes[member] < ranks.shape[0] else -1
                if rank < 0 or left_out[member]:
                    continue
                if rank < highest:
                    later[member] = 1
                else:
                    highest = rank


cdef int check_members(const int32_t[::1] codes, const int32_t[::1] lists, const uint8_t[::1] marks) except -1:
    """Check that the offsets of lists are ascending and within the members, each of which has a mark."""
    if lists.shape[0] < 1 or lists[0] < 0 or lists[lists.shape[0] - 1] > codes.shape[0]:
        raise ValueError("the lists do not fit their members")
    if marks.shape[0] != codes.shape[0]:
        raise ValueError("there must be a mark for every member")
    for record in range(lists.shape[0] - 1):
        if lists[record] > lists[record + 1]:
            raise ValueError("the offsets of lists must rise")
    return 0
