from libc.stdint cimport uint8_t, uint32_t, uint64_t

# --- for other kernels ---

cdef enum:
    SLOTS = 4096  # of a table of places: larger ones find little more and leave the fastest cache

cdef Py_ssize_t most_packed(Py_ssize_t size) noexcept nogil
cdef Py_ssize_t pack(const uint8_t* data, Py_ssize_t size, uint8_t* out, uint32_t* table) noexcept nogil
cdef uint32_t checksum(const uint8_t* data, Py_ssize_t size) noexcept nogil

# --- private to this kernel ---

cdef enum:
    LEAST_MATCH = 4
    MOST_OFFSET = 65535
    LAST_LETTERS = 5     # a block ends with so many bytes that are no match,
    LAST_MATCH = 12      # and no match begins so near to its end
    LONG = 15            # and more is told in bytes of its own
    PATIENCE = 6         # every 64 misses the steps become longer by one

cdef uint32_t CHECKSUMS[8][256]

cdef void fill_checksums() noexcept nogil
cdef uint32_t slot_of(const uint8_t* data) noexcept nogil
cdef bint is_match(const uint8_t* one, const uint8_t* two) noexcept nogil
cdef Py_ssize_t match_length(const uint8_t* one, const uint8_t* two, const uint8_t* end) noexcept nogil
cdef uint8_t* put_length(uint8_t* out, Py_ssize_t length) noexcept nogil
cdef uint8_t* put_letters(uint8_t* out, const uint8_t* letters, Py_ssize_t count) noexcept nogil
