"""Decompress blocks of a CBV archive. Linear in the size of a block.

The first byte of a block specifies the compression: bit 0 LZ, bit 1 Huffman, both, or none. When both are set the LZ
stream was compressed by Huffman, so Huffman is undone first. A block is independent: nothing refers to the blocks
before it.

Huffman: the number of symbols (word, BE), then a stream of bits, highest first: for each of the 256 bytes four bits
with the length of its code, followed by the code; then the codes of the symbols.

LZ: groups of a word (LE, highest bit first) and 16 items. A bit 0 is a literal byte. A bit 1 is a command, a byte of
two halves: high 0, a run of low + 3 of the next byte; high 1, a run of low + 16 times the next byte + 19 of the byte
after that; high 2, a copy of 16 + third byte from low + 16 times the next byte + 3 back; any other, a copy of as many
bytes as the half states, from as far back. The last group ends with the block.
"""

from cpython.bytes cimport PyBytes_FromStringAndSize
from libc.stdint cimport uint16_t, uint32_t, uint64_t, uint8_t
from libc.stdlib cimport free, malloc
from libc.string cimport memset

# A stream of bits, highest first.
cdef struct Bits:
    const uint8_t* data
    Py_ssize_t size
    Py_ssize_t place
    uint64_t held
    int count


cdef Py_ssize_t MOST_SYMBOLS = 0xFFFF
cdef Py_ssize_t CODES = 1 << 15


def checksum(const uint8_t[::1] block not None):
    """Return the sum of the words (LE) of a block, in 16 bits; an odd byte at the end does not count."""
    cdef uint32_t total = 0
    cdef Py_ssize_t place
    with nogil:
        for place in range(0, block.shape[0] - 1, 2):
            total += block[place] | (block[place + 1] << 8)
    return total & 0xFFFF


def unpack_block(const uint8_t[::1] block not None, Py_ssize_t most) -> tuple:
    """Return a decompressed block, at most this many bytes.

    Returns:
        The bytes, and an error: 0 none, 1 the block breaks off, 2 an unknown compression method, 3 an invalid code, 4 a
        copy from before the block, 5 too many bytes.
    """
    cdef Py_ssize_t size = block.shape[0]
    cdef Py_ssize_t length = 0
    cdef int fault = FINE
    if most < 0:
        raise ValueError("the size of a block cannot be negative")
    if size == 0:
        return b"", BROKEN_OFF
    cdef int mode = block[0]
    if mode & ~(LZ | HUFFMAN):
        return b"", BAD_MODE
    if mode == 0:
        return (b"", TOO_LONG) if size - 1 > most else (bytes(block[1:]), FINE)
    symbols = <unsigned char*> malloc(MOST_SYMBOLS)
    table = <uint16_t*> malloc(CODES * 2)
    out = <unsigned char*> malloc(max(most, MOST_SYMBOLS))
    try:
        if symbols == NULL or table == NULL or out == NULL:
            raise MemoryError("no memory to unpack a block")
        with nogil:
            if mode == LZ:
                fault = undo_lz(&block[0] + 1, size - 1, out, most, &length)
            elif mode == HUFFMAN:
                fault = undo_huffman(&block[0] + 1, size - 1, table, out, &length)
                if length > most:
                    fault = TOO_LONG
            else:
                fault = undo_huffman(&block[0] + 1, size - 1, table, symbols, &length)
                if fault == FINE:
                    fault = undo_lz(symbols, length, out, most, &length)
        return PyBytes_FromStringAndSize(<char*> out, min(length, most)), fault
    finally:
        free(symbols)
        free(table)
        free(out)


# Huffman decompression.


cdef int peek(Bits* bits, int count) noexcept nogil:
    """Return the next bits without consuming them, up to 16; zeros after the end."""
    while bits.count < count:
        bits.held <<= 8
        if bits.place < bits.size:
            bits.held |= bits.data[bits.place]
        bits.place += 1
        bits.count += 8
    return <int> ((bits.held >> (bits.count - count)) & ((1 << count) - 1))


