from libc.stdint cimport uint8_t

from tabiya.formats.pgn.reader cimport Reader

# --- for other kernels ---

cdef void read_all(Reader* reader) noexcept nogil

# --- private to this kernel ---

cdef enum:
    NOT_FAR = 256

# What a letter can begin, for the tight loop over plain moves.
cdef enum:
    CLASS_OTHER = 0
    CLASS_BLANK = 1   # blanks, line breaks and the dots behind move numbers
    CLASS_DIGIT = 2
    CLASS_SYMBOL = 3  # letters and whatever else a move is made of

cdef uint8_t CLASSES[256]

cdef void read_plain_moves(Reader* reader) noexcept nogil
cdef bint read_token(Reader* reader) noexcept nogil
cdef bint need_moves(Reader* reader) noexcept nogil
cdef void begin_moves(Reader* reader) noexcept nogil
cdef void end_game(Reader* reader) noexcept nogil
cdef void read_opaque(Reader* reader) noexcept nogil
cdef void read_bracket(Reader* reader) noexcept nogil
cdef void read_number(Reader* reader) noexcept nogil
cdef void read_result(Reader* reader, Py_ssize_t length) noexcept nogil
cdef void read_move(Reader* reader) noexcept nogil
cdef bint leave_for_detour_due(Reader* reader) noexcept nogil
cdef bint after_empty_line(const uint8_t* text, Py_ssize_t place) noexcept nogil
cdef bint set_up(Reader* reader) noexcept nogil
cdef bint too_deep(Reader* reader) noexcept nogil
cdef bint closes_soon(Reader* reader, Py_ssize_t begin) noexcept nogil
