from libc.stdint cimport uint8_t

from tabiya.formats.pgn.reader cimport Reader
from tabiya.game.growing cimport Bytes

cdef void begin_record(Reader* reader) noexcept nogil
cdef void finish_record(Reader* reader) noexcept nogil
cdef void note(Reader* reader, int code, Py_ssize_t begin, Py_ssize_t end) noexcept nogil
cdef void note_text(Reader* reader, int code, Py_ssize_t place, const uint8_t* text, Py_ssize_t length) noexcept nogil
cdef void put_text(Reader* reader, Bytes* out, const uint8_t* text, Py_ssize_t length) noexcept nogil
