from libc.stdint cimport int64_t, uint8_t

# A stretch of the file that entries are looked for in.
ctypedef struct Stretch:
    const uint8_t* data
    Py_ssize_t size
    int level
    bint headerless
    bint final          # nothing follows in the file
    Py_ssize_t sound    # a place where a sound entry is known to stand, -1 if there is none
    Py_ssize_t followed # all entries that begin before have the length that they say
    bint barren         # it is known that no sound entry follows: damage must not be searched twice

# What ``next_entry`` answers instead of an end.
cdef enum:
    MORE_NEEDED = -1

# What may stand at a place.
cdef enum:
    NO_ENTRY = 0
    AGREE = 1
    SOUND = 2

cdef int judge(const Stretch* stretch, Py_ssize_t begin) noexcept nogil
cdef Py_ssize_t skip_strings(const uint8_t* entry, Py_ssize_t length, Py_ssize_t place, int count) noexcept nogil
cdef Py_ssize_t header_end(const uint8_t* entry, Py_ssize_t length) noexcept nogil
cdef bint fits_moves(const Stretch* stretch, int plies, Py_ssize_t length) noexcept nogil
cdef bint leads_on(const Stretch* stretch, Py_ssize_t begin) noexcept nogil
cdef bint follow(Stretch* stretch, Py_ssize_t begin) noexcept nogil
cdef Py_ssize_t sound_end(const Stretch* stretch, Py_ssize_t begin) noexcept nogil
cdef Py_ssize_t next_entry(Stretch* stretch, Py_ssize_t begin) noexcept nogil
