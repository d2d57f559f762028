from libc.stdint cimport int64_t, uint8_t, uint16_t, uint32_t

cdef enum:
    MAX_DEPTH = 32
    STACK_SIZE = 34    # a node waits at every depth

# What merging has lost.
ctypedef struct Merged:
    int64_t moves          # beyond the 127th
    int64_t numbers        # positions with sums that are too large

# A node of the tree that is still to be looked at: records with the same ``depth`` low bits of the hash.
ctypedef struct Node:
    int64_t begin
    int64_t end
    int64_t bits
    int depth

cdef int compare_records(const uint8_t* one, const uint8_t* other) noexcept nogil
cdef void sort_group(const uint8_t* data, const int64_t* starts, int64_t* order, int64_t count) noexcept nogil
cdef uint32_t capped_sum(uint32_t one, uint32_t other, uint32_t largest, bint* capped) noexcept nogil
cdef void merge_statistics(uint8_t* one, const uint8_t* other, bint largest, Merged* merged) noexcept nogil
cdef int merge_record(uint8_t* record, const uint8_t* other, bint largest, Merged* merged) noexcept nogil
cdef int64_t first_set(const uint32_t* keys, const Node* node) noexcept nogil
