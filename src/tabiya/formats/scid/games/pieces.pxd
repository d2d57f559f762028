# The numbers of the men: a list per side that changes with every capture.

from libc.stdint cimport uint8_t
from libc.string cimport memset

from tabiya.chess.board cimport KING, PAWN, ROOK, Board, castled_king, castled_rook, code_of, source_of, target_of

cdef enum:
    MOST_MEN = 16

ctypedef struct Pieces:
    uint8_t square[2][16]   # by side and number
    uint8_t count[2]
    uint8_t number[64]      # by square: the number of the man that stands there; else anything


cdef inline void list_standard(Pieces* pieces) noexcept nogil:
    """The lists of a game without a start position of its own."""
    cdef int side, file, number
    memset(pieces, 0, sizeof(Pieces))
    for side in range(2):
        pieces.count[side] = MOST_MEN
        for file in range(8):
            number = 0 if file == 4 else file + 1 if file < 4 else file
            pieces.square[side][number] = 56 * side + file
            pieces.square[side][8 + file] = 8 + 40 * side + file
        for number in range(MOST_MEN):
            pieces.number[pieces.square[side][number]] = number


cdef inline bint list_pieces(Pieces* pieces, const Board* board) noexcept nogil:
    """The lists of any other position, in the order of its FEN with the king first; False with more than 16 men."""
    cdef int row, file, square, code, side, count
    memset(pieces, 0, sizeof(Pieces))
    for row in range(8):
        for file in range(8):
            square = (7 - row) << 3 | file
            code = board.squares[square]
            if code == 0:
                continue
            side = code >> 3
            count = pieces.count[side]
            if count == MOST_MEN:
                return False
            pieces.count[side] = count + 1
            if code & 7 == KING and count:
                pieces.square[side][count] = pieces.square[side][0]
                pieces.number[pieces.square[side][0]] = count
                count = 0
            pieces.square[side][count] = square
            pieces.number[square] = count
    return True


cdef inline void move_piece(Pieces* pieces, const Board* board, int move) noexcept nogil:
    """Follow a legal move, which has not been made on the board yet; the null move changes nothing."""
    cdef int us = board.turn, source = source_of(move), target = target_of(move), number = pieces.number[source]
    cdef int taken = target, last, square
    if move == 0:
        return
    if board.squares[target] == code_of(us, ROOK):
        last = pieces.number[target]
        square = castled_rook(source, target)
        target = castled_king(source, target)
        pieces.square[us][last] = square
        pieces.number[square] = last
    else:
        if board.squares[target] == 0 and board.squares[source] & 7 == PAWN and (source ^ target) & 7:
            taken = source & 56 | target & 7  # en passant
        if board.squares[taken]:
            # The last man of the other side takes the number of the one that is taken.
            last = pieces.count[us ^ 1] - 1
            square = pieces.square[us ^ 1][last]
            pieces.square[us ^ 1][pieces.number[taken]] = square
            pieces.number[square] = pieces.number[taken]
            pieces.count[us ^ 1] = last
    pieces.square[us][number] = target
    pieces.number[target] = number
