# The numbers of the pieces: a list per side that changes with every capture.

from libc.stdint cimport uint8_t
from libc.string cimport memset

from tabiya.chess.bits cimport unlikely
from tabiya.chess.board cimport KING, PAWN, ROOK, Board, castled_king, castled_rook, code_of, source_of, target_of

cdef enum:
    MOST_PIECES = 16

ctypedef struct Pieces:
    uint8_t square[2][16]   # by side and number
    uint8_t count[2]
    uint8_t number[64]      # by square: the number of the piece there; otherwise undefined


cdef inline void list_standard(Pieces* pieces) noexcept nogil:
    """Set the lists of a game from the standard start position."""
    cdef int side, file, number
    memset(pieces, 0, sizeof(Pieces))
    for side in range(2):
        pieces.count[side] = MOST_PIECES
        for file in range(8):
            number = 0 if file == 4 else file + 1 if file < 4 else file
            pieces.square[side][number] = 56 * side + file
            pieces.square[side][8 + file] = 8 + 40 * side + file
        for number in range(MOST_PIECES):
            pieces.number[pieces.square[side][number]] = number


cdef inline bint list_pieces(Pieces* pieces, const Board* board) noexcept nogil:
    """Set the lists of any other position, in FEN order with the king first; False with more than 16 pieces."""
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
            if count == MOST_PIECES:
                return False
            pieces.count[side] = count + 1
            if code & 7 == KING and count:
                pieces.square[side][count] = pieces.square[side][0]
                pieces.number[pieces.square[side][0]] = count
                count = 0
            pieces.square[side][count] = square
            pieces.number[square] = count
    return True


cdef inline int taken_square(const Board* board, int move) noexcept nogil:
    """Return the square of the piece that a legal move other than castling captures, if any."""
    cdef int source = source_of(move), target = target_of(move)
    if target == board.state.ep and board.squares[source] & 7 == PAWN:
        return source & 56 | target & 7
    return target


cdef inline int move_piece(Pieces* pieces, const Board* board, int move) noexcept nogil:
    """Apply a legal move before it is made on the board; return the data that ``move_piece_back`` needs.

    The null move changes nothing.
    """
    cdef int us = board.turn, them = us ^ 1, source = source_of(move), target = target_of(move)
    cdef int number = pieces.number[source], last = pieces.count[them] - 1, taken, square
    cdef bint takes
    if unlikely(move == 0):
        return last
    if unlikely(board.squares[target] == code_of(us, ROOK)):
        taken = pieces.number[target]
        square = castled_rook(source, target)
        target = castled_king(source, target)
        pieces.square[us][taken] = square
        pieces.number[square] = taken
    else:
        # The last piece of the other side gets the number of the captured one, or else its own: whether a move captures
        # is a branch that processors predict badly.
        square = taken_square(board, move)
        takes = board.squares[square] != 0
        taken = pieces.number[square] if takes else last
        square = pieces.square[them][last]
        pieces.square[them][taken] = square
        pieces.number[square] = taken
        pieces.count[them] = last + (not takes)
    pieces.square[us][number] = target
    pieces.number[target] = number
    return taken


cdef inline void move_piece_back(Pieces* pieces, const Board* board, int move, int taken) noexcept nogil:
    """Undo the last ``move_piece``; the board is again as it was before the move."""
    cdef int us = board.turn, them = us ^ 1, source = source_of(move), target = target_of(move), square, last
    cdef int number = pieces.number[target]
    if move == 0:
        return
    if board.squares[target] == code_of(us, ROOK):
        number = pieces.number[castled_king(source, target)]
        pieces.square[us][taken] = target
        pieces.number[target] = taken
    else:
        square = taken_square(board, move)
        if board.squares[square]:
            last = pieces.count[them]
            pieces.count[them] = last + 1
            pieces.number[pieces.square[them][last]] = last  # its square is still in the list
            pieces.square[them][taken] = square
            pieces.number[square] = taken
    pieces.square[us][number] = source
    pieces.number[source] = number
