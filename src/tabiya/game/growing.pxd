# Runs of bytes that grow: what columns and files are built in.

from libc.stdint cimport uint8_t
from libc.stdlib cimport realloc

ctypedef struct Bytes:
    uint8_t* data
    Py_ssize_t size
    Py_ssize_t capacity


cdef inline bint grow(Bytes* bytes, Py_ssize_t extra) noexcept nogil:
    """Make room for ``extra`` more bytes; False, and nothing changed, if there is no memory."""
    cdef Py_ssize_t needed = bytes.size + extra, capacity
    cdef uint8_t* data
    if needed <= bytes.capacity:
        return True
    capacity = bytes.capacity + (bytes.capacity >> 1) + 64
    if capacity < needed:
        capacity = needed
    data = <uint8_t*> realloc(bytes.data, capacity)
    if data == NULL:
        return False
    bytes.data = data
    bytes.capacity = capacity
    return True
