from libc.stdint cimport uint64_t

from tabiya.positions.index.emit_kernel cimport Row

# --- private to this kernel ---

cdef enum:
    SHORT = 24          # rows that are sorted one by one
    LEAST_PARTS = 1 << 4
    MOST_PARTS = 1 << 20

cdef int shift_for(uint64_t span, Py_ssize_t parts) noexcept nogil
cdef bint comes_before(const Row* row, const Row* other) noexcept nogil
cdef void sort_few(Row* rows, Py_ssize_t count) noexcept nogil
cdef void sort_stretch(Row* rows, Row* spare, Py_ssize_t count) noexcept nogil
cdef void deal_out(const Row* rows, Py_ssize_t count, Row* out, uint64_t least, int shift, Py_ssize_t* ends,
                   Py_ssize_t parts) noexcept nogil
cdef void merge_stretches(const Row* one, Py_ssize_t first, const Row* two, Py_ssize_t second, Row* out) noexcept nogil
cdef Py_ssize_t without_repeats(Row* rows, Py_ssize_t count) noexcept nogil
