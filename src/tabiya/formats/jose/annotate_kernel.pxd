from libc.stdint cimport uint8_t

from tabiya.formats.jose.writing cimport Writer
from tabiya.game.annotations.composing cimport Group
from tabiya.game.batch_view cimport View

# --- for other kernels ---

cdef int write_annotations(Writer* writer, int move, int side) noexcept nogil
cdef int write_about(Writer* writer) noexcept nogil
cdef int write_behind_result(Writer* writer) noexcept nogil

# --- private to this kernel ---

# Which of the annotations on one side of a move.
cdef enum:
    ALL = 0
    NO_RESTS = 1
    RESTS = 2
    NOT_LATE = 3            # on both other sides

cdef void gather(Writer* writer, int move, int side, int which) noexcept nogil
cdef int write_late(Writer* writer, int move) noexcept nogil
cdef int write_group(Writer* writer, const Group* group) noexcept nogil
cdef int compose(Writer* writer, const Group* group) noexcept nogil
cdef void write_comment(Writer* writer) noexcept nogil
cdef void write_text(Writer* writer, int code, const uint8_t* text, Py_ssize_t length) noexcept nogil

cdef bint is_rest(const View* view, Py_ssize_t note) noexcept nogil
cdef bint is_error(const View* view, Py_ssize_t note) noexcept nogil
cdef bint is_storable(const View* view, Py_ssize_t note) noexcept nogil
cdef bint is_plain(const Writer* writer, const Group* group, Py_ssize_t note) noexcept nogil
cdef void write_plain(Writer* writer, Py_ssize_t note) noexcept nogil
cdef bint has_codes(const View* view, Py_ssize_t note) noexcept nogil
cdef void write_nags(Writer* writer, Py_ssize_t note) noexcept nogil
