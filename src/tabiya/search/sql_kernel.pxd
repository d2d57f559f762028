from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint64_t

from tabiya.chess.board cimport Board

# --- for other kernels ---

cdef int format_position(Board* board, uint8_t* out) noexcept nogil
cdef int format_move(Board* board, int token, uint8_t* out) noexcept nogil

# --- private to this kernel ---

cdef enum:
    MEN_BITS = 6       # of a number of men in the signature of a material
    MOST_MEN = 64      # on a board
    ROOM_OF_MOVE = 24  # number, dot, blanks and move in the text of a line

ctypedef struct LineSpan:
    const uint16_t* moves
    const int64_t* ends
    const uint8_t* start_letters
    const int32_t* start_ends
    const uint8_t* variants
    const uint8_t* known
    Board usual

cdef class Lines:
    cdef LineSpan span
    cdef Py_ssize_t records
    cdef tuple owners  # keep the memory alive that ``span`` points to
    cdef int check(self, Py_ssize_t arguments, Py_ssize_t answers, Py_ssize_t room, Py_ssize_t needed) except -1

cdef bint begin_line(const LineSpan* span, Py_ssize_t record, Board* board) noexcept nogil
cdef bint play(Board* board, int token) noexcept nogil
cdef int64_t length_of(const LineSpan* span, Py_ssize_t record) noexcept nogil
cdef int64_t play_to(const LineSpan* span, Py_ssize_t record, int64_t ply, Board* board) noexcept nogil
cdef int64_t go_to(const LineSpan* span, Py_ssize_t record, int64_t ply, Board* board) noexcept nogil
cdef uint64_t sound_key(const Board* board) noexcept nogil
cdef uint64_t material_of(const Board* board) noexcept nogil
cdef int format_material(const Board* board, uint8_t* out) noexcept nogil
cdef int format_next(const LineSpan* span, Py_ssize_t record, int64_t ply, Board* board, uint8_t* out) noexcept nogil
cdef Py_ssize_t format_line(const LineSpan* span, Py_ssize_t record, int64_t plies, Board* board,
                            uint8_t* out) noexcept nogil
cdef Py_ssize_t put_text(const LineSpan* span, Py_ssize_t record, int what, int64_t ply, Board* board,
                         uint8_t* out) noexcept nogil