cdef int take(Bits* bits, int count) noexcept nogil:
    value = peek(bits, count)
    bits.count -= count
    return value


cdef int read_codes(Bits* bits, uint16_t* table) noexcept nogil:
    """Read the codes of all bytes into ``table``: by the next 15 bits the length and the byte, 0 for no code."""
    cdef int symbol
    cdef int length
    cdef int first
    cdef int entry
    memset(table, 0, CODES * 2)
    for symbol in range(SYMBOLS):
        length = take(bits, 4)
        if length == 0:
            continue
        first = take(bits, length) << (LONGEST_CODE - length)
        for entry in range(first, first + (1 << (LONGEST_CODE - length))):
            if table[entry]:
                return BAD_CODE  # one code is a prefix of another
            table[entry] = <uint16_t> ((length << 8) | symbol)
    return FINE


cdef int undo_huffman(
    const uint8_t* data, Py_ssize_t size, uint16_t* table, uint8_t* out, Py_ssize_t* length
) noexcept nogil:
    """Decompress into ``out``, which has space for 65,535 bytes; ``length`` receives their number."""
    cdef Bits bits
    cdef Py_ssize_t count
    cdef Py_ssize_t done
    cdef int entry
    length[0] = 0
    if size < 2:
        return BROKEN_OFF
    count = (data[0] << 8) | data[1]
    bits.data = data
    bits.size = size
    bits.place = 2
    bits.held = 0
    bits.count = 0
    if read_codes(&bits, table) != FINE:
        return BAD_CODE
    for done in range(count):
        entry = table[peek(&bits, LONGEST_CODE)]
        if entry == 0:
            return BAD_CODE
        bits.count -= entry >> 8
        if bits.place - bits.count // 8 > size:
            return BROKEN_OFF
        out[done] = entry & 0xFF
        length[0] = done + 1
    return BROKEN_OFF if bits.place - bits.count // 8 > size else FINE


# LZ decompression.


cdef int undo_lz(
    const uint8_t* data, Py_ssize_t size, uint8_t* out, Py_ssize_t most, Py_ssize_t* length
) noexcept nogil:
    """Decompress into ``out``, which has space for ``most`` bytes; ``length`` receives their number."""
    cdef Py_ssize_t place = 0
    cdef int mask
    cdef int item
    cdef int fault
    length[0] = 0
    while place < size:
        if size - place < 2:
            return BROKEN_OFF
        mask = data[place] | (data[place + 1] << 8)
        place += 2
        for item in range(16):
            if place >= size:
                break
            if mask & (0x8000 >> item):
                fault = undo_command(data, size, &place, out, most, length)
                if fault != FINE:
                    return fault
            elif length[0] >= most:
                return TOO_LONG
            else:
                out[length[0]] = data[place]
                length[0] += 1
                place += 1
    return FINE


cdef int undo_command(
    const uint8_t* data, Py_ssize_t size, Py_ssize_t* place, uint8_t* out, Py_ssize_t most, Py_ssize_t* length
) noexcept nogil:
    """Unpack a run or a copy."""
    cdef int command = data[place[0]]
    cdef int high = command >> 4
    cdef int low = command & 15
    cdef Py_ssize_t count
    cdef Py_ssize_t offset
    cdef Py_ssize_t index
    cdef Py_ssize_t done = length[0]
    cdef int needed = 3 if high == 1 or high == 2 else 2
    if size - place[0] < needed:
        return BROKEN_OFF
    data += place[0]
    place[0] += needed
    if high <= 1:
        count = low + 3 if high == 0 else low + 16 * data[1] + 19
        if count > most - done:
            return TOO_LONG
        memset(out + done, data[needed - 1], count)
    else:
        count = data[2] + 16 if high == 2 else high
        offset = low + 16 * data[1] + NEAREST
        if offset > done:
            return BAD_COPY
        if count > most - done:
            return TOO_LONG
        for index in range(count):  # byte by byte: a copy may overlap its own output
            out[done + index] = out[done + index - offset]
    length[0] = done + count
    return FINE
