from libc.stdint cimport uint8_t

from tabiya.formats.pgn.reader cimport Reader
from tabiya.formats.pgn.skip_kernel cimport Stop

# --- for other kernels ---

cdef void add_text(Reader* reader, const uint8_t* text, Py_ssize_t length, int language) noexcept nogil
cdef void keep_late(Reader* reader, Py_ssize_t begin, Stop stop, int reason) noexcept nogil
cdef void play(Reader* reader, int move) noexcept nogil
cdef void open_line(Reader* reader, Py_ssize_t opened, Py_ssize_t resume) noexcept nogil
cdef void close_line(Reader* reader) noexcept nogil
cdef bint close_all_lines(Reader* reader) noexcept nogil
cdef bint leave_for_detour(Reader* reader) noexcept nogil
cdef void fail_line(Reader* reader, Py_ssize_t begin, Py_ssize_t end, int reason) noexcept nogil

# --- private to this kernel ---

cdef void put_verbatim(Reader* reader, Py_ssize_t begin, Stop stop) noexcept nogil
cdef void leave_line(Reader* reader, bint drops) noexcept nogil
cdef bint postpone(Reader* reader, Py_ssize_t begin, Py_ssize_t end) noexcept nogil
