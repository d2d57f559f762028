from libc.stdint cimport uint8_t, uint16_t, uint64_t

# --- for other kernels ---

cdef enum:
    # Ways of packing.
    LZ = 1
    HUFFMAN = 2
    # What may be wrong with a block, as the door reports it.
    FINE = 0
    BROKEN_OFF = 1
    BAD_MODE = 2
    BAD_CODE = 3
    BAD_COPY = 4
    TOO_LONG = 5
    # The numbers of the format.
    SYMBOLS = 256
    LONGEST_CODE = 15
    NEAREST = 3

# --- private to this kernel ---

# A stream of bits, highest first.
cdef struct Bits:
    const uint8_t* data
    Py_ssize_t size
    Py_ssize_t place
    uint64_t held
    int count

cdef int peek(Bits* bits, int wanted) noexcept nogil
cdef int take(Bits* bits, int wanted) noexcept nogil
cdef int read_codes(Bits* bits, uint16_t* table) noexcept nogil
cdef int undo_huffman(
    const uint8_t* data, Py_ssize_t size, uint16_t* table, uint8_t* out, Py_ssize_t* length
) noexcept nogil
cdef int undo_lz(const uint8_t* data, Py_ssize_t size, uint8_t* out, Py_ssize_t most, Py_ssize_t* length) noexcept nogil
cdef int undo_command(
    const uint8_t* data, Py_ssize_t size, Py_ssize_t* place, uint8_t* out, Py_ssize_t most, Py_ssize_t* length
) noexcept nogil
