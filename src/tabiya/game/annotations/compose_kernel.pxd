from tabiya.game.annotation_order cimport AnnotationOrder
from tabiya.game.annotations.composing cimport Composer, Group
from tabiya.game.batch_view cimport View

cdef int open_composer(
    Composer* composer, const View* view, bint loose, bytes commands, bytes places, bytes languages) except -1
cdef void free_composer(Composer* composer) noexcept nogil
cdef int put_parts(Composer* composer, const Group* group, bint symbols) noexcept nogil
cdef int put_part(Composer* composer, const Group* group, Py_ssize_t note, bint last) noexcept nogil
cdef bint is_storable(const View* view, Py_ssize_t note) noexcept nogil
cdef bint is_plain_text(const View* view, int side, Py_ssize_t note) noexcept nogil
cdef bint is_read_back(const Composer* composer, const AnnotationOrder* order) noexcept nogil
