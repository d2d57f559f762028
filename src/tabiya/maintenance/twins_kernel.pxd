from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint64_t

# --- private to this kernel ---

cdef extern from *:
    """
    #define TABIYA_GOLDEN_RATIO ((uint64_t)0x9E3779B97F4A7C15ULL)
    #define TABIYA_FIRST_STIR ((uint64_t)0xFF51AFD7ED558CCDULL)
    #define TABIYA_SECOND_STIR ((uint64_t)0xC4CEB9FE1A85EC53ULL)
    """
    const uint64_t GOLDEN_RATIO "TABIYA_GOLDEN_RATIO"
    const uint64_t FIRST_STIR "TABIYA_FIRST_STIR"
    const uint64_t SECOND_STIR "TABIYA_SECOND_STIR"

cdef struct KeyTable:
    const uint64_t* keys
    const int32_t* slots
    const uint8_t* marks
    uint64_t size
    uint64_t bits

cdef struct Games:
    const int32_t* runs
    const int32_t* white
    const int32_t* black
    const int32_t* first_days
    const int32_t* last_days
    const uint64_t* given
    const uint64_t* links
    Py_ssize_t link_count
    int slack
    const int32_t* hosts
    const int32_t* ids
    const int64_t* moments
    const uint8_t* winners

cdef uint64_t stirred(uint64_t value) noexcept nogil
cdef uint64_t mixed(uint64_t code, uint64_t value) noexcept nogil
cdef uint64_t advanced(uint64_t code, uint64_t move) noexcept nogil
cdef void check_ends(const uint16_t[::1] moves, const int64_t[::1] ends, Py_ssize_t records) except *
cdef void check_table(const uint64_t[::1] keys, const int32_t[::1] slots, const uint8_t[::1] marks) except *
cdef int looked_up(const KeyTable* table, uint64_t key) noexcept nogil
cdef bint words_match(uint64_t one, uint64_t other) noexcept nogil
cdef bint names_match(const uint64_t* one, const uint64_t* other) noexcept nogil
cdef bint are_linked(const uint64_t* links, Py_ssize_t count, int one, int other) noexcept nogil
cdef bint same_person(const Games* games, int one, int other) noexcept nogil
cdef bint contradict(const Games* games, Py_ssize_t one, Py_ssize_t other) noexcept nogil
cdef bint are_twins(const Games* games, Py_ssize_t one, Py_ssize_t other) noexcept nogil
