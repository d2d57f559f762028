from tabiya.formats.scid.games.reading cimport Reader

cdef bint read_comment(Reader* reader) noexcept nogil
cdef bint fail(Reader* reader, int code) noexcept nogil
