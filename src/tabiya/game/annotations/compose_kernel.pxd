from libc.stdint cimport int32_t, uint8_t

from tabiya.game.annotation_order cimport AnnotationOrder
from tabiya.game.annotations.composing cimport Composer, Group
from tabiya.game.batch_view cimport View

# --- for other kernels ---

cdef int put_parts(
    Composer* composer, const Group* group, const int32_t* notes, Py_ssize_t count, bint symbols) noexcept nogil
cdef bint is_in_order(const View* view, const AnnotationOrder* order) noexcept nogil
cdef int put_part(Composer* composer, const Group* group, Py_ssize_t note, bint last) noexcept nogil
cdef void put_letters(Composer* composer, const uint8_t* letters, Py_ssize_t length) noexcept nogil

# --- private to this kernel ---

cdef int place_of(const Composer* composer, Py_ssize_t note) noexcept nogil
cdef void put_words(Composer* composer, const uint8_t* words, Py_ssize_t length, bint last) noexcept nogil
cdef int put_text(Composer* composer, const Group* group, Py_ssize_t note, bint last) noexcept nogil
cdef int put_error(Composer* composer, const Group* group, Py_ssize_t note) noexcept nogil
cdef int put_value(Composer* composer, const Group* group, Py_ssize_t note) noexcept nogil
cdef void put_common_value(Composer* composer, Py_ssize_t note, bint black) noexcept nogil
cdef void open_command(Composer* composer, const char* name, int language) noexcept nogil
cdef bint is_bare(const uint8_t* text, Py_ssize_t length) noexcept nogil
cdef bint has_meaning(const Composer* composer, const uint8_t* text, Py_ssize_t length) noexcept nogil
