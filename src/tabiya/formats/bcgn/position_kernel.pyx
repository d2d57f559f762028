"""The packed position of BCGN: a ``Board`` to 24 bytes and back. Linear in the number of pieces.

Eight bytes contain the occupied squares (big-endian, a1 is the lowest bit), followed by a nibble per piece in ascending
order of squares, the low nibble of a byte first. Side to move, castling rights and the en passant square are encoded in
marked pieces; counters are not stored.
"""

from libc.stdint cimport uint64_t
from libc.string cimport memcmp, memset

from tabiya.chess.bits cimport lowest
from tabiya.chess.board cimport BLACK, KING, NO_SQUARE, PAWN, ROOK, WHITE, code_of, occupied, place
from tabiya.chess.fen_kernel cimport clear_board, format_fen, grant_castling, legal_ep, read_fen, use_ep
from tabiya.chess.tables_kernel cimport TABLES
from tabiya.formats.bcgn.fields cimport PACKED_BYTES

# Pieces with a mark.
cdef int JUMPED_PAWN = 12  # just made a double step, and can legally be captured en passant
cdef int WHITE_CASTLING_ROOK = 13
cdef int BLACK_CASTLING_ROOK = 14
cdef int BLACK_KING_TO_MOVE = 15


cdef int nibble_of(const Board* board, int square, int ep) noexcept nogil:
    cdef int right
    cdef int code = board.squares[square]
    cdef int color = code >> 3
    cdef int kind = code & 7
    if kind == PAWN and ep != NO_SQUARE and square == ep ^ 8:
        return JUMPED_PAWN
    if kind == KING and color == BLACK and board.turn == BLACK:
        return BLACK_KING_TO_MOVE
    if kind == ROOK:
        for side in range(2):
            right = 2 * color + side
            if board.state.rights >> right & 1 and board.rook[right] == square:
                return BLACK_CASTLING_ROOK if color else WHITE_CASTLING_ROOK
    return 2 * (kind - 1) + color


cdef int pack_board(const Board* board, uint8_t* out) noexcept nogil:
    """Fill 24 bytes; return PACKED, or why the position cannot be packed."""
    cdef uint64_t pieces = occupied(board)
    cdef int ep = legal_ep(board)
    cdef int number = 0
    for right in range(4):
        # Files e and a or h, on the king's home rank: parse_fen has checked the rank.
        if board.state.rights >> right & 1 and (
            board.king[right >> 1] & 7 != 4 or board.rook[right] & 7 != (0 if right & 1 else 7)
        ):
            return PACKED_CASTLING
    memset(out, 0, PACKED_BYTES)
    for index in range(8):
        out[index] = pieces >> (56 - 8 * index) & 255
    while pieces:
        if number == MOST_PIECES:
            return PACKED_PIECES
        out[8 + (number >> 1)] |= nibble_of(board, lowest(pieces), ep) << (4 * (number & 1))
        pieces &= pieces - 1
        number += 1
    return PACKED


cdef int place_nibble(Board* board, int nibble, int square, int* ep, int* rooks, int* kings) noexcept nogil:
    """Put one piece on the board, and apply its mark."""
    cdef int kind = (nibble >> 1) + 1
    cdef int color = nibble & 1
    if nibble == JUMPED_PAWN:
        if (square >> 3 != 3 and square >> 3 != 4) or ep[0] != NO_SQUARE:
            return PACKED_MARKS
        kind = PAWN
        color = BLACK if square >> 3 == 4 else WHITE
        ep[0] = square ^ 8
    elif nibble == WHITE_CASTLING_ROOK or nibble == BLACK_CASTLING_ROOK:
        kind = ROOK
        color = BLACK if nibble == BLACK_CASTLING_ROOK else WHITE
        if square != 56 * color and square != 56 * color + 7:
            return PACKED_MARKS
        rooks[0] |= 1 << (2 * color + (square & 7 == 0))
    elif nibble == BLACK_KING_TO_MOVE:
        kind = KING
        color = BLACK
        board.turn = BLACK
        board.key ^= TABLES.turn_key
    if kind == PAWN and (square < 8 or square > 55):
        return PACKED_PAWNS
    if kind == KING:
        if kings[0] >> color & 1:
            return PACKED_KINGS
        kings[0] |= 1 << color
        board.king[color] = square
    place(board, code_of(color, kind), square)
    return PACKED


cdef int unpack_board(const uint8_t* packed, Board* board) noexcept nogil:
    """Fill the board; return PACKED, or why these bytes are invalid. The board is then undefined."""
    cdef uint64_t pieces = 0
    cdef int number = 0
    cdef int code
    cdef int ep = NO_SQUARE
    cdef int rooks = 0
    cdef int kings = 0
    clear_board(board)
    for index in range(8):
        pieces = pieces << 8 | packed[index]
    while pieces:
        if number == MOST_PIECES:
            return PACKED_PIECES
        code = place_nibble(
            board,
            packed[8 + (number >> 1)] >> (4 * (number & 1)) & 15,
            lowest(pieces),
            &ep,
            &rooks,
            &kings,
        )
        if code != PACKED:
            return code
        pieces &= pieces - 1
        number += 1
    if kings != 3:
        return PACKED_KINGS
    for right in range(4):
        if rooks >> right & 1:
            if board.king[right >> 1] != 56 * (right >> 1) + 4:
                return PACKED_MARKS
            grant_castling(board, right >> 1, 56 * (right >> 1) + (0 if right & 1 else 7))
    if ep != NO_SQUARE:
        # A square without a legal capture has no effect; one behind a pawn of the side to move is invalid.
        if ep >> 3 != (2 if board.turn else 5):
            return PACKED_MARKS
        use_ep(board, ep)
        board.state.ep_given = board.state.ep
    return PACKED


cdef int format_start(const Board* board, unsigned char* out) noexcept nogil:
    """Return the FEN that a packed position is read as: an en passant square only where it can be used, no counters."""
    cdef Board bare = board[0]
    bare.state.halfmove = 0
    bare.fullmove = 1
    return format_fen(&bare, legal_ep(board), out)


cdef bint packs_to(const uint8_t* fen, Py_ssize_t length, const uint8_t* packed, Board* board) noexcept nogil:
    """Return whether a FEN is the position packed in these bytes; the board is then set from the FEN."""
    cdef uint8_t again[PACKED_BYTES]
    return (
        read_fen(fen, length, False, board)
        and not board.chess960
        and pack_board(board, again) == PACKED
        and memcmp(again, packed, PACKED_BYTES) == 0
    )
