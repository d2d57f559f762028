from libc.stdint cimport int64_t, uint64_t

from tabiya.positions.index.emit_kernel cimport Row

# --- private to this kernel ---

cdef enum:
    SHORT = 24          # rows that are sorted one by one
    LEAST_PARTS = 1 << 4
    MOST_PARTS = 1 << 20

# The rows of a range, in all runs.
ctypedef struct Some:
    const Row* rows
    const int64_t* places  # of the first run: where the range begins, then where it ends
    Py_ssize_t step        # from there to the places of the next run
    Py_ssize_t runs

# What rows are dealt out to, by their keys.
ctypedef struct Parts:
    Py_ssize_t count
    uint64_t least
    int shift              # low bits of a key that do not count
    Py_ssize_t* ends

cdef int shift_for(uint64_t span, Py_ssize_t parts) noexcept nogil
cdef bint comes_before(const Row* row, const Row* other) noexcept nogil
cdef void sort_few(Row* rows, Py_ssize_t count) noexcept nogil
cdef void sort_stretch(Row* rows, Row* spare, Py_ssize_t count) noexcept nogil
cdef Py_ssize_t parts_for(Py_ssize_t count) noexcept nogil
cdef void choose_parts(const Some* some, Parts* parts) noexcept nogil
cdef void deal_out(const Some* some, Parts* parts, Row* out) noexcept nogil
cdef Py_ssize_t sort_range(const Some* some, Parts* parts, Row* spare, Row* out) noexcept nogil
cdef void merge_stretches(const Row* one, Py_ssize_t first, const Row* two, Py_ssize_t second, Row* out) noexcept nogil
cdef Py_ssize_t without_repeats(Row* rows, Py_ssize_t count) noexcept nogil
