"""The packed position of BCGN: 24 bytes from a ``Board``, and a ``Board`` from 24 bytes. Linear in the number of men.

Eight bytes say which squares are occupied (big-endian, a1 is the lowest bit), then a nibble per man in ascending order
of squares, the low nibble of a byte first. Side to move, castling rights and the en passant square hide in marked men;
counters are not stored.
"""

import cython
from cython.cimports.libc.stdint import uint8_t, uint64_t
from cython.cimports.libc.string import memcmp, memset
from cython.cimports.tabiya.chess.bits import lowest
from cython.cimports.tabiya.chess.board import (
    BLACK,
    KING,
    NO_SQUARE,
    PAWN,
    ROOK,
    WHITE,
    Board,
    code_of,
    occupied,
    place,
)
from cython.cimports.tabiya.chess.fen_kernel import (
    clear_board,
    format_fen,
    grant_castling,
    legal_ep,
    read_fen,
    use_ep,
)
from cython.cimports.tabiya.chess.tables_kernel import TABLES

# Men with a mark.
JUMPED_PAWN = cython.declare(cython.int, 12)  # just made a double step, and may legally be taken for it
WHITE_CASTLING_ROOK = cython.declare(cython.int, 13)
BLACK_CASTLING_ROOK = cython.declare(cython.int, 14)
BLACK_KING_TO_MOVE = cython.declare(cython.int, 15)


def nibble_of(board, square, ep):
    code: cython.int = board.squares[square]
    color: cython.int = code >> 3
    kind: cython.int = code & 7
    if kind == PAWN and ep != NO_SQUARE and square == ep ^ 8:
        return JUMPED_PAWN
    if kind == KING and color == BLACK and board.turn == BLACK:
        return BLACK_KING_TO_MOVE
    if kind == ROOK:
        for side in range(2):
            right: cython.int = 2 * color + side
            if board.state.rights >> right & 1 and board.rook[right] == square:
                return BLACK_CASTLING_ROOK if color else WHITE_CASTLING_ROOK
    return 2 * (kind - 1) + color


def pack_board(board, out):
    """Fill 24 bytes; PACKED, or why the position has no such form."""
    men: uint64_t = occupied(board)
    ep: cython.int = legal_ep(board)
    number: cython.int = 0
    for right in range(4):
        # Files e and a or h, on the king's home rank: parse_fen has seen to the rank.
        if board.state.rights >> right & 1 and (
            board.king[right >> 1] & 7 != 4 or board.rook[right] & 7 != (0 if right & 1 else 7)
        ):
            return PACKED_CASTLING
    memset(out, 0, PACKED_BYTES)
    for index in range(8):
        out[index] = men >> (56 - 8 * index) & 255
    while men:
        if number == MOST_MEN:
            return PACKED_MEN
        out[8 + (number >> 1)] |= nibble_of(board, lowest(men), ep) << (4 * (number & 1))
        men &= men - 1
        number += 1
    return PACKED


def place_nibble(board, nibble, square, ep, rooks, kings):
    """Put one man on the board, and note what its mark says."""
    kind: cython.int = (nibble >> 1) + 1
    color: cython.int = nibble & 1
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


def unpack_board(packed, board):
    """Fill the board; PACKED, or why these bytes are no position. The board is then not to be used."""
    men: uint64_t = 0
    number: cython.int = 0
    code: cython.int
    ep: cython.int = NO_SQUARE
    rooks: cython.int = 0
    kings: cython.int = 0
    clear_board(board)
    for index in range(8):
        men = men << 8 | packed[index]
    while men:
        if number == MOST_MEN:
            return PACKED_MEN
        code = place_nibble(
            board,
            packed[8 + (number >> 1)] >> (4 * (number & 1)) & 15,
            lowest(men),
            cython.address(ep),
            cython.address(rooks),
            cython.address(kings),
        )
        if code != PACKED:
            return code
        men &= men - 1
        number += 1
    if kings != 3:
        return PACKED_KINGS
    for right in range(4):
        if rooks >> right & 1:
            if board.king[right >> 1] != 56 * (right >> 1) + 4:
                return PACKED_MARKS
            grant_castling(board, right >> 1, 56 * (right >> 1) + (0 if right & 1 else 7))
    if ep != NO_SQUARE:
        # A square that nobody may capture on says nothing; one behind a pawn of the side to move is nonsense.
        if ep >> 3 != (2 if board.turn else 5):
            return PACKED_MARKS
        use_ep(board, ep)
        board.state.ep_given = board.state.ep
    return PACKED


def format_start(board, out):
    """Return the FEN that a packed position is read as: an en passant square only where it can be used, no counters."""
    bare: Board = board[0]
    bare.state.halfmove = 0
    bare.fullmove = 1
    return format_fen(cython.address(bare), legal_ep(board), out)


def packs_to(fen, length, packed, board):
    """Return whether a FEN is the position that is packed in these bytes; the board is then as the FEN says."""
    again: uint8_t[PACKED_BYTES]
    return (
        read_fen(fen, length, False, board)
        and not board.chess960
        and pack_board(board, again) == PACKED
        and memcmp(again, packed, PACKED_BYTES) == 0
    )
