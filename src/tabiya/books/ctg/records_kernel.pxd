from libc.stdint cimport int64_t, uint8_t, uint16_t, uint32_t

from tabiya.books.ctg.frame_kernel cimport Frame
from tabiya.books.ctg.pages cimport Record
from tabiya.chess.board cimport Board

# --- for other kernels ---

cdef enum:
    RAW_CODE = 0x8000
    STATISTIC_COUNT = 9
    MARK_COUNT = 3
    MAX_LISTED = 127         # moves of a record
    LARGEST_24 = 0xffffff

cdef int listed_at(const uint8_t* block, int count, int code) noexcept nogil

# --- private to this kernel ---

# What may get lost on the way into a record; ``losses.py`` has the words.
cdef enum:
    LOST_POSITION = 0        # its signature holds no position
    LOST_ILLEGAL = 1
    LOST_CODELESS = 2        # a fourth piece of its kind
    LOST_PROMOTION = 3       # another promotion of the same pawn on the same square has the same code
    LOST_MOVES = 4           # beyond the 127th move
    LOST_NUMBERS = 5         # numbers that are too large
    LOSS_COUNT = 6

ctypedef struct Losses:
    int64_t count[LOSS_COUNT]
    int64_t row[LOSS_COUNT]    # the first position concerned
    int64_t move[LOSS_COUNT]   # and its move

cdef void decode_moves(const Record* record, uint16_t* moves, uint8_t* nags) noexcept nogil
cdef void decode_statistics(const uint8_t* data, int64_t* statistics, uint8_t* marks) noexcept nogil
cdef bint put_number(uint8_t* data, int64_t value, bint wide) noexcept nogil
cdef bint encode_statistics(const int64_t* statistics, const uint8_t* marks, uint8_t* data) noexcept nogil
cdef int64_t score_of(const int64_t* statistics) noexcept nogil
cdef int encode_moves(const uint8_t* signature, const uint16_t* moves, const uint8_t* nags, int64_t count,
                      uint8_t* out, int64_t row, Losses* losses) noexcept nogil
cdef int code_or_loss(const Frame* frame, const Board* board, int move, int* loss) noexcept nogil
cdef void lose(Losses* losses, int loss, int64_t row, int64_t move) noexcept nogil
cdef uint32_t reversed_bits(uint32_t value) noexcept nogil
