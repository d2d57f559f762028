from libc.stdint cimport uint16_t

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

cdef void list_moves() noexcept nogil
cdef int target_of_code(int man, int source, int value) noexcept nogil

cdef enum:
    TWO_BYTES = 0xFFFF  # the target stands in the next byte

cdef uint16_t MOVES[16][64][16]  # by man, source and value of the code
cdef int KING_STEPS[9]
cdef int KNIGHT_STEPS[9]
cdef int PROMOTIONS[5]
