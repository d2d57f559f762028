from libc.stdint cimport uint8_t

from tabiya.formats.bcgn.fields cimport Eco, Text
from tabiya.formats.bcgn.writing cimport Writer

# --- for other kernels ---

cdef void write_header(Writer* writer) noexcept nogil
cdef int set_start(Writer* writer) noexcept nogil

# --- private to this kernel ---

cdef void write_bare_header(Writer* writer) noexcept nogil
cdef void take_names(Writer* writer) noexcept nogil
cdef Text first_listed(const Writer* writer, int field) noexcept nogil
cdef Text extra_of(const Writer* writer, const char* key, Py_ssize_t length) noexcept nogil
cdef int reserved_flags(const Writer* writer, int known) noexcept nogil
cdef void write_fixed(Writer* writer) noexcept nogil
cdef void write_date(Writer* writer, uint8_t* out) noexcept nogil
cdef Eco eco_to_write(const Writer* writer) noexcept nogil
cdef Py_ssize_t cut_length(const Writer* writer, Text text) noexcept nogil
cdef void put_text(Writer* writer, Text text) noexcept nogil
cdef void put_tag(Writer* writer, Text name, Text value) noexcept nogil
cdef void put_field_tag(Writer* writer, int field, const uint8_t* value, Py_ssize_t length) noexcept nogil
cdef void write_name_tags(Writer* writer) noexcept nogil
cdef void write_result_tag(Writer* writer) noexcept nogil
cdef bint is_start(const Writer* writer, Text text) noexcept nogil
cdef void write_other_tags(Writer* writer) noexcept nogil
cdef void write_other_starts(Writer* writer) noexcept nogil
cdef void count_unkept(Writer* writer) noexcept nogil
