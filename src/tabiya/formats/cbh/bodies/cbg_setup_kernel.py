"""Start positions of games: 28 bytes, in Chess960 with 8 more, to a ``Board`` and back.

Byte 0 is 1. Byte 1 has the file of an en passant square (bits 0-3, 0 for none) and bit 4 if Black moves. Byte 2 has
castling rights, byte 3 the number of the first move. Then come 64 squares up the files, one bit for an empty one, else
five: 1, colour, and three bits for the piece. There is no clock of half moves.
"""

import cython
from cython.cimports.libc.string import memset
from cython.cimports.tabiya.chess.board import (
    BISHOP,
    BLACK,
    KING,
    KING_SIDE,
    KNIGHT,
    NO_SQUARE,
    PAWN,
    QUEEN,
    QUEEN_SIDE,
    ROOK,
    WHITE,
    code_of,
    place,
)
from cython.cimports.tabiya.chess.fen_kernel import clear_board, grant_castling, outermost_rook, use_ep
from cython.cimports.tabiya.chess.tables_kernel import TABLES
from cython.cimports.tabiya.formats.cbh.bodies.move_tables_kernel import square_of, stored_square

MOST_PIECES = cython.declare(cython.int, 32)
LAST_NUMBER = cython.declare(cython.uint, 255)

# By stored number of a piece its type, and the other way round.
TYPE_OF = cython.declare(cython.p_char, b"\x00\x06\x05\x02\x03\x04\x01\x00")
STORED_TYPE = cython.declare(cython.p_char, b"\x00\x06\x03\x04\x05\x02\x01\x00")
# The places of two knights on five files as sets, in the order of Scharnagl's scheme.
KNIGHTS = cython.declare(cython.p_char, b"\x03\x05\x09\x11\x06\x0a\x12\x0c\x14\x18")
# Where the rooks of Chess960 begin among the squares behind the 28 bytes, in the order of ``Board.rook``.
FIRST_ROOK = cython.declare(cython.int, 2)


def right_bit(right):
    """Return the bit of byte 2: White queen side, king side, then Black; ``right`` counts as ``Board.rook`` does."""
    return (1 if right & 1 == QUEEN_SIDE else 2) << (2 * (right >> 1))


def usual_homes(homes):
    homes.king[WHITE] = 4
    homes.king[BLACK] = 60
    homes.rook[0] = 7
    homes.rook[1] = 0
    homes.rook[2] = 63
    homes.rook[3] = 56


def read_homes(data, homes):
    homes.king[WHITE] = square_of(data[0]) if data[0] < 64 else NO_SQUARE
    homes.king[BLACK] = square_of(data[1]) if data[1] < 64 else NO_SQUARE
    for right in range(4):
        stored: cython.int = data[FIRST_ROOK + right]
        homes.rook[right] = square_of(stored) if stored < 64 else NO_SQUARE


def read_pieces(data, board):
    """Put the pieces on an empty board; False if they make no position."""
    place_bit: cython.int = 0
    kings: cython.int[2]
    kings[WHITE] = kings[BLACK] = 0
    for stored in range(64):
        if place_bit > 191:
            return False
        if not data[place_bit >> 3] >> (7 - (place_bit & 7)) & 1:
            place_bit += 1
            continue
        if place_bit > 187:
            return False
        code: cython.int = 0
        for offset in range(1, 5):
            code = code << 1 | data[(place_bit + offset) >> 3] >> (7 - ((place_bit + offset) & 7)) & 1
        place_bit += 5
        color: cython.int = code >> 3
        piece_type: cython.int = TYPE_OF[code & 7]
        square: cython.int = square_of(stored)
        if piece_type == 0 or (piece_type == PAWN and (square < 8 or square > 55)):
            return False
        place(board, code_of(color, piece_type), square)
        if piece_type == KING:
            board.king[color] = square
            kings[color] += 1
    return kings[WHITE] == 1 and kings[BLACK] == 1


def grant_rights(board, homes, rights):
    """Grants those of the rights whose king and rook stand at home."""
    for right in range(4):
        color: cython.int = right >> 1
        rook: cython.int = homes.rook[right]
        king: cython.int = board.king[color]
        if (
            rights >> right & 1
            and not board.state.rights >> right & 1
            and homes.king[color] == king
            and rook != NO_SQUARE
            and king >> 3 == (7 if color else 0)
            and rook >> 3 == king >> 3
            and (rook > king) == (right & 1 == KING_SIDE)
            and board.squares[rook] == code_of(color, ROOK)
        ):
            grant_castling(board, color, rook)


