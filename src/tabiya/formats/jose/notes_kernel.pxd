from libc.stdint cimport uint8_t

from tabiya.formats.jose.reading cimport Note, Reader
from tabiya.game.annotations.commands cimport Command

cdef void add_note(Reader* reader, int form, int reason, Py_ssize_t begin, Py_ssize_t length) noexcept nogil
cdef void add_nag(Reader* reader, int nag) noexcept nogil
cdef void settle_pending(Reader* reader) noexcept nogil
cdef void end_line(Reader* reader) noexcept nogil
cdef void adopt(Reader* reader, Py_ssize_t pending) noexcept nogil
cdef void write_notes(Reader* reader) noexcept nogil

cdef Note* note_at(Reader* reader, Py_ssize_t index) noexcept nogil
cdef void make_late(Reader* reader, Py_ssize_t index) noexcept nogil
cdef int rank_of(const Note* note) noexcept nogil
cdef bint is_sorted(Reader* reader) noexcept nogil
cdef bint sort_notes(Reader* reader) noexcept nogil
cdef void write_note(Reader* reader, const Note* note) noexcept nogil
cdef bint write_values(Reader* reader, const Note* note) noexcept nogil
cdef bint write_value(Reader* reader, const Note* note, const uint8_t* text, Command command) noexcept nogil
cdef bint write_plain(Reader* reader, const Note* note, const uint8_t* text, Py_ssize_t length) noexcept nogil
cdef void write_nags(Reader* reader, const Note* note) noexcept nogil
cdef void note_encoding(Reader* reader, int code) noexcept nogil
