from libc.stdint cimport uint8_t

cdef enum:
    RAW_CODE = 0x8000
    STATISTIC_COUNT = 9
    MARK_COUNT = 3
    MAX_LISTED = 127         # moves of a record
    LARGEST_24 = 0xffffff

cdef int listed_at(const uint8_t* block, int count, int code) noexcept nogil
