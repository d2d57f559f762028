"""The loop of DES over blocks of eight bytes: 16 rounds each, with the tables that ``des`` makes."""

import cython
from cython.cimports.cpython.bytes import PyBytes_AS_STRING, PyBytes_FromStringAndSize
from cython.cimports.libc.stdint import uint8_t, uint32_t, uint64_t


def crypt_blocks(
    data: cython.const[uint8_t][::1],
    keys: cython.const[uint8_t][::1],
    initial: cython.const[uint64_t][::1],
    final: cython.const[uint64_t][::1],
    boxes: cython.const[uint32_t][::1],
) -> bytes:
    """Encrypts, or decrypts if the keys of the rounds come in reverse order."""
    size: cython.Py_ssize_t = data.shape[0]
    place: cython.Py_ssize_t
    index: cython.int
    value: uint64_t
    if size % BLOCK:
        raise ValueError("DES works on blocks of eight bytes")
    if keys.shape[0] != 8 * ROUNDS or initial.shape[0] != 2048 or final.shape[0] != 2048 or boxes.shape[0] != 512:
        raise ValueError("these are not the tables of DES")
    if size == 0:
        return b""
    result: bytes = PyBytes_FromStringAndSize(cython.NULL, size)
    out = cython.cast(cython.pointer(uint8_t), PyBytes_AS_STRING(result))
    with cython.nogil:
        for place in range(0, size, 8):
            value = 0
            for index in range(BLOCK):
                value = (value << 8) | data[place + index]
            value = crypt_block(
                value,
                cython.address(keys[0]),
                cython.address(initial[0]),
                cython.address(final[0]),
                cython.address(boxes[0]),
            )
            for index in range(BLOCK):
                out[place + index] = cython.cast(uint8_t, (value >> (56 - 8 * index)) & 0xFF)
    return result


def permuted(value, table):
    """Return a permutation of 64 bits, byte by byte."""
    result: uint64_t = 0
    index: cython.int
    for index in range(BLOCK):
        result |= table[256 * index + ((value >> (56 - 8 * index)) & 0xFF)]
    return result


def mixed(half, round_key, boxes):
    """Return what a round adds: eight overlapping groups of six bits, each with its key and substitution."""
    doubled: uint64_t = (cython.cast(uint64_t, half) << 32) | half
    result: uint32_t = boxes[((doubled >> 27) & 63) ^ round_key[0]]
    index: cython.int
    for index in range(1, 8):
        result ^= boxes[64 * index + (((doubled >> (59 - 4 * index)) & 63) ^ round_key[index])]
    return result


def crypt_block(value, keys, initial, final, boxes):
    left: uint32_t
    right: uint32_t
    swap: uint32_t
    number: cython.int
    value = permuted(value, initial)
    left = cython.cast(uint32_t, value >> 32)
    right = cython.cast(uint32_t, value)
    for number in range(ROUNDS):
        swap = right
        right = left ^ mixed(right, keys + 8 * number, boxes)
        left = swap
    return permuted((cython.cast(uint64_t, right) << 32) | left, final)
