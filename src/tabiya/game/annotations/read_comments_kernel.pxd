from libc.stdint cimport uint8_t

from tabiya.game.annotations.commands cimport Command
from tabiya.game.annotations.comment_reading cimport CommentReader

# --- for other kernels ---

cdef int read_commands(
    CommentReader* reader, const uint8_t* text, Py_ssize_t length, bint* waiting) noexcept nogil
cdef void open_here(CommentReader* reader, int kind, int lang) noexcept nogil
cdef void note_unknown(CommentReader* reader) noexcept nogil

# --- private to this kernel ---

cdef bint obey(
    CommentReader* reader, const uint8_t* text, const Command* command, bint waits, bint* waiting) noexcept nogil
cdef bint obey_text(
    CommentReader* reader, const uint8_t* text, const Command* command, bint waits, bint* waiting) noexcept nogil
cdef bint obey_error(CommentReader* reader, const uint8_t* text, const Command* command) noexcept nogil
cdef bint obey_value(CommentReader* reader, const uint8_t* text, const Command* command) noexcept nogil
cdef bint unescape(CommentReader* reader, const uint8_t* text, Py_ssize_t length) noexcept nogil
cdef void close_argument(CommentReader* reader) noexcept nogil
cdef void add_plain(CommentReader* reader, const uint8_t* text, Py_ssize_t length) noexcept nogil
cdef void remember_unknown(CommentReader* reader, const uint8_t* source, Py_ssize_t length) noexcept nogil
