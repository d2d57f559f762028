from tabiya.formats.jose.reading cimport Reader

cdef void play(Reader* reader, int move) noexcept nogil
cdef bint open_line(Reader* reader) noexcept nogil
cdef bint close_line(Reader* reader) noexcept nogil
cdef void close_all(Reader* reader) noexcept nogil
cdef bint fail(Reader* reader, int code) noexcept nogil
