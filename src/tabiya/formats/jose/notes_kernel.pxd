from libc.stdint cimport uint8_t

from tabiya.formats.jose.reading cimport Reader
from tabiya.game.annotations.commands cimport Command

# --- for other kernels ---

cdef void add_text(Reader* reader, const uint8_t* text, Py_ssize_t length) noexcept nogil
cdef void add_error(Reader* reader, const uint8_t* text, Py_ssize_t length, int reason) noexcept nogil
cdef void note_unknown(Reader* reader) noexcept nogil

# --- private to this kernel ---

# What became of a comment.
cdef enum:
    HAS_NO_COMMAND = 0     # that means anything
    IS_READ = 1
    IS_LEFT = 2            # to ``rich.py``

cdef void put_text(Reader* reader, const uint8_t* text, Py_ssize_t length) noexcept nogil
cdef int read_comment(Reader* reader, const uint8_t* text, Py_ssize_t length) noexcept nogil
cdef int read_commands(Reader* reader, const uint8_t* text, Py_ssize_t length) noexcept nogil
cdef bint obey(Reader* reader, const uint8_t* text, const Command* command, bint waits) noexcept nogil
cdef bint obey_text(Reader* reader, const uint8_t* text, const Command* command, bint waits) noexcept nogil
cdef bint obey_error(Reader* reader, const uint8_t* text, const Command* command) noexcept nogil
cdef bint obey_value(Reader* reader, const uint8_t* text, const Command* command) noexcept nogil
cdef void open_here(Reader* reader, int kind, int lang) noexcept nogil
cdef bint unescape(Reader* reader, const uint8_t* text, Py_ssize_t length) noexcept nogil
cdef void close_argument(Reader* reader) noexcept nogil
cdef void add_plain(Reader* reader, const uint8_t* text, Py_ssize_t length) noexcept nogil
cdef void remember_unknown(Reader* reader, const uint8_t* source, Py_ssize_t length) noexcept nogil
cdef void note_encoding(Reader* reader, int code) noexcept nogil
