from tabiya.chess.board cimport Board

# Return codes of ``parse_fen``; the messages are in ``fen.py``.
cdef enum:
    FEN_OK = 0
    FEN_EMPTY = 1
    FEN_PIECE = 2
    FEN_RANK_LENGTH = 3
    FEN_RANK_COUNT = 4
    FEN_KINGS = 5
    FEN_PAWNS = 6
    FEN_TURN = 7
    FEN_CASTLING = 8
    FEN_EP = 9
    FEN_CLOCK = 10
    FEN_TRAILING = 11

cdef enum:
    MAX_FEN = 128
    LONGEST_FEN = 4096  # longest text that is read: far longer than any FEN; keeps lengths within a C int
    MAX_COUNT = 65535  # of the clock and of the move number

cdef int parse_fen(const unsigned char* text, int length, bint chess960, Board* board, int* offset) noexcept nogil
cdef int format_fen(const Board* board, int ep, unsigned char* out) noexcept nogil
cdef int legal_ep(const Board* board) noexcept nogil
cdef void start_board(Board* board) noexcept nogil


cdef inline bint read_fen(const unsigned char* text, Py_ssize_t length, bint chess960, Board* board) noexcept nogil:
    """``parse_fen`` for callers that only need to know whether a text is a FEN."""
    cdef int offset
    return length <= LONGEST_FEN and parse_fen(text, <int> length, chess960, board, &offset) == FEN_OK


cdef void clear_board(Board* board) noexcept nogil
cdef bint castles_unusually(const Board* board) noexcept nogil
cdef bint grant_castling(Board* board, int color, int rook) noexcept nogil
cdef int outermost_rook(const Board* board, int color, int side) noexcept nogil
cdef void use_ep(Board* board, int square) noexcept nogil
