"""LZ4 blocks and CRC-32, for pages that are encoded by the hundred thousand. For little-endian machines.

pyarrow and zlib offer both, but every call leaves the interpreter and enters it again, and the threads that write an
index spent a fifth of the time waiting for each other. What is written here, these two read; the tests ask them.
"""

import cython
from cython.cimports.libc.stdint import uint8_t, uint32_t, uint64_t
from cython.cimports.libc.string import memcpy, memset
from cython.cimports.tabiya.chess.bits import lowest

POLYNOMIAL = cython.declare(uint32_t, 0xEDB88320)
MULTIPLIER = cython.declare(uint64_t, 889523592379)  # a prime that spreads five bytes, LZ4's own choice

# --- blocks ----------------------------------------------------------------------------------------------------------


def most_packed(size):
    """Return how many bytes so many can take at most."""
    return size + size // 255 + 16


def slot_of(data):
    word: uint64_t
    memcpy(cython.address(word), data, 8)
    return cython.cast(uint32_t, (word << 24) * MULTIPLIER >> 52)


def is_match(one, two):
    first: uint32_t
    second: uint32_t
    memcpy(cython.address(first), one, 4)
    memcpy(cython.address(second), two, 4)
    return first == second


def match_length(one, two, end):
    """Return how far two places are alike; ``two`` is behind ``one``, and ``end`` behind both."""
    begin: cython.pointer[cython.const[uint8_t]] = two
    first: uint64_t
    second: uint64_t
    while end - two >= 8:
        memcpy(cython.address(first), one, 8)
        memcpy(cython.address(second), two, 8)
        if first != second:
            return two - begin + (lowest(first ^ second) >> 3)
        one += 8
        two += 8
    while two < end and one[0] == two[0]:
        one += 1
        two += 1
    return two - begin


def put_length(out, length):
    """Write what a length has beyond its four bits; nothing if it is a short one."""
    if length < LONG:
        return out
    length -= LONG
    while length >= 255:
        out[0] = 255
        out += 1
        length -= 255
    out[0] = cython.cast(uint8_t, length)
    return out + 1


def put_letters(out, letters, count):
    """Begin a sequence: a byte for both lengths, and what cannot be copied from before."""
    out[0] = cython.cast(uint8_t, min(count, LONG) << 4)
    out = put_length(out + 1, count)
    memcpy(out, letters, count)
    return out + count


def pack(data, size, out, table):
    """Write an LZ4 block and return its bytes; ``out`` has room for ``most_packed`` ones, ``table`` for SLOTS places.

    The first place that begins like this one, of those that the table remembers, is taken. Where nothing is found for
    long, steps become longer: that data will not become shorter.
    """
    begin: cython.pointer[uint8_t] = out
    token: cython.pointer[uint8_t]
    end: cython.pointer[cython.const[uint8_t]] = data + size
    done: cython.pointer[cython.const[uint8_t]] = data
    at: cython.pointer[cython.const[uint8_t]] = data
    before: cython.pointer[cython.const[uint8_t]]
    length: cython.Py_ssize_t
    slot: uint32_t
    misses: cython.Py_ssize_t = 1 << PATIENCE
    memset(table, 0, SLOTS * cython.sizeof(uint32_t))
    while end - at > LAST_MATCH:
        slot = slot_of(at)
        before = data + table[slot]
        table[slot] = cython.cast(uint32_t, at - data)
        if before == at or at - before > MOST_OFFSET or not is_match(before, at):
            at += misses >> PATIENCE
            misses += 1
            continue
        while at > done and before > data and (at - 1)[0] == (before - 1)[0]:
            at -= 1
            before -= 1
        length = LEAST_MATCH + match_length(before + LEAST_MATCH, at + LEAST_MATCH, end - LAST_LETTERS)
        token = out
        out = put_letters(out, done, at - done)
        out[0] = cython.cast(uint8_t, at - before)
        out[1] = cython.cast(uint8_t, at - before >> 8)
        token[0] |= cython.cast(uint8_t, min(length - LEAST_MATCH, LONG))
        out = put_length(out + 2, length - LEAST_MATCH)
        at += length
        done = at
        misses = 1 << PATIENCE
        if end - at > LAST_MATCH:
            table[slot_of(at - 2)] = cython.cast(uint32_t, at - 2 - data)
    return put_letters(out, done, end - done) - begin


# --- checksums -------------------------------------------------------------------------------------------------------


def fill_checksums():
    """Fill the tables: what a byte adds to the state, with up to seven more behind it."""
    state: uint32_t
    for byte in range(256):
        state = byte
        for _ in range(8):
            state = state >> 1 ^ (POLYNOMIAL if state & 1 else 0)
        CHECKSUMS[0][byte] = state
    for more in range(1, 8):
        for byte in range(256):
            state = CHECKSUMS[more - 1][byte]
            CHECKSUMS[more][byte] = state >> 8 ^ CHECKSUMS[0][state & 255]


fill_checksums()


def checksum(data, size):
    """Return the CRC-32 of some bytes, eight of them at a time."""
    state: uint32_t = ~cython.cast(uint32_t, 0)
    word: uint64_t
    found: uint32_t
    while size >= 8:
        memcpy(cython.address(word), data, 8)
        word ^= state
        found = 0
        for place in range(8):
            found ^= CHECKSUMS[7 - place][word >> 8 * place & 255]
        state = found
        data += 8
        size -= 8
    while size > 0:
        state = state >> 8 ^ CHECKSUMS[0][(state ^ data[0]) & 255]
        data += 1
        size -= 1
    return ~state


def packed(data: cython.const[uint8_t][::1]) -> tuple[bytes, int]:
    """Return bytes as an LZ4 block, and the CRC-32 of the block: what tests show to pyarrow and zlib."""
    size: cython.Py_ssize_t = data.shape[0]
    room = bytearray(most_packed(size))
    out: uint8_t[::1] = room
    table: uint32_t[SLOTS]
    if size == 0:
        raise ValueError("an empty block has no bytes")
    with cython.nogil:
        size = pack(cython.address(data[0]), size, cython.address(out[0]), table)
        crc32 = checksum(cython.address(out[0]), size)
    return bytes(room[:size]), crc32
