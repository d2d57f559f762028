from libc.stdint cimport uint8_t

from tabiya.formats.pgn.writing cimport Writer
from tabiya.game.batch_view cimport Texts

# --- for other kernels ---

cdef bint write_tags(Writer* writer, Py_ssize_t record) noexcept nogil
cdef void write_text_tag(Writer* writer, const char* name, const uint8_t* value, Py_ssize_t length) noexcept nogil

# --- private to this kernel ---

cdef bint has_tag(Writer* writer, Py_ssize_t record, const char* name) noexcept nogil
cdef bint write_unknown(Writer* writer, int tag) noexcept nogil
cdef void write_ply_count(Writer* writer, Py_ssize_t record) noexcept nogil
cdef void write_tag(Writer* writer, const uint8_t* name, Py_ssize_t length, const uint8_t* value,
                    Py_ssize_t value_length) noexcept nogil
cdef bint write_listed(Writer* writer, Py_ssize_t record, int tag) noexcept nogil
cdef bint write_column_tag(Writer* writer, Py_ssize_t record, int tag) noexcept nogil
cdef void write_column_text(Writer* writer, int tag, const uint8_t* value, Py_ssize_t length) noexcept nogil
cdef void write_text_at(Writer* writer, int tag, const Texts* texts, Py_ssize_t index) noexcept nogil
cdef bint write_date(Writer* writer, Py_ssize_t record) noexcept nogil
