from libc.stdint cimport int32_t, uint8_t

from tabiya.formats.pgn.reader cimport Mark, Reader
from tabiya.game.columns cimport Columns, Strings
from tabiya.game.growing cimport Bytes

cdef void begin_record(Reader* reader) noexcept nogil
cdef void finish_record(Reader* reader) noexcept nogil
cdef int final_result(Reader* reader) noexcept nogil
cdef void note(Reader* reader, int code, Py_ssize_t begin, Py_ssize_t end) noexcept nogil
cdef void note_text(Reader* reader, int code, Py_ssize_t place, const uint8_t* text, Py_ssize_t length) noexcept nogil
cdef void put_text(Reader* reader, Bytes* out, const uint8_t* text, Py_ssize_t length) noexcept nogil

cdef void put_nags(Reader* reader, int move, int side) noexcept nogil
cdef void gather_nags(Reader* reader, Py_ssize_t index) noexcept nogil

cdef void cut_problems(Columns* columns, Py_ssize_t count) noexcept nogil
cdef void set_mark(Reader* reader, Mark* mark) noexcept nogil
cdef void go_back(Reader* reader, Mark* mark) noexcept nogil
cdef void order_annotations(Reader* reader) noexcept nogil
cdef void copy_ordered(Reader* reader, Py_ssize_t first, Py_ssize_t count, const int32_t* order) noexcept nogil
cdef void join_nags(Reader* reader, Py_ssize_t first, Py_ssize_t count, const int32_t* order, Py_ssize_t at,
                    int32_t move, int side) noexcept nogil
cdef void copy_annotation(Columns* columns, Py_ssize_t index) noexcept nogil
cdef void move_down(Columns* columns, Py_ssize_t first, Py_ssize_t count) noexcept nogil
cdef void move_strings_down(Strings* strings, Py_ssize_t first, Py_ssize_t source, Py_ssize_t kept) noexcept nogil
