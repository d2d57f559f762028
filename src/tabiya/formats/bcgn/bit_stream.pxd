# Numbers of any width, the highest bit first: the movetext of level 2.

from libc.stdint cimport uint8_t, uint32_t

ctypedef struct BitReader:
    const uint8_t* data
    Py_ssize_t size       # bytes
    Py_ssize_t place      # in bits

ctypedef struct BitWriter:
    uint8_t* data         # large enough for all that is written
    Py_ssize_t size       # whole bytes written
    uint32_t rest         # bits that do not yet fill a byte
    int count             # their number


cdef inline int read_bits(BitReader* bits, int width) noexcept nogil:
    """Return the next number of at most 16 bits; -1 if the bytes end before it does."""
    cdef uint32_t window = 0
    cdef Py_ssize_t byte = bits.place >> 3
    cdef int index
    if bits.place + width > 8 * bits.size:
        return -1
    for index in range(3):
        window = window << 8 | (bits.data[byte + index] if byte + index < bits.size else 0)
    window = window >> (24 - width - <int> (bits.place & 7)) & ((<uint32_t> 1 << width) - 1)
    bits.place += width
    return <int> window


cdef inline void write_bits(BitWriter* bits, int value, int width) noexcept nogil:
    bits.rest = bits.rest << width | <uint32_t> value
    bits.count += width
    while bits.count >= 8:
        bits.count -= 8
        bits.data[bits.size] = bits.rest >> bits.count & 255
        bits.size += 1


cdef inline void write_bytes(BitWriter* bits, int value, bint wide) noexcept nogil:
    """Append one byte or, high byte first, two, where only bytes are written."""
    if wide:
        bits.data[bits.size] = value >> 8 & 255
        bits.size += 1
    bits.data[bits.size] = value & 255
    bits.size += 1


cdef inline void end_bits(BitWriter* bits) noexcept nogil:
    """Pad the last byte with zeros."""
    if bits.count:
        write_bits(bits, 0, 8 - bits.count)
