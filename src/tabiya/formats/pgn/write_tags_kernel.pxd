from libc.stdint cimport uint8_t

from tabiya.formats.pgn.writing cimport Writer

cdef bint write_tags(Writer* writer, Py_ssize_t record) noexcept nogil
cdef bint has_tag(Writer* writer, Py_ssize_t record, const char* name) noexcept nogil
cdef bint write_unknown(Writer* writer, int tag) noexcept nogil
cdef void write_ply_count(Writer* writer, Py_ssize_t record) noexcept nogil
cdef void write_tag(Writer* writer, const uint8_t* name, Py_ssize_t length, const uint8_t* value,
                    Py_ssize_t value_length) noexcept nogil
cdef void write_text_tag(Writer* writer, const char* name, const uint8_t* value, Py_ssize_t length) noexcept nogil
cdef bint write_listed(Writer* writer, Py_ssize_t record, int tag) noexcept nogil
cdef bint write_column_tag(Writer* writer, Py_ssize_t record, int tag) noexcept nogil
cdef bint write_name(Writer* writer, Py_ssize_t record, int tag, int column) noexcept nogil
cdef void write_date(Writer* writer, Py_ssize_t record) noexcept nogil
cdef bint is_column_tag(const uint8_t* name, Py_ssize_t length) noexcept nogil
cdef int exact_tag(const uint8_t* name, Py_ssize_t length) noexcept nogil
