from libc.stdint cimport int32_t

from tabiya.game.annotation_order cimport AnnotationOrder
from tabiya.game.annotations.composing cimport Composer, Group
from tabiya.game.batch_view cimport View

cdef int put_parts(
    Composer* composer, const Group* group, const int32_t* notes, Py_ssize_t count, bint symbols) noexcept nogil
cdef bint is_in_order(const View* view, const AnnotationOrder* order) noexcept nogil
cdef int put_part(Composer* composer, const Group* group, Py_ssize_t note, bint last) noexcept nogil
