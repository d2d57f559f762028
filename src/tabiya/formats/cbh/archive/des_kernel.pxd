from libc.stdint cimport uint8_t, uint32_t, uint64_t

cdef enum:
    BLOCK = 8
    ROUNDS = 16

cdef uint64_t permuted(uint64_t value, const uint64_t* table) noexcept nogil
cdef uint32_t mixed(uint32_t half, const uint8_t* round_key, const uint32_t* boxes) noexcept nogil
cdef uint64_t crypt_block(
    uint64_t value, const uint8_t* keys, const uint64_t* initial, const uint64_t* final, const uint32_t* boxes
) noexcept nogil
