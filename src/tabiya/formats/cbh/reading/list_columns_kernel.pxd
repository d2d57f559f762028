from libc.stdint cimport int32_t, int64_t, uint8_t

# A column of texts, and which of them each record has.
ctypedef struct Source:
    const int64_t* places   # by record: the number of its text, negative for none
    const uint8_t* valid    # a bit per text, NULL if all are there
    Py_ssize_t first_bit
    const int32_t* ends     # where texts begin and end in ``letters``
    Py_ssize_t texts        # how many there are
    const char* letters
    Py_ssize_t size         # of ``letters``

cdef int open_source(Source* source, Py_ssize_t records, tuple column) except -1
cdef bint has_text(const Source* source, Py_ssize_t record) noexcept nogil
cdef void measure(const Source* sources, Py_ssize_t count, Py_ssize_t records, int64_t* members, int64_t* size) noexcept nogil
cdef void fill(
    const Source* sources, Py_ssize_t count, Py_ssize_t records, int32_t* lists, int32_t* owners, int32_t* ends, char* letters
) noexcept nogil
cdef int check_members(const int32_t[::1] codes, const int32_t[::1] lists, const uint8_t[::1] marks) except -1
