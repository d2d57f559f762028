from libc.stdint cimport uint8_t

from tabiya.formats.jose.writing cimport Group, Writer

# --- for other kernels ---

cdef int put_part(Writer* writer, const Group* group, Py_ssize_t note, bint last) noexcept nogil
cdef void put_letters(Writer* writer, const uint8_t* letters, Py_ssize_t length) noexcept nogil

# --- private to this kernel ---

cdef void put_words(Writer* writer, const uint8_t* words, Py_ssize_t length, bint last) noexcept nogil
cdef int put_text(Writer* writer, const Group* group, Py_ssize_t note, bint last) noexcept nogil
cdef int put_error(Writer* writer, const Group* group, Py_ssize_t note) noexcept nogil
cdef int put_value(Writer* writer, const Group* group, Py_ssize_t note) noexcept nogil
cdef void put_common_value(Writer* writer, Py_ssize_t note, bint black) noexcept nogil
cdef void open_command(Writer* writer, const char* name, int language) noexcept nogil
cdef bint is_bare(const uint8_t* text, Py_ssize_t length) noexcept nogil
cdef bint has_meaning(const Writer* writer, const uint8_t* text, Py_ssize_t length) noexcept nogil
