from tabiya.formats.jose.writing cimport Writer

cdef int write_annotations(Writer* writer, int move, int side) noexcept nogil
cdef bint has_late(Writer* writer, int move) noexcept nogil
cdef bint has_game_texts(Writer* writer) noexcept nogil

cdef int write_annotation(Writer* writer, Py_ssize_t index, int side) noexcept nogil
cdef bint fits_here(Writer* writer, Py_ssize_t index, int side) noexcept nogil
cdef int write_nags(Writer* writer, Py_ssize_t index) noexcept nogil
cdef int write_nag(Writer* writer, int nag) noexcept nogil
cdef int write_text(Writer* writer, Py_ssize_t index, int code) noexcept nogil
