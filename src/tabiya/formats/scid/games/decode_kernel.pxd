from tabiya.formats.scid.games.reading cimport Reader

cdef void read_record(Reader* reader) noexcept nogil
cdef void read_game(Reader* reader) noexcept nogil
cdef bint set_up(Reader* reader) noexcept nogil
cdef void keep_start(Reader* reader) noexcept nogil
cdef void read_moves(Reader* reader) noexcept nogil
cdef int decode_move(Reader* reader, int code) noexcept nogil
cdef int decode_king(Reader* reader, int code) noexcept nogil
cdef void play(Reader* reader, int move) noexcept nogil
cdef bint read_token(Reader* reader, int code) noexcept nogil
cdef bint open_line(Reader* reader) noexcept nogil
cdef bint close_line(Reader* reader) noexcept nogil
cdef void finish(Reader* reader) noexcept nogil

cdef int KING_STEPS[9]
cdef int KNIGHT_STEPS[9]
cdef int PROMOTIONS[5]
