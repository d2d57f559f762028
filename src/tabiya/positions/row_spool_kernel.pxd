from libc.stdint cimport int32_t, uint64_t

cdef void deal(const uint64_t* rows, Py_ssize_t count, Py_ssize_t width, int shift, uint64_t* out,
               int32_t* places, Py_ssize_t buckets) noexcept nogil
