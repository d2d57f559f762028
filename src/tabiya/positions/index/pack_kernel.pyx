"""LZ4 blocks and CRC-32, for pages that are encoded by the hundred thousand. For little-endian machines.

pyarrow and zlib offer both, but every call releases and acquires the interpreter lock, and the threads that write an
index spent a fifth of the time waiting for each other. Tests check the output of this module with these libraries.
"""

from libc.stdint cimport uint64_t
from libc.string cimport memcpy, memset

cdef enum:
    LEAST_MATCH = 4
    MOST_OFFSET = 65535
    LAST_LETTERS = 5     # a block ends with this many bytes that are no match,
    LAST_MATCH = 12      # and no match begins closer to its end
    LONG = 15            # longer lengths continue in separate bytes
    PATIENCE = 6         # after every 64 misses the steps become longer by one

cdef uint32_t CHECKSUMS[8][256]


cdef uint32_t POLYNOMIAL = 0xEDB88320
cdef uint64_t MULTIPLIER = 889523592379  # a prime that spreads five bytes, LZ4's own choice

# --- blocks ----------------------------------------------------------------------------------------------------------


cdef Py_ssize_t most_packed(Py_ssize_t size) noexcept nogil:
    """Return the maximum compressed size of this many bytes."""
    return size + size // 255 + 16


cdef uint32_t slot_of(const uint8_t* data) noexcept nogil:
    cdef uint64_t word
    memcpy(&word, data, 8)
    return <uint32_t> ((word << 24) * MULTIPLIER >> 52)


cdef bint is_match(const uint8_t* one, const uint8_t* two) noexcept nogil:
    cdef uint32_t first
    cdef uint32_t second
    memcpy(&first, one, 4)
    memcpy(&second, two, 4)
    return first == second


cdef uint8_t* put_length(uint8_t* out, Py_ssize_t length) noexcept nogil:
    """Write the part of a length beyond its four bits; nothing if it is a short one."""
    if length < LONG:
        return out
    length -= LONG
    while length >= 255:
        out[0] = 255
        out += 1
        length -= 255
    out[0] = <uint8_t> length
    return out + 1


cdef uint8_t* put_letters(uint8_t* out, const uint8_t* letters, Py_ssize_t count) noexcept nogil:
    """Begin a sequence: a byte for both lengths, and the bytes that cannot be copied."""
    out[0] = <uint8_t> (min(count, LONG) << 4)
    out = put_length(out + 1, count)
    memcpy(out, letters, count)
    return out + count


cdef Py_ssize_t pack(const uint8_t* data, Py_ssize_t size, uint8_t* out, uint32_t* table) noexcept nogil:
    """Write an LZ4 block and return its size; ``out`` has space for ``most_packed`` bytes, ``table`` for SLOTS places.

    The table returns the last place with the same hash as this one. If nothing is found for long, steps become longer:
    such data cannot be compressed.
    """
    cdef uint8_t* begin = out
    cdef uint8_t* token
    cdef const uint8_t* end = data + size
    cdef const uint8_t* done = data
    cdef const uint8_t* at = data
    cdef const uint8_t* before
    cdef Py_ssize_t length
    cdef uint32_t slot
    cdef Py_ssize_t misses = 1 << PATIENCE
    memset(table, 0, SLOTS * sizeof(uint32_t))
    while end - at > LAST_MATCH:
        slot = slot_of(at)
        before = data + table[slot]
        table[slot] = <uint32_t> (at - data)
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
        out[0] = <uint8_t> (at - before)
        out[1] = <uint8_t> (at - before >> 8)
        token[0] |= <uint8_t> min(length - LEAST_MATCH, LONG)
        out = put_length(out + 2, length - LEAST_MATCH)
        at += length
        done = at
        misses = 1 << PATIENCE
        if end - at > LAST_MATCH:
            table[slot_of(at - 2)] = <uint32_t> (at - 2 - data)
    return put_letters(out, done, end - done) - begin


# --- checksums -------------------------------------------------------------------------------------------------------


cdef void fill_checksums() noexcept nogil:
    """Fill the tables: the contribution of a byte to the state, followed by up to seven more."""
    cdef uint32_t state
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


cdef uint32_t checksum(const uint8_t* data, Py_ssize_t size) noexcept nogil:
    """Return the CRC-32 of some bytes, eight of them at a time."""
    cdef uint32_t state = ~<uint32_t> 0
    cdef uint64_t word
    cdef uint32_t found
    while size >= 8:
        memcpy(&word, data, 8)
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


def packed(const uint8_t[::1] data not None) -> tuple[bytes, int]:
    """Return bytes as an LZ4 block, and the CRC-32 of the block, for tests against pyarrow and zlib."""
    cdef Py_ssize_t size = data.shape[0]
    out_bytes = bytearray(most_packed(size))
    cdef uint8_t[::1] out = out_bytes
    cdef uint32_t table[SLOTS]
    if size == 0:
        raise ValueError("an empty block has no bytes")
    with nogil:
        size = pack(&data[0], size, &out[0], table)
        crc32 = checksum(&out[0], size)
    return bytes(out_bytes[:size]), crc32
