"""The loop of DES over blocks of eight bytes: 16 rounds each, with the tables from ``des``."""

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize
from libc.stdint cimport uint32_t, uint64_t, uint8_t

cdef enum:
    BLOCK = 8
    ROUNDS = 16


def crypt_blocks(
    const uint8_t[::1] data not None, const uint8_t[::1] keys not None, const uint64_t[::1] initial not None,
    const uint64_t[::1] final not None, const uint32_t[::1] boxes not None
) -> bytes:
    """Encrypts, or decrypts if the keys of the rounds come in reverse order."""
    cdef Py_ssize_t size = data.shape[0]
    cdef Py_ssize_t place
    cdef int index
    cdef uint64_t value
    if size % BLOCK:
        raise ValueError("DES works on blocks of eight bytes")
    if keys.shape[0] != 8 * ROUNDS or initial.shape[0] != 2048 or final.shape[0] != 2048 or boxes.shape[0] != 512:
        raise ValueError("these are not the tables of DES")
    if size == 0:
        return b""
    cdef bytes result = PyBytes_FromStringAndSize(NULL, size)
    out = <uint8_t*> PyBytes_AS_STRING(result)
    with nogil:
        for place in range(0, size, 8):
            value = 0
            for index in range(BLOCK):
                value = (value << 8) | data[place + index]
            value = crypt_block(value, &keys[0], &initial[0], &final[0], &boxes[0])
            for index in range(BLOCK):
                out[place + index] = <uint8_t> ((value >> (56 - 8 * index)) & 0xFF)
    return result


cdef uint64_t permuted(uint64_t value, const uint64_t* table) noexcept nogil:
    """Return a permutation of 64 bits, byte by byte."""
    cdef uint64_t result = 0
    cdef int index
    for index in range(BLOCK):
        result |= table[256 * index + ((value >> (56 - 8 * index)) & 0xFF)]
    return result


cdef uint32_t mixed(uint32_t half, const uint8_t* round_key, const uint32_t* boxes) noexcept nogil:
    """Return what a round adds: eight overlapping groups of six bits, each combined with its key and substituted."""
    cdef uint64_t doubled = (<uint64_t> half << 32) | half
    cdef uint32_t result = boxes[((doubled >> 27) & 63) ^ round_key[0]]
    cdef int index
    for index in range(1, 8):
        result ^= boxes[64 * index + (((doubled >> (59 - 4 * index)) & 63) ^ round_key[index])]
    return result


cdef uint64_t crypt_block(
    uint64_t value, const uint8_t* keys, const uint64_t* initial, const uint64_t* final, const uint32_t* boxes
) noexcept nogil:
    cdef uint32_t left
    cdef uint32_t right
    cdef uint32_t swap
    cdef int number
    value = permuted(value, initial)
    left = <uint32_t> (value >> 32)
    right = <uint32_t> value
    for number in range(ROUNDS):
        swap = right
        right = left ^ mixed(right, keys + 8 * number, boxes)
        left = swap
    return permuted((<uint64_t> right << 32) | left, final)
