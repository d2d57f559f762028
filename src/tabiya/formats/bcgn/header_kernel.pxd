from libc.stdint cimport uint8_t

from tabiya.formats.bcgn.reader cimport Reader

cdef void note(Reader* reader, int code, const uint8_t* place) noexcept nogil
cdef void keep(Reader* reader, const char* key, const uint8_t* data, Py_ssize_t length) noexcept nogil
cdef bint read_header(Reader* reader) noexcept nogil
cdef void put_header(Reader* reader) noexcept nogil