def read_setup(data, chess960, granted, board, homes):
    """Fill the board; False if this is no position. ``granted`` are rights that the game uses without having them."""
    rights: cython.int = granted
    ep: cython.int = data[1] & 15
    clear_board(board)
    board.chess960 = chess960
    if not read_pieces(data + 4, board):
        return False
    if data[1] & 16:
        board.turn = BLACK
        board.key ^= TABLES.turn_key
    if chess960:
        read_homes(data + SETUP_SIZE, homes)
    else:
        usual_homes(homes)
    for right in range(4):
        if data[2] & right_bit(right):
            rights |= 1 << right
    grant_rights(board, homes, rights)
    if 1 <= ep <= 8:
        board.state.ep_given = ep - 1 + (16 if board.turn else 40)
        use_ep(board, board.state.ep_given)
    board.fullmove = data[3] if data[3] else 1
    return True


def write_setup(board, out):
    """Write 28 bytes; False if something of the position has no place in them."""
    place_bit: cython.int = 0
    pieces: cython.int = 0
    memset(out, 0, SETUP_SIZE)
    out[0] = 1
    out[1] = (16 if board.turn else 0) | ((board.state.ep_given & 7) + 1 if board.state.ep_given != NO_SQUARE else 0)
    for right in range(4):
        if board.state.rights >> right & 1:
            out[2] |= right_bit(right)
    out[3] = board.fullmove if board.fullmove <= LAST_NUMBER else LAST_NUMBER
    for stored in range(64):
        code: cython.int = board.squares[square_of(stored)]
        if code == 0:
            place_bit += 1
            continue
        pieces += 1
        if pieces > MOST_PIECES:
            return False
        code = 16 | code & 8 | STORED_TYPE[code & 7]
        for offset in range(5):
            if code >> (4 - offset) & 1:
                out[4 + ((place_bit + offset) >> 3)] |= 128 >> ((place_bit + offset) & 7)
        place_bit += 5
    return True


def guessed_rook(board, color, side):
    """Return the rook that castles on a side; if none may, the square where it would be at the start."""
    rook: cython.int = board.rook[2 * color + side]
    if rook == NO_SQUARE:
        rook = outermost_rook(board, color, side)
    if rook == NO_SQUARE:
        rook = (board.king[color] & 56) + (7 if side == KING_SIDE else 0)
    return rook


def start_number(board):
    """Return the number of a start position of Chess960 (Scharnagl's scheme), 0 if this is none."""
    light: cython.int = -1
    dark: cython.int = -1
    queen: cython.int = -1
    knights: cython.int = 0
    rest: cython.int = 0
    free: cython.int = 0
    for file in range(8):
        code: cython.int = board.squares[file]
        if (
            code == 0
            or code >> 3
            or board.squares[file + 56] != code_of(BLACK, code)
            or board.squares[file + 8] != PAWN
            or board.squares[file + 48] != code_of(BLACK, PAWN)
        ):
            return 0
        if code == BISHOP:
            if file & 1:
                light = file >> 1
            else:
                dark = file >> 1
            continue
        if code == QUEEN:
            queen = free
        else:
            if code == KNIGHT:
                knights |= 1 << rest
            rest += 1
        free += 1
    for square in range(16, 48):
        if board.squares[square]:
            return 0
    if light < 0 or dark < 0 or queen < 0 or rest != 5:
        return 0
    for number in range(10):
        if KNIGHTS[number] == knights:
            return ((number * 6 + queen) * 4 + dark) * 4 + light
    return 0


def write_homes(board, out):
    """Write what Chess960 adds to the 28 bytes: kings, rooks, and the number of the start position."""
    number: cython.int = start_number(board)
    out[0] = stored_square(board.king[WHITE])
    out[1] = stored_square(board.king[BLACK])
    for right in range(4):
        out[FIRST_ROOK + right] = stored_square(guessed_rook(board, right >> 1, right & 1))
    out[6] = number >> 8
    out[7] = number & 255
