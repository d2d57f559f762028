from libc.stdint cimport int32_t, uint8_t

from tabiya.formats.pgn.reader cimport Reader

# Where a stretch of text ends that is not interpreted.
ctypedef struct Stop:
    Py_ssize_t place
    bint closed         # at the ")" that ends the line
    bint comment_open   # a comment was still open there

# Letters of a comment that mean more than themselves.
cdef enum:
    COMMENT_END = 1
    COMMENT_BREAK = 2
    COMMENT_BRACKET = 4

cdef uint8_t COMMENT_LETTERS[256]

cdef void flush_nags(Reader* reader) noexcept nogil
cdef void add_text(Reader* reader, const uint8_t* text, Py_ssize_t length, int language) noexcept nogil
cdef void add_unreadable(Reader* reader, Py_ssize_t begin, Stop stop, int move, int side, int reason) noexcept nogil
cdef void settle_pending(Reader* reader, int move, bint late) noexcept nogil
cdef bint leave_for_detour(Reader* reader) noexcept nogil
cdef void open_line(Reader* reader, Py_ssize_t opened, Py_ssize_t resume) noexcept nogil
cdef void close_line(Reader* reader) noexcept nogil
cdef bint close_all_lines(Reader* reader) noexcept nogil
cdef void fail_line(Reader* reader, Py_ssize_t begin, Py_ssize_t end, int reason) noexcept nogil
cdef void play(Reader* reader, int move) noexcept nogil
cdef Py_ssize_t comment_end(Reader* reader, Py_ssize_t place, bint* closed, int* found) noexcept nogil
cdef Py_ssize_t result_length(const uint8_t* text, Py_ssize_t place, Py_ssize_t end) noexcept nogil

cdef Stop skip_line(Reader* reader, Py_ssize_t begin) noexcept nogil

cdef void adopt(Reader* reader, Py_ssize_t pending) noexcept nogil
cdef void mark_order(Reader* reader, int move) noexcept nogil
cdef void pop_line(Reader* reader) noexcept nogil
cdef void cut_back(Reader* reader) noexcept nogil
cdef bint postpone(Reader* reader, Py_ssize_t begin, Py_ssize_t end) noexcept nogil
