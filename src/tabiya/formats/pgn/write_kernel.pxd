from libc.stdint cimport uint8_t

from tabiya.formats.pgn.writing cimport Writer

cdef Py_ssize_t write_record(Writer* writer, Py_ssize_t record, bint first) noexcept nogil
cdef bint set_up(Writer* writer, Py_ssize_t record) noexcept nogil
cdef bint write_tags(Writer* writer, Py_ssize_t record) noexcept nogil
cdef void write_tag(Writer* writer, const uint8_t* name, Py_ssize_t length, const uint8_t* value,
                    Py_ssize_t value_length) noexcept nogil
cdef void write_text_tag(Writer* writer, const char* name, const uint8_t* value, Py_ssize_t length) noexcept nogil
cdef bint write_listed(Writer* writer, Py_ssize_t record, int tag) noexcept nogil
cdef bint write_column_tag(Writer* writer, Py_ssize_t record, int tag) noexcept nogil
cdef bint write_name(Writer* writer, Py_ssize_t record, int tag, int column) noexcept nogil
cdef void write_date(Writer* writer, Py_ssize_t record) noexcept nogil
cdef bint is_column_tag(const uint8_t* name, Py_ssize_t length) noexcept nogil
cdef int exact_tag(const uint8_t* name, Py_ssize_t length) noexcept nogil
cdef void write_extras(Writer* writer, Py_ssize_t record) noexcept nogil
cdef void write_termination(Writer* writer, Py_ssize_t record) noexcept nogil
