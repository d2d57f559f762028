from libc.stdint cimport int32_t, uint8_t

from tabiya.formats.pgn.reader cimport Reader
from tabiya.formats.pgn.skip_kernel cimport Stop

cdef void flush_nags(Reader* reader) noexcept nogil
cdef void add_text(Reader* reader, const uint8_t* text, Py_ssize_t length, int language) noexcept nogil
cdef void open_text(Reader* reader, int language) noexcept nogil
cdef void open_value(Reader* reader, int kind) noexcept nogil
cdef void add_unreadable(Reader* reader, Py_ssize_t begin, Stop stop, int move, int side, int reason) noexcept nogil
cdef void settle_pending(Reader* reader, int move, bint late) noexcept nogil
cdef bint leave_for_detour(Reader* reader) noexcept nogil
cdef void open_line(Reader* reader, Py_ssize_t opened, Py_ssize_t resume) noexcept nogil
cdef void close_line(Reader* reader) noexcept nogil
cdef bint close_all_lines(Reader* reader) noexcept nogil
cdef void fail_line(Reader* reader, Py_ssize_t begin, Py_ssize_t end, int reason) noexcept nogil
cdef void play(Reader* reader, int move) noexcept nogil


cdef void dissolve_line(Reader* reader) noexcept nogil
cdef void mark_order(Reader* reader, int move, int side) noexcept nogil
cdef void pop_line(Reader* reader) noexcept nogil
cdef void cut_back(Reader* reader) noexcept nogil
cdef bint postpone(Reader* reader, Py_ssize_t begin, Py_ssize_t end) noexcept nogil
