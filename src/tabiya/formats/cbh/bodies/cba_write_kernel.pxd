from libc.stdint cimport int32_t, int64_t, uint8_t

from tabiya.formats.cbh.bodies.body_writer cimport BodyWriter

# --- for other kernels ---

cdef int write_annotations(BodyWriter* writer, int64_t game) noexcept nogil

# --- private to this kernel ---

cdef bint write_annotation(BodyWriter* writer, Py_ssize_t index, int32_t position) noexcept nogil
cdef bint put_payload(BodyWriter* writer, Py_ssize_t index, int kind) noexcept nogil
cdef bint raw_fits(BodyWriter* writer, Py_ssize_t index, int kind) noexcept nogil
cdef bint put_bytes(BodyWriter* writer, const uint8_t* data, Py_ssize_t length) noexcept nogil
cdef bint put_text(BodyWriter* writer, Py_ssize_t index) noexcept nogil
cdef bint put_nags(BodyWriter* writer, Py_ssize_t index) noexcept nogil
cdef void count_annotation(BodyWriter* writer, int kind, const uint8_t* payload, Py_ssize_t length) noexcept nogil
cdef void put_head(BodyWriter* writer, Py_ssize_t blob, int64_t game, int32_t count) noexcept nogil
