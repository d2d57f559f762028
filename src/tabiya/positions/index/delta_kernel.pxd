from libc.stdint cimport int64_t, uint8_t, uint64_t

from tabiya.positions.index.emit_kernel cimport Row

# --- for other kernels ---

# Columns; ``layout.py`` has the same numbers.
cdef enum:
    KEY = 0
    GAME = 1
    PLY = 2
    MOVE = 3
    NUMBER = 4           # of a move on the tape
    COLUMNS = 5

cdef uint8_t* put_number(uint8_t* out, uint64_t number) noexcept nogil
cdef uint8_t* put_signed(uint8_t* out, int64_t number) noexcept nogil
cdef Py_ssize_t most_encoded(Py_ssize_t rows) noexcept nogil
cdef uint8_t* encode_values(const Row* rows, Py_ssize_t count, int column, uint8_t* out) noexcept nogil

# --- private to this kernel ---

# Parquet leaves these to the writer; all others that are known have chosen the same.
cdef enum:
    BLOCK = 128          # values with one least difference
    PART = 32            # values of the same number of bits
    PARTS = 4            # of a block
    MOST_BLOCK = 10 + 4 + 128 * 8
    MOST_HEAD = 2 + 1 + 10 + 10
    SPARE = 16           # bytes that may be read or written beyond a part
    LONGEST_PART = 256 + 16
    ONE_BEFORE_BLOCK = 129

# What decoding has come to.
ctypedef struct Page:
    const uint8_t* at
    const uint8_t* end
    Py_ssize_t left      # values
    int64_t last         # value
    int64_t low          # least difference of the block
    uint8_t widths[4]
    int part             # of the block that comes next
    bint begun

cdef void take_values(const Row* rows, Py_ssize_t count, int column, int64_t* values) noexcept nogil
cdef int width_of(uint64_t number) noexcept nogil
cdef uint8_t* pack_part(const uint64_t* differences, int width, uint8_t* out) noexcept nogil
cdef uint8_t* encode_block(const int64_t* values, Py_ssize_t count, uint8_t* out) noexcept nogil

cdef bint get_number(Page* page, uint64_t* number) noexcept nogil
cdef bint open_page(Page* page, const uint8_t* data, Py_ssize_t size, Py_ssize_t count) noexcept nogil
cdef void unpack_part(const uint8_t* data, int width, uint64_t low, uint64_t last, int64_t* values) noexcept nogil
cdef Py_ssize_t next_values(Page* page, int64_t* values) noexcept nogil
cdef bint in_range(const int64_t* values, Py_ssize_t count, int column) noexcept nogil
cdef void put_values(const int64_t* values, Py_ssize_t count, int column, uint8_t* out) noexcept nogil
cdef void add_to_rows(const int64_t* values, Py_ssize_t count, int column, Row* rows) noexcept nogil
