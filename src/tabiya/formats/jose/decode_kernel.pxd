from libc.stdint cimport uint8_t

from tabiya.formats.jose.reading cimport Reader

cdef void read_record(Reader* reader) noexcept nogil
cdef void read_game(Reader* reader) noexcept nogil
cdef bint set_up(Reader* reader) noexcept nogil
cdef void keep_start(Reader* reader) noexcept nogil
cdef void read_codes(Reader* reader) noexcept nogil
cdef bint read_move(Reader* reader, int code) noexcept nogil
cdef bint read_long_move(Reader* reader, int code) noexcept nogil
cdef bint read_piece_move(Reader* reader, int kind, int place, int offset, int promotion) noexcept nogil
cdef bint read_token(Reader* reader, int code) noexcept nogil
cdef bint read_text(Reader* reader, int reason) noexcept nogil
cdef void finish(Reader* reader) noexcept nogil
cdef int result_of(int code) noexcept nogil
