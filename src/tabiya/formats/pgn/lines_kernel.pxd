from libc.stdint cimport uint8_t

from tabiya.formats.pgn.reader cimport Reader
from tabiya.formats.pgn.skip_kernel cimport Stop

cdef void add_text(Reader* reader, const uint8_t* text, Py_ssize_t length, int language) noexcept nogil
cdef void keep_late(Reader* reader, Py_ssize_t begin, Stop stop, int reason) noexcept nogil
cdef void play(Reader* reader, int move) noexcept nogil
cdef void open_line(Reader* reader, Py_ssize_t opened, Py_ssize_t resume) noexcept nogil
cdef void close_line(Reader* reader) noexcept nogil
cdef bint close_all_lines(Reader* reader) noexcept nogil
cdef bint leave_for_detour(Reader* reader) noexcept nogil
cdef void fail_line(Reader* reader, Py_ssize_t begin, Py_ssize_t end, int reason) noexcept nogil
