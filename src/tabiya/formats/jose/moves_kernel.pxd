from libc.stdint cimport uint8_t

from tabiya.chess.bits cimport bit
from tabiya.chess.board cimport (
    BISHOP, KING, KING_SIDE, KNIGHT, NO_SQUARE, PAWN, QUEEN, QUEEN_SIDE, ROOK, Board, castled_king, castled_rook,
    move_of, occupied, pawn_reaches, piece_reaches, source_of, squares_from_to, target_of
)

# jose's encoding of destinations: an offset whose meaning depends on the kind of piece. Both directions side by side.
# Codes of the stream; see docs/formats/jose.md.
cdef enum:
    CODE_KNIGHT = 0x20
    CODE_BISHOP = 0x30
    CODE_ROOK = 0x50
    CODE_QUEEN = 0x70
    CODE_KING = 0x90
    CODE_CASTLE = 0x98        # plus the side of castling
    CODE_NULL = 0x9A
    CODE_PROMOTE = 0xA0       # plus the slot of the pawn
    CODE_PROMOTED = 0xA8      # plus the slot of the pawn that the piece was
    CODE_NAG = 0xB0           # plus the NAG up to 31; alone: the next byte
    CODE_RESULT = 0xD0        # 0-1, 1/2-1/2, 1-0, *
    CODE_COMMENT = 0xE0       # plus the kind of error
    CODE_BEGIN = 0xF0
    CODE_CLOSE = 0xF1
    CODE_END = 0xFF

cdef enum:
    LAST_NAG_CODE = 31
    LAST_ERROR = 5
    SECOND_BYTE = 0x20        # always set, to keep the second byte from being zero: jose's writer omits zeros
    NO_OFFSET = 255
    DEEPEST = 4096            # open variations; jose's own stack ends at 128

# Offsets of knights or kings: the square reached from each square, and the offset of each step.
ctypedef struct Leaps:
    uint8_t target[8][64]     # by offset and source; NO_SQUARE off the board
    uint8_t offset[25]        # by 5 * (ranks + 2) + files + 2; NO_OFFSET if no such piece moves there

# The tables of one dialect: that of jose itself, or that of its document.
ctypedef struct Dialect:
    Leaps knight
    Leaps king

cdef Dialect DIALECTS[2]


cdef inline int on_board(int rank, int file) noexcept nogil:
    return rank << 3 | file if 0 <= rank < 8 and 0 <= file < 8 else NO_SQUARE


cdef inline int pawn_target(int us, int source, int offset) noexcept nogil:
    """Return the target of a pawn's offset from its owner's view: 0 ahead, 1 captures right, 2 left, 3 two steps."""
    cdef int ahead = 1 - 2 * us
    if offset == 0:
        return on_board((source >> 3) + ahead, source & 7)
    if offset == 3:
        return on_board((source >> 3) + 2 * ahead, source & 7)
    return on_board((source >> 3) + ahead, (source & 7) + (ahead if offset == 1 else -ahead))


cdef inline int bishop_target(int source, int offset) noexcept nogil:
    """Return the target: the offset is its rank on the rising diagonal, or its rank plus 8 on the falling one."""
    cdef int rank = offset & 7, way = rank - (source >> 3)
    return on_board(rank, (source & 7) + (way if offset < 8 else -way))


cdef inline int rook_target(int source, int offset) noexcept nogil:
    """Return the target: the offset is its rank, or its file plus 8."""
    return offset << 3 | source & 7 if offset < 8 else source & 56 | offset & 7


cdef inline int target_by(const Dialect* dialect, int piece, int us, int source, int offset) noexcept nogil:
    """Return the square to which an offset moves a piece, NO_SQUARE if it is off the board."""
    if piece == PAWN:
        return pawn_target(us, source, offset)
    if piece == KNIGHT:
        return dialect.knight.target[offset][source]
    if piece == BISHOP:
        return bishop_target(source, offset)
    if piece == ROOK:
        return rook_target(source, offset)
    if piece == QUEEN:
        return bishop_target(source, offset) if offset < 16 else rook_target(source, offset & 15)
    return dialect.king.target[offset][source]


cdef inline int pawn_offset(int us, int source, int target) noexcept nogil:
    cdef int way = (target - source) * (1 - 2 * us)
    return 0 if way == 8 else 1 if way == 9 else 2 if way == 7 else 3


cdef inline int bishop_offset(int source, int target) noexcept nogil:
    cdef bint rising = (target >> 3) - (source >> 3) == (target & 7) - (source & 7)
    return target >> 3 if rising else 8 | target >> 3


cdef inline int rook_offset(int source, int target) noexcept nogil:
    return target >> 3 if (source ^ target) & 7 == 0 else 8 | target & 7


cdef inline int leap_offset(const Leaps* leaps, int source, int target) noexcept nogil:
    return leaps.offset[5 * ((target >> 3) - (source >> 3) + 2) + (target & 7) - (source & 7) + 2]


cdef inline int offset_of(const Dialect* dialect, int piece, int us, int source, int target) noexcept nogil:
    """Return the offset of a pseudo-legal move that is not castling."""
    if piece == PAWN:
        return pawn_offset(us, source, target)
    if piece == KNIGHT:
        return leap_offset(&dialect.knight, source, target)
    if piece == BISHOP:
        return bishop_offset(source, target)
    if piece == ROOK:
        return rook_offset(source, target)
    if piece == QUEEN:
        if (source ^ target) & 7 == 0 or (source ^ target) & 56 == 0:
            return 16 | rook_offset(source, target)
        return bishop_offset(source, target)
    return leap_offset(&dialect.king, source, target)


cdef inline int open_castling(const Board* board, int side) noexcept nogil:
    """Return the castling move of the side to move if it has the right and the squares are free, else 0."""
    cdef int us = board.turn, king = board.king[us], rook = board.rook[2 * us + side]
    cdef int move = move_of(king, rook, 0)
    if not board.state.rights >> (2 * us + side) & 1:
        return 0
    if ((squares_from_to(king, castled_king(king, rook)) | squares_from_to(rook, castled_rook(king, rook)))
            & occupied(board) & ~bit(king) & ~bit(rook)):
        return 0
    return move


cdef inline bint is_possible(const Board* board, int move) noexcept nogil:
    """Return whether a token is a pseudo-legal move: it may leave the own king in check. The null move is not."""
    cdef int source = source_of(move), target = target_of(move), us = board.turn
    cdef int piece = board.squares[source], aim = board.squares[target], promotion = move >> 12
    if piece == 0 or piece >> 3 != us or promotion > 4 or aim & 7 == KING:
        return False
    if aim and aim >> 3 == us:
        return piece & 7 == KING and aim & 7 == ROOK and move == open_castling(
            board, KING_SIDE if target > source else QUEEN_SIDE)
    if piece & 7 == PAWN:
        return pawn_reaches(board, source, target) and (promotion != 0) == (target >> 3 == (0 if us else 7))
    return promotion == 0 and piece_reaches(board, piece & 7, source, target)
