"""Looks up keys in the records of a Polyglot book: reads the bytes of the file, changes nothing.

``lower_bound`` needs O(log n) steps, ``scan`` is linear. ``stored.py`` chooses the part of the file.
"""

from libc.stdint cimport uint64_t, uint8_t

cdef enum:
    RECORD_BYTES = 16


cdef uint64_t key_at(const uint8_t* records, Py_ssize_t index) noexcept nogil:
    cdef const uint8_t* record = records + RECORD_BYTES * index
    cdef uint64_t key = 0
    for place in range(8):
        key = key << 8 | record[place]
    return key


cdef Py_ssize_t first_not_below(const uint8_t* records, Py_ssize_t count, uint64_t key) noexcept nogil:
    cdef Py_ssize_t low = 0
    cdef Py_ssize_t high = count
    cdef Py_ssize_t middle
    while low < high:
        middle = low + (high - low) // 2
        if key_at(records, middle) < key:
            low = middle + 1
        else:
            high = middle
    return low


def lower_bound(const uint8_t[::1] data not None, uint64_t key) -> int:
    """Return the index of the first record whose key is not below ``key``; the number of records if there is none."""
    cdef Py_ssize_t count = data.shape[0] // RECORD_BYTES
    return first_not_below(&data[0], count, key) if count else 0


def find(const uint8_t[::1] data not None, uint64_t key) -> bytes:
    """Return the records with this key, one after the other."""
    cdef Py_ssize_t count = data.shape[0] // RECORD_BYTES
    if count == 0:
        return b""
    cdef const uint8_t* records = &data[0]
    cdef Py_ssize_t first = first_not_below(records, count, key)
    cdef Py_ssize_t end = first
    while end < count and key_at(records, end) == key:
        end += 1
    return (<char*> records)[RECORD_BYTES * first : RECORD_BYTES * end]


def scan(const uint8_t[::1] data not None) -> tuple:
    """Return how many runs of keys there are, how many records are out of order, and the index of the first (or -1).

    A record is out of order if its key is below that of the previous record.
    """
    cdef Py_ssize_t count = data.shape[0] // RECORD_BYTES
    cdef Py_ssize_t keys = 0
    cdef Py_ssize_t unsorted = 0
    cdef Py_ssize_t first_unsorted = -1
    cdef uint64_t key
    cdef uint64_t before = 0
    cdef const uint8_t* records = &data[0] if count else NULL
    with nogil:
        for index in range(count):
            key = key_at(records, index)
            if index == 0 or key != before:
                keys += 1
            if index and key < before:
                unsorted += 1
                if first_unsorted < 0:
                    first_unsorted = index
            before = key
    return keys, unsorted, first_unsorted
