from tabiya.formats.jose.writing cimport Writer
from tabiya.game.batch_view cimport View
from tabiya.game.growing cimport Bytes

# --- for other kernels ---

cdef int write_annotations(Writer* writer, int move, int side) noexcept nogil

# --- private to this kernel ---

cdef int write_annotation(Writer* writer, Py_ssize_t index, int side) noexcept nogil
cdef bint fits_here(Writer* writer, Py_ssize_t index, int side) noexcept nogil
cdef int write_nags(Writer* writer, Py_ssize_t index) noexcept nogil
cdef int write_nag(Writer* writer, int nag) noexcept nogil
cdef int write_text(Writer* writer, Py_ssize_t index, int code) noexcept nogil
cdef int group_of(int kind) noexcept nogil
cdef bint has_values(const Writer* writer, int move) noexcept nogil
cdef int write_values(Writer* writer, int move) noexcept nogil
cdef bint is_exact(const View* view, Py_ssize_t note) noexcept nogil
cdef bint is_plain_text(const View* view, Py_ssize_t note) noexcept nogil
cdef void write_value(Writer* writer, Bytes* out, Py_ssize_t note) noexcept nogil
cdef void put_letters(Writer* writer, Bytes* out, const char* letters, Py_ssize_t length) noexcept nogil
