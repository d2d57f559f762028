"""Conversion of start positions between 28 bytes, in Chess960 with 8 more, and a ``Board``.

Byte 0 is 1. Byte 1 has the file of an en passant square (bits 0-3, 0 for none) and bit 4 if Black moves. Byte 2 has
castling rights, byte 3 the number of the first move. Then come 64 squares up the files, one bit for an empty one, else
five: 1, colour, and three bits for the piece. There is no clock of half moves.
"""

from libc.string cimport memset

from tabiya.chess.board cimport (
    BISHOP, BLACK, KING, KING_SIDE, KNIGHT, NO_SQUARE, PAWN, QUEEN, QUEEN_SIDE, ROOK, WHITE, code_of, place
)
from tabiya.chess.fen_kernel cimport clear_board, grant_castling, outermost_rook, use_ep
from tabiya.chess.tables_kernel cimport TABLES
from tabiya.formats.cbh.bodies.move_tables_kernel cimport square_of, stored_square

cdef int MOST_PIECES = 32
cdef unsigned int LAST_NUMBER = 255

# Piece types by stored number, and the reverse.
cdef char* TYPE_OF = b"\x00\x06\x05\x02\x03\x04\x01\x00"
cdef char* STORED_TYPE = b"\x00\x06\x03\x04\x05\x02\x01\x00"
# The squares of two knights on five files as sets, in the order of Scharnagl's scheme.
cdef char* KNIGHTS = b"\x03\x05\x09\x11\x06\x0a\x12\x0c\x14\x18"
# Where the initial squares of Chess960 rooks begin after the 28 bytes, in the order of ``Board.rook``.
cdef int FIRST_ROOK = 2


cdef int right_bit(int right) noexcept nogil:
    """Return the bit of byte 2: White queen side, king side, then Black; ``right`` counts as ``Board.rook`` does."""
    return (1 if right & 1 == QUEEN_SIDE else 2) << (2 * (right >> 1))


cdef void usual_homes(Homes* homes) noexcept nogil:
    homes.king[WHITE] = 4
    homes.king[BLACK] = 60
    homes.rook[0] = 7
    homes.rook[1] = 0
    homes.rook[2] = 63
    homes.rook[3] = 56


cdef void read_homes(const uint8_t* data, Homes* homes) noexcept nogil:
    cdef int stored
    homes.king[WHITE] = square_of(data[0]) if data[0] < 64 else NO_SQUARE
    homes.king[BLACK] = square_of(data[1]) if data[1] < 64 else NO_SQUARE
    for right in range(4):
        stored = data[FIRST_ROOK + right]
        homes.rook[right] = square_of(stored) if stored < 64 else NO_SQUARE


cdef bint read_pieces(const uint8_t* data, Board* board) noexcept nogil:
    """Put the pieces on an empty board; False if the position is invalid."""
    cdef int code
    cdef int color
    cdef int piece_type
    cdef int square
    cdef int place_bit = 0
    cdef int kings[2]
    kings[WHITE] = kings[BLACK] = 0
    for stored in range(64):
        if place_bit > 191:
            return False
        if not data[place_bit >> 3] >> (7 - (place_bit & 7)) & 1:
            place_bit += 1
            continue
        if place_bit > 187:
            return False
        code = 0
        for offset in range(1, 5):
            code = code << 1 | data[(place_bit + offset) >> 3] >> (7 - ((place_bit + offset) & 7)) & 1
        place_bit += 5
        color = code >> 3
        piece_type = TYPE_OF[code & 7]
        square = square_of(stored)
        if piece_type == 0 or (piece_type == PAWN and (square < 8 or square > 55)):
            return False
        place(board, code_of(color, piece_type), square)
        if piece_type == KING:
            board.king[color] = square
            kings[color] += 1
    return kings[WHITE] == 1 and kings[BLACK] == 1


cdef void grant_rights(Board* board, const Homes* homes, int rights) noexcept nogil:
    """Grant the given rights if king and rook are at home."""
    cdef int color
    cdef int rook
    cdef int king
    for right in range(4):
        color = right >> 1
        rook = homes.rook[right]
        king = board.king[color]
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


cdef bint read_setup(const uint8_t* data, bint chess960, int granted, Board* board, Homes* homes) noexcept nogil:
    """Fill the board; False if the position is invalid. ``granted`` are rights the game uses without having them."""
    cdef int rights = granted
    cdef int ep = data[1] & 15
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


cdef bint write_setup(const Board* board, uint8_t* out) noexcept nogil:
    """Write 28 bytes; False if part of the position cannot be stored."""
    cdef int code
    cdef int place_bit = 0
    cdef int pieces = 0
    memset(out, 0, SETUP_SIZE)
    out[0] = 1
    out[1] = (16 if board.turn else 0) | ((board.state.ep_given & 7) + 1 if board.state.ep_given != NO_SQUARE else 0)
    for right in range(4):
        if board.state.rights >> right & 1:
            out[2] |= right_bit(right)
    out[3] = board.fullmove if board.fullmove <= LAST_NUMBER else LAST_NUMBER
    for stored in range(64):
        code = board.squares[square_of(stored)]
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


cdef int guessed_rook(const Board* board, int color, int side) noexcept nogil:
    """Return the rook that castles on a side; without castling rights, its initial square."""
    cdef int rook = board.rook[2 * color + side]
    if rook == NO_SQUARE:
        rook = outermost_rook(board, color, side)
    if rook == NO_SQUARE:
        rook = (board.king[color] & 56) + (7 if side == KING_SIDE else 0)
    return rook


cdef int start_number(const Board* board) noexcept nogil:
    """Return the number of a start position of Chess960 (Scharnagl's scheme), 0 for any other position."""
    cdef int code
    cdef int light = -1
    cdef int dark = -1
    cdef int queen = -1
    cdef int knights = 0
    cdef int rest = 0
    cdef int free = 0
    for file in range(8):
        code = board.squares[file]
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


cdef void write_homes(const Board* board, uint8_t* out) noexcept nogil:
    """Write the additional bytes of Chess960: kings, rooks, and the number of the start position."""
    cdef int number = start_number(board)
    out[0] = stored_square(board.king[WHITE])
    out[1] = stored_square(board.king[BLACK])
    for right in range(4):
        out[FIRST_ROOK + right] = stored_square(guessed_rook(board, right >> 1, right & 1))
    out[6] = number >> 8
    out[7] = number & 255
