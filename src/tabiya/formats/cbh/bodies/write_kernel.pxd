from libc.stdint cimport int64_t, uint8_t

from tabiya.formats.cbh.bodies.body_writer cimport BodyWriter
from tabiya.game.columns cimport Columns

cdef int write_record(BodyWriter* writer, int64_t number, int64_t game) noexcept nogil
cdef void free_writer(BodyWriter* writer) noexcept nogil
cdef const uint8_t* extra_value(const BodyWriter* writer, const char* key, Py_ssize_t* length) noexcept nogil
cdef int copy_opaque(BodyWriter* writer, int64_t number, int64_t game) noexcept nogil
cdef bint put_blob(BodyWriter* writer, const uint8_t* data, Py_ssize_t length) noexcept nogil
cdef void put_kept_annotations(BodyWriter* writer, const uint8_t* data, Py_ssize_t length, int64_t number,
                               int64_t game) noexcept nogil
cdef bint keeps_moves(BodyWriter* writer, const uint8_t* data, Py_ssize_t length) noexcept nogil
cdef bint keeps_annotations(BodyWriter* writer, const uint8_t* data, Py_ssize_t length, int64_t number) noexcept nogil
cdef bint same_annotations(BodyWriter* writer) noexcept nogil
cdef bint same_bytes(const uint8_t* first, Py_ssize_t first_length, const uint8_t* second,
                     Py_ssize_t second_length) noexcept nogil
cdef bint map_moves(BodyWriter* writer) noexcept nogil
cdef void clear_columns(Columns* columns) noexcept nogil
