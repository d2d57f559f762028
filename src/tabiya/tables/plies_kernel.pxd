from libc.stdint cimport int32_t, uint8_t

from tabiya.chess.board cimport Board
from tabiya.game.batch_view cimport View
from tabiya.game.growing cimport Bytes

# --- private to this kernel ---

# What is asked for, as bits; the order is that of ``PLY_COLUMNS`` in ply_columns.py.
cdef enum:
    WANT_SAN = 1
    WANT_UCI = 2
    WANT_MOVES = 4
    WANT_FENS = 8
    WANT_KEYS = 16
    WANT_CLOCKS = 32
    WANT_TIMES = 64
    WANT_EVALUATIONS = 128
    WANT_MATES = 256
    WANT_VALUES = 32 + 64 + 128 + 256

# Strings in Arrow's layout: ``ends`` has a 0 in front.
ctypedef struct Texts:
    Bytes letters
    Bytes ends  # int32

# Values of 4 or 8 bytes, and a byte for each that says whether it is there.
ctypedef struct Values:
    Bytes numbers
    Bytes present

ctypedef struct Plies:
    int wanted
    bint padded           # moves have a place for the last position, values one for the first
    bint out_of_memory
    bint too_large        # a column has more than Arrow's offsets can count
    Bytes move_ends       # int32: where the moves of each record end, after a 0
    Bytes position_ends   # int32: the same for its positions
    Bytes known           # uint8: whether a record has a line of play at all
    Py_ssize_t moves
    Py_ssize_t positions
    Texts san
    Texts uci
    Bytes tokens          # uint16
    Texts fens
    Bytes keys            # uint64
    Values clocks         # double: seconds
    Values times          # int32: seconds
    Values evaluations    # double: pawns
    Values mates          # int32: moves
    Bytes numbers         # int32, of the record at hand: the ply of each move of its tape, or -1

cdef bint begin_line(const View* view, Py_ssize_t record, const Board* usual, Board* board) noexcept nogil
cdef bint has_room(Plies* plies, Py_ssize_t moves) noexcept nogil
cdef bint has_room_for_texts(Texts* texts, Py_ssize_t count, Py_ssize_t longest) noexcept nogil
cdef bint has_room_for_values(Values* values, Py_ssize_t count, Py_ssize_t size) noexcept nogil
cdef void end_text(Plies* plies, Texts* texts, int length) noexcept nogil
cdef void put_end(Plies* plies, Bytes* ends, Py_ssize_t end) noexcept nogil
cdef int format_uci(const Board* board, int token, uint8_t* out) noexcept nogil
cdef void put_position(Plies* plies, Board* board) noexcept nogil
cdef void put_move(Plies* plies, Board* board, int token) noexcept nogil
cdef void end_moves(Plies* plies) noexcept nogil
cdef Py_ssize_t add_line(Plies* plies, const View* view, Py_ssize_t record, Board* board) noexcept nogil
cdef void clear_values(Plies* plies, Py_ssize_t count) noexcept nogil
cdef void clear(Values* values, Py_ssize_t count, Py_ssize_t size) noexcept nogil
cdef void put_double(Values* values, Py_ssize_t slot, double number) noexcept nogil
cdef void put_number(Values* values, Py_ssize_t slot, int32_t number) noexcept nogil
cdef void add_value(Plies* plies, int kind, const uint8_t* data, Py_ssize_t length, Py_ssize_t slot,
                    int mover) noexcept nogil
cdef void add_values(Plies* plies, const View* view, Py_ssize_t record, Py_ssize_t moves, int turn) noexcept nogil
cdef void add_record(Plies* plies, const View* view, Py_ssize_t record, const Board* usual) noexcept nogil
cdef void free_plies(Plies* plies) noexcept nogil
