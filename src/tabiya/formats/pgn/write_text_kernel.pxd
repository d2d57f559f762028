from libc.stdint cimport uint8_t

from tabiya.formats.pgn.writing cimport Writer

cdef bint write_text(Writer* writer, Py_ssize_t annotation, bint fits) noexcept nogil
cdef bint write_unreadable(Writer* writer, Py_ssize_t annotation) noexcept nogil
cdef bint write_rendered(Writer* writer, Py_ssize_t annotation) noexcept nogil
cdef void begin_part(Writer* writer, Py_ssize_t letters) noexcept nogil
cdef void close_comment(Writer* writer) noexcept nogil
cdef Py_ssize_t word_letters(const uint8_t* text, Py_ssize_t place, Py_ssize_t length) noexcept nogil
cdef void put_plain(Writer* writer, const uint8_t* text, Py_ssize_t length) noexcept nogil
