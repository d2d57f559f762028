# Growing byte buffers, in which columns and files are built.

from libc.stdint cimport uint8_t
from libc.stdlib cimport realloc

ctypedef struct Bytes:
    uint8_t* data
    Py_ssize_t size
    Py_ssize_t capacity


cdef inline bint grow(Bytes* bytes, Py_ssize_t extra) noexcept nogil:
    """Reserve ``extra`` more bytes; False, with nothing changed, if memory is exhausted."""
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
