from libc.stdint cimport int32_t, int64_t, uint64_t

# A row as ``rows_kernel`` writes it: key; move, outcome and place; the key that follows; the ratings.
cdef enum:
    KEY = 0
    WHAT = 1
    FOLLOWING = 2
    RATINGS = 3

# What all games with a move in a position add up to; ``SUM`` in ``position_sums.py`` is the same.
ctypedef struct Sum:
    uint64_t key
    uint64_t move
    uint64_t following
    uint64_t place
    int64_t games
    int64_t wins
    int64_t losses
    int64_t draws
    int64_t rating_sum
    int64_t rated
    int64_t opponents_sum
    int64_t opponents_rated

cdef enum:
    SUM_WORDS = 12

cdef Py_ssize_t slot_of(const Sum* sums, const int32_t* slots, int shift, Py_ssize_t last, uint64_t key,
                        uint64_t move, uint64_t seed) noexcept nogil
cdef void add_row(Sum* entry, const uint64_t* row, Py_ssize_t width) noexcept nogil
cdef int check_table(uint64_t[:, ::1] sums, Py_ssize_t count, int32_t[::1] slots) except -1
