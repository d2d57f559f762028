from libc.stdint cimport uint8_t

from tabiya.formats.pgn.reader cimport Reader
from tabiya.game.annotations.commands cimport Command

# --- for other kernels ---

cdef enum:
    KIND_COMMENT = 0xFFFF   # a whole comment for ``comments.py``; never leaves the room of PGN
    KIND_NEXT_MOVE = 0xFFFE  # where a text before the next move, in a comment of the same number, belongs

cdef void read_text(Reader* reader, const uint8_t* text, Py_ssize_t length) noexcept nogil

# --- private to this kernel ---

# How a comment stands that is left to ``comments.py``; kept in ``lang`` of the annotation.
cdef enum:
    COMMENT_OF_BLACK = 1    # at a move of Black
    COMMENT_OF_GAME = 2     # before the first move of the game: values are about the whole game
    COMMENT_WAITS = 4       # stood before a move, if one came: so do texts before the next move in it

cdef void add_stripped(Reader* reader, const uint8_t* text, Py_ssize_t length) noexcept nogil
cdef bint read_commands(Reader* reader, const uint8_t* text, Py_ssize_t length, Py_ssize_t place) noexcept nogil
cdef void leave_comment(Reader* reader, const uint8_t* text, Py_ssize_t length) noexcept nogil
cdef bint is_black(Reader* reader) noexcept nogil
cdef bint obey_text(Reader* reader, const uint8_t* text, Command command) noexcept nogil
cdef bint obey_error(Reader* reader, const uint8_t* text, Command command) noexcept nogil
cdef bint obey_value(Reader* reader, const uint8_t* text, Command command) noexcept nogil
cdef const uint8_t* without_blanks(Reader* reader, const uint8_t* text, Py_ssize_t* length) noexcept nogil
cdef void unescape(Reader* reader, const uint8_t* text, Py_ssize_t length) noexcept nogil
