from libc.stdint cimport uint8_t

from tabiya.formats.pgn.writing cimport Writer
from tabiya.game.batch_view cimport View

cdef bint write_value(Writer* writer, Py_ssize_t annotation) noexcept nogil
cdef bint can_write(const View* view, Py_ssize_t annotation) noexcept nogil

cdef void write_marks(Writer* writer, Py_ssize_t annotation) noexcept nogil
cdef bint any_mark(const View* view, Py_ssize_t annotation) noexcept nogil
cdef bint fits_spelling(const View* view, Py_ssize_t annotation) noexcept nogil
cdef int spelling_of(const View* view, Py_ssize_t annotation, bint plain, uint8_t* out) noexcept nogil
cdef bint is_black(Writer* writer, Py_ssize_t annotation) noexcept nogil
