from libc.stdint cimport uint8_t

from tabiya.formats.scid.games.writing cimport Writer
from tabiya.game.annotations.composing cimport Group
from tabiya.game.batch_view cimport View

# --- for other kernels ---

cdef int write_opening(Writer* writer) noexcept nogil
cdef int write_annotations(Writer* writer, int move, int side) noexcept nogil

# --- private to this kernel ---

cdef void gather(Writer* writer, int move, int side) noexcept nogil
cdef int write_group(Writer* writer, const Group* group) noexcept nogil
cdef bint is_plain(const Writer* writer, const Group* group, Py_ssize_t note) noexcept nogil
cdef bint has_value(const Writer* writer) noexcept nogil
cdef void write_comment(Writer* writer, const uint8_t* text, Py_ssize_t length) noexcept nogil
cdef bint has_bracket(const uint8_t* text, Py_ssize_t length) noexcept nogil
cdef int write_nags(Writer* writer, Py_ssize_t note) noexcept nogil
cdef int nag_at(const View* view, Py_ssize_t note, Py_ssize_t index) noexcept nogil
cdef void put_nag(Writer* writer, int nag) noexcept nogil
cdef int nag_group(int nag) noexcept nogil
