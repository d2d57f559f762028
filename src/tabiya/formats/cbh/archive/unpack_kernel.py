"""Blocks of a CBV archive, unpacked. Linear in the size of a block.

The first byte of a block tells how the rest is packed: bit 0 by LZ, bit 1 by Huffman, or both, or not at all. When both
are set the LZ stream was packed by Huffman, so Huffman is undone first. A block stands for itself: nothing refers to
the blocks before it.

Huffman: the number of symbols (word, BE), then a stream of bits, highest first: for each of the 256 bytes four bits
with the length of its code, followed by the code; then the codes of the symbols.

LZ: groups of a word (LE, highest bit first) and 16 items. A bit 0 is a literal byte. A bit 1 is a command, a byte of
two halves: high 0, a run of low + 3 of the next byte; high 1, a run of low + 16 times the next byte + 19 of the byte
after that; high 2, a copy of 16 + third byte from low + 16 times the next byte + 3 back; any other, a copy of so many
bytes as it says, from as far back. The last group ends with the block.
"""

import cython
from cython.cimports.cpython.bytes import PyBytes_FromStringAndSize
from cython.cimports.libc.stdint import uint8_t, uint16_t, uint32_t
from cython.cimports.libc.stdlib import free, malloc
from cython.cimports.libc.string import memset

MOST_SYMBOLS = cython.declare(cython.Py_ssize_t, 0xFFFF)
CODES = cython.declare(cython.Py_ssize_t, 1 << 15)


def checksum(block: cython.const[uint8_t][::1]) -> cython.int:
    """Return the sum of the words (LE) of a block, in 16 bits; an odd byte at the end does not count."""
    total: uint32_t = 0
    place: cython.Py_ssize_t
    with cython.nogil:
        for place in range(0, block.shape[0] - 1, 2):
            total += block[place] | (block[place + 1] << 8)
    return total & 0xFFFF


def unpack_block(block: cython.const[uint8_t][::1], most: cython.Py_ssize_t) -> tuple:
    """Return what a block stands for, at most this many bytes.

    Returns:
        The bytes, and what is wrong: 0 nothing, 1 the block breaks off, 2 an unknown way of packing, 3 a code that
        means nothing, 4 a copy from before the block, 5 more bytes than there may be.
    """
    size: cython.Py_ssize_t = block.shape[0]
    length: cython.Py_ssize_t = 0
    fault: cython.int = FINE
    if most < 0:
        raise ValueError("the size of a block cannot be negative")
    if size == 0:
        return b"", BROKEN_OFF
    mode: cython.int = block[0]
    if mode & ~(LZ | HUFFMAN):
        return b"", BAD_MODE
    if mode == 0:
        return (b"", TOO_LONG) if size - 1 > most else (bytes(block[1:]), FINE)
    symbols = cython.cast(cython.p_uchar, malloc(MOST_SYMBOLS))
    table = cython.cast(cython.pointer(uint16_t), malloc(CODES * 2))
    out = cython.cast(cython.p_uchar, malloc(max(most, MOST_SYMBOLS)))
    try:
        if symbols == cython.NULL or table == cython.NULL or out == cython.NULL:
            raise MemoryError("no memory to unpack a block")
        with cython.nogil:
            if mode == LZ:
                fault = undo_lz(cython.address(block[0]) + 1, size - 1, out, most, cython.address(length))
            elif mode == HUFFMAN:
                fault = undo_huffman(cython.address(block[0]) + 1, size - 1, table, out, cython.address(length))
                if length > most:
                    fault = TOO_LONG
            else:
                fault = undo_huffman(cython.address(block[0]) + 1, size - 1, table, symbols, cython.address(length))
                if fault == FINE:
                    fault = undo_lz(symbols, length, out, most, cython.address(length))
        return PyBytes_FromStringAndSize(cython.cast(cython.p_char, out), min(length, most)), fault
    finally:
        free(symbols)
        free(table)
        free(out)


# Huffman, undone.


def peek(bits, wanted):
    """Return the next bits without taking them, up to 16; behind the end there are zeros."""
    while bits.count < wanted:
        bits.held <<= 8
        if bits.place < bits.size:
            bits.held |= bits.data[bits.place]
        bits.place += 1
        bits.count += 8
    return cython.cast(cython.int, (bits.held >> (bits.count - wanted)) & ((1 << wanted) - 1))


def take(bits, wanted):
    value = peek(bits, wanted)
    bits.count -= wanted
    return value


def read_codes(bits, table):
    """Read the codes of all bytes into ``table``: by the next 15 bits the length and the byte, 0 for no code."""
    symbol: cython.int
    length: cython.int
    first: cython.int
    entry: cython.int
    memset(table, 0, CODES * 2)
    for symbol in range(SYMBOLS):
        length = take(bits, 4)
        if length == 0:
            continue
        first = take(bits, length) << (LONGEST_CODE - length)
        for entry in range(first, first + (1 << (LONGEST_CODE - length))):
            if table[entry]:
                return BAD_CODE  # one code is the beginning of another
            table[entry] = cython.cast(uint16_t, (length << 8) | symbol)
    return FINE


def undo_huffman(data, size, table, out, length):
    """Unpack into ``out``, which has room for 65,535 bytes; ``length`` is how many they are."""
    bits: Bits
    count: cython.Py_ssize_t
    done: cython.Py_ssize_t
    entry: cython.int
    length[0] = 0
    if size < 2:
        return BROKEN_OFF
    count = (data[0] << 8) | data[1]
    bits.data = data
    bits.size = size
    bits.place = 2
    bits.held = 0
    bits.count = 0
    if read_codes(cython.address(bits), table) != FINE:
        return BAD_CODE
    for done in range(count):
        entry = table[peek(cython.address(bits), LONGEST_CODE)]
        if entry == 0:
            return BAD_CODE
        bits.count -= entry >> 8
        if bits.place - bits.count // 8 > size:
            return BROKEN_OFF
        out[done] = entry & 0xFF
        length[0] = done + 1
    return BROKEN_OFF if bits.place - bits.count // 8 > size else FINE


# LZ, undone.


def undo_lz(data, size, out, most, length):
    """Unpack into ``out``, which has room for ``most`` bytes; ``length`` is how many they are."""
    place: cython.Py_ssize_t = 0
    mask: cython.int
    item: cython.int
    fault: cython.int
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
                fault = undo_command(data, size, cython.address(place), out, most, length)
                if fault != FINE:
                    return fault
            elif length[0] >= most:
                return TOO_LONG
            else:
                out[length[0]] = data[place]
                length[0] += 1
                place += 1
    return FINE


def undo_command(data, size, place, out, most, length):
    """Unpack a run or a copy."""
    command: cython.int = data[place[0]]
    high: cython.int = command >> 4
    low: cython.int = command & 15
    count: cython.Py_ssize_t
    offset: cython.Py_ssize_t
    index: cython.Py_ssize_t
    done: cython.Py_ssize_t = length[0]
    needed: cython.int = 3 if high == 1 or high == 2 else 2
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
        for index in range(count):  # byte by byte: a copy may run into what it makes
            out[done + index] = out[done + index - offset]
    length[0] = done + count
    return FINE
