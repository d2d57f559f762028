from tabiya.formats.pgn.writing cimport Writer
from tabiya.game.batch_view cimport View

# --- for other kernels ---

cdef bint write_value(Writer* writer, Py_ssize_t annotation) noexcept nogil

# --- private to this kernel ---

cdef bint write_form(Writer* writer, Py_ssize_t annotation) noexcept nogil
cdef void write_marks(Writer* writer, Py_ssize_t annotation) noexcept nogil
cdef bint any_mark(const View* view, Py_ssize_t annotation) noexcept nogil
cdef bint is_black(Writer* writer, Py_ssize_t annotation) noexcept nogil
