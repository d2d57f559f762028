from libc.stdint cimport uint8_t

from tabiya.game.annotations.comment_reading cimport CommentReader

cdef int read_commands(
    CommentReader* reader, const uint8_t* text, Py_ssize_t length, bint* waiting) noexcept nogil
cdef void open_here(CommentReader* reader, int kind, int lang) noexcept nogil
cdef void note_unknown(CommentReader* reader) noexcept nogil
