"""Looks up keys in the records of a Polyglot book: reads the bytes of the file, changes nothing.

``lower_bound`` needs O(log n) steps, ``scan`` is linear. Which part of a file they look at, ``stored.py`` knows.
"""

import cython
from cython.cimports.libc.stdint import uint8_t, uint64_t


def key_at(records, index):
    record: cython.pointer[cython.const[uint8_t]] = records + RECORD_BYTES * index
    key: uint64_t = 0
    for place in range(8):
        key = key << 8 | record[place]
    return key


def first_not_below(records, count, key):
    low: cython.Py_ssize_t = 0
    high: cython.Py_ssize_t = count
    middle: cython.Py_ssize_t
    while low < high:
        middle = low + (high - low) // 2
        if key_at(records, middle) < key:
            low = middle + 1
        else:
            high = middle
    return low


def lower_bound(data: cython.const[uint8_t][::1], key: uint64_t) -> int:
    """Return the index of the first record whose key is not below ``key``; the number of records if there is none."""
    count: cython.Py_ssize_t = data.shape[0] // RECORD_BYTES
    return first_not_below(cython.address(data[0]), count, key) if count else 0


def find(data: cython.const[uint8_t][::1], key: uint64_t) -> bytes:
    """Return the records with this key, one after the other."""
    count: cython.Py_ssize_t = data.shape[0] // RECORD_BYTES
    if count == 0:
        return b""
    records: cython.pointer[cython.const[uint8_t]] = cython.address(data[0])
    first: cython.Py_ssize_t = first_not_below(records, count, key)
    end: cython.Py_ssize_t = first
    while end < count and key_at(records, end) == key:
        end += 1
    return cython.cast(cython.p_char, records)[RECORD_BYTES * first : RECORD_BYTES * end]


def scan(data: cython.const[uint8_t][::1]) -> tuple:
    """Return how many runs of keys there are, how many records are out of order, and the index of the first (or -1).

    A record stands too early if its key is below the one before it.
    """
    count: cython.Py_ssize_t = data.shape[0] // RECORD_BYTES
    keys: cython.Py_ssize_t = 0
    unsorted: cython.Py_ssize_t = 0
    first_unsorted: cython.Py_ssize_t = -1
    key: uint64_t
    before: uint64_t = 0
    records: cython.pointer[cython.const[uint8_t]] = cython.address(data[0]) if count else cython.NULL
    with cython.nogil:
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
