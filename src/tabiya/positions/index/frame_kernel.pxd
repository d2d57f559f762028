from libc.stdint cimport int64_t, uint8_t, uint32_t

from tabiya.positions.index.emit_kernel cimport Row

# --- private to this kernel ---

cdef enum:
    MOST_NUMBER = 10     # bytes of 64 bits, seven a byte
    MOST_PAGE_HEAD = 64  # five numbers of at most five bytes, and what stands around them

# Memory for a page under way.
ctypedef struct Room:
    uint8_t* plain
    uint8_t* packed
    uint32_t* table

# What is told of a page beside its bytes.
ctypedef struct Sizes:
    int64_t head
    int64_t stored
    int64_t plain

cdef uint8_t* put_field(uint8_t* out, int64_t value) noexcept nogil
cdef uint8_t* put_head(uint8_t* out, Py_ssize_t rows, const Sizes* sizes, const int64_t* crc32) noexcept nogil
cdef uint8_t* put_page(uint8_t* out, const Row* rows, Py_ssize_t count, int column, bint is_packed, const Room* room,
                       Sizes* sizes) noexcept nogil
cdef Py_ssize_t most_stored(Py_ssize_t rows) noexcept nogil
