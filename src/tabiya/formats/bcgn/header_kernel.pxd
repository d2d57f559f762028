from libc.stdint cimport uint8_t

from tabiya.formats.bcgn.fields cimport Text
from tabiya.formats.bcgn.reader cimport Reader

# --- for other kernels ---

cdef void note(Reader* reader, int code, const uint8_t* place) noexcept nogil
cdef void keep(Reader* reader, const char* key, const uint8_t* data, Py_ssize_t length) noexcept nogil
cdef bint read_header(Reader* reader) noexcept nogil
cdef void put_header(Reader* reader) noexcept nogil

# --- private to this kernel ---

cdef Text as_utf8(Reader* reader, Text text) noexcept nogil

cdef bint read_bare_header(Reader* reader) noexcept nogil
cdef void keep_flags(Reader* reader, const uint8_t* flags, int known) noexcept nogil
cdef void read_fixed(Reader* reader) noexcept nogil
cdef Py_ssize_t read_string(Reader* reader, Py_ssize_t place, Py_ssize_t end, Text* text) noexcept nogil
cdef Py_ssize_t read_tags(Reader* reader, Py_ssize_t place, Py_ssize_t end) noexcept nogil
cdef Text field_text(Reader* reader, int name, uint8_t* room) noexcept nogil
cdef bint follows(Reader* reader, int name, Text value) noexcept nogil
cdef void fold_name(Reader* reader, int name) noexcept nogil
cdef void fold_result(Reader* reader) noexcept nogil
