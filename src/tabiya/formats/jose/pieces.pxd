# jose's piece lists: per colour and kind a list of pieces, in the order of a FEN. Codes refer to list entries.
#
# A promoted piece takes the highest vacant entry of its list, or a new one at the end, and is addressed by the slot of
# its pawn. Undoing a promotion leaves an added entry in the list, vacant.

from libc.stdint cimport uint8_t
from libc.string cimport memset

from tabiya.chess.board cimport (
    Board, KING, NO_SQUARE, PAWN, ROOK, castled_king, castled_rook, code_of, promotion_of, source_of, target_of,
)

cdef enum:
    PAWN_SLOTS = 8

ctypedef struct Pieces:
    uint8_t square[2][8][64]       # by colour, kind and entry; NO_SQUARE if vacant
    uint8_t count[2][8]            # entries in use or vacant
    uint8_t place[64]              # by square: the entry of the piece there; otherwise undefined
    uint8_t promoted_kind[2][8]    # by slot of the pawn: the kind it was promoted to, 0 for none
    uint8_t promoted_place[2][8]

# Changes of a move to the lists, for undoing it.
ctypedef struct PieceUndo:
    uint8_t us
    uint8_t kind                   # of the piece that moved; 0 for a null move
    uint8_t place
    uint8_t source
    uint8_t rook_place             # of castling
    uint8_t rook_source            # NO_SQUARE for other moves
    uint8_t taken_kind             # 0 for none
    uint8_t taken_place
    uint8_t taken_square
    uint8_t made_kind              # of a promotion, 0 for none
    uint8_t made_place
    uint8_t table_kind             # previous entry of the promotion table
    uint8_t table_place


cdef inline void list_pieces(Pieces* pieces, const Board* board) noexcept nogil:
    """Assign entries to all pieces in the order of the FEN: a8 to h8, then a7 to h7, down to h1."""
    cdef int row, file, square, code, count
    memset(pieces, 0, sizeof(Pieces))
    memset(pieces.square, NO_SQUARE, sizeof(pieces.square))
    for row in range(8):
        for file in range(8):
            square = (7 - row) << 3 | file
            code = board.squares[square]
            if code:
                count = pieces.count[code >> 3][code & 7]
                pieces.square[code >> 3][code & 7][count] = square
                pieces.place[square] = count
                pieces.count[code >> 3][code & 7] = count + 1


cdef inline int vacant_place(Pieces* pieces, int us, int kind) noexcept nogil:
    """Return the highest vacant entry of a list, or a new one."""
    cdef int place = pieces.count[us][kind] - 1
    while place >= 0 and pieces.square[us][kind][place] != NO_SQUARE:
        place -= 1
    if place < 0:
        # A list never has more than 64 entries: one for each piece on the board.
        place = pieces.count[us][kind] & 63
        pieces.count[us][kind] = place + 1
    return place


cdef inline void castle_pieces(Pieces* pieces, int us, int king, int rook, PieceUndo* undo) noexcept nogil:
    cdef int king_place = pieces.place[king], rook_place = pieces.place[rook]
    undo.rook_place = rook_place
    undo.rook_source = rook
    pieces.square[us][KING][king_place] = castled_king(king, rook)
    pieces.square[us][ROOK][rook_place] = castled_rook(king, rook)
    pieces.place[castled_king(king, rook)] = king_place
    pieces.place[castled_rook(king, rook)] = rook_place


cdef inline void promote_piece(Pieces* pieces, int us, int kind, int target, PieceUndo* undo) noexcept nogil:
    cdef int slot = undo.place, place
    pieces.square[us][PAWN][slot] = NO_SQUARE
    place = vacant_place(pieces, us, kind)
    pieces.square[us][kind][place] = target
    pieces.place[target] = place
    undo.made_kind = kind
    undo.made_place = place
    if slot < PAWN_SLOTS:
        undo.table_kind = pieces.promoted_kind[us][slot]
        undo.table_place = pieces.promoted_place[us][slot]
        pieces.promoted_kind[us][slot] = kind
        pieces.promoted_place[us][slot] = place


cdef inline void move_piece(Pieces* pieces, const Board* board, int move, PieceUndo* undo) noexcept nogil:
    """Apply a possible move, or the null move, to the lists; call it before the board makes the move."""
    cdef int source = source_of(move), target = target_of(move), us = board.turn
    cdef int kind = board.squares[source] & 7, taken = board.squares[target], square = target
    undo.us = us
    undo.kind = 0
    undo.rook_source = NO_SQUARE
    undo.taken_kind = undo.made_kind = 0
    if move == 0:
        return
    undo.kind = kind
    undo.place = pieces.place[source]
    undo.source = source
    if taken == code_of(us, ROOK):
        castle_pieces(pieces, us, source, target, undo)
        return
    if kind == PAWN and target == board.state.ep and (source ^ target) & 7:
        square = target ^ 8
        taken = board.squares[square]
    if taken:
        undo.taken_kind = taken & 7
        undo.taken_place = pieces.place[square]
        undo.taken_square = square
        pieces.square[us ^ 1][taken & 7][undo.taken_place] = NO_SQUARE
    if move >> 12:
        promote_piece(pieces, us, promotion_of(move), target, undo)
    else:
        pieces.square[us][kind][undo.place] = target
        pieces.place[target] = undo.place


cdef inline void take_back_piece(Pieces* pieces, const PieceUndo* undo) noexcept nogil:
    cdef int us = undo.us
    if undo.kind == 0:
        return
    if undo.made_kind:
        pieces.square[us][undo.made_kind][undo.made_place] = NO_SQUARE
        if undo.place < PAWN_SLOTS:
            pieces.promoted_kind[us][undo.place] = undo.table_kind
            pieces.promoted_place[us][undo.place] = undo.table_place
    pieces.square[us][undo.kind][undo.place] = undo.source
    pieces.place[undo.source] = undo.place
    if undo.rook_source != NO_SQUARE:
        pieces.square[us][ROOK][undo.rook_place] = undo.rook_source
        pieces.place[undo.rook_source] = undo.rook_place
    if undo.taken_kind:
        pieces.square[us ^ 1][undo.taken_kind][undo.taken_place] = undo.taken_square
        pieces.place[undo.taken_square] = undo.taken_place
