"""FEN in and out: reads text, fills a ``Board``; reads a ``Board``, writes text. Linear in the length of the text.

Accepts one to six fields; castling as KQkq (X-FEN: the outermost rook), as files (Shredder-FEN), or mixed. A right
without king and rook in place is dropped, as all programs do; an en passant square is kept as given and used only if
a pawn can really just have jumped over it. Any other mistake is an error with its offset.
"""

from libc.stdint cimport uint64_t
from libc.string cimport memset

from tabiya.chess.bits cimport lowest
from tabiya.chess.board cimport (
    BLACK, KING, KING_SIDE, NO_FILE, NO_SQUARE, PAWN, QUEEN_SIDE, ROOK, WHITE, code_of, leaves_king_safe, place
)
from tabiya.chess.letters cimport (
    CASE_BIT, MINUS, SLASH, SPACE, TAB, format_number, is_digit, is_file, is_newline, is_rank
)
from tabiya.chess.san cimport letter_of_piece, piece_of_letter
from tabiya.chess.tables_kernel cimport TABLES

START = b"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"


# --- in --------------------------------------------------------------------------------------------------------------


cdef void clear_board(Board* board) noexcept nogil:
    memset(board, 0, sizeof(Board))
    memset(board.rights_mask, 15, 64)
    memset(board.rook, NO_SQUARE, 4)
    memset(board.king, NO_SQUARE, 2)
    board.state.ep = NO_SQUARE
    board.state.ep_given = NO_SQUARE
    board.state.ep_file = NO_FILE
    board.fullmove = 1
    board.key = TABLES.turn_key


cdef bint is_blank(int letter) noexcept nogil:
    """Space, tab, or line ending."""
    return letter == SPACE or letter == TAB or is_newline(letter)


cdef int skip_field(const unsigned char* text, int length, int start) noexcept nogil:
    while start < length and not is_blank(text[start]):
        start += 1
    return start


cdef int skip_blanks(const unsigned char* text, int length, int start) noexcept nogil:
    while start < length and is_blank(text[start]):
        start += 1
    return start


cdef int parse_placement(const unsigned char* text, int length, Board* board, int* offset) noexcept nogil:
    cdef int letter
    cdef int color
    cdef int piece_type
    cdef int rank = 7
    cdef int file = 0
    cdef int kings[2]
    kings[WHITE] = kings[BLACK] = 0
    for index in range(length):
        letter = text[index]
        offset[0] = index
        if letter == SLASH:
            if file != 8:
                return FEN_RANK_LENGTH
            rank -= 1
            file = 0
            if rank < 0:
                return FEN_RANK_COUNT
        elif is_rank(letter):
            file += letter - ord("0")
        else:
            color = BLACK if letter & CASE_BIT else WHITE
            piece_type = piece_of_letter(letter & ~CASE_BIT)
            if piece_type == 0 or letter < ord("A"):
                return FEN_PIECE
            if file > 7:
                return FEN_RANK_LENGTH
            if piece_type == PAWN and (rank == 0 or rank == 7):
                return FEN_PAWNS
            place(board, code_of(color, piece_type), rank * 8 + file)
            if piece_type == KING:
                board.king[color] = rank * 8 + file
                kings[color] += 1
            file += 1
        if file > 8:
            return FEN_RANK_LENGTH
    offset[0] = length
    if file != 8:
        return FEN_RANK_LENGTH
    if rank != 0:
        return FEN_RANK_COUNT
    return FEN_OK if kings[WHITE] == 1 and kings[BLACK] == 1 else FEN_KINGS


cdef int outermost_rook(const Board* board, int color, int side) noexcept nogil:
    """Return the rook farthest from the king on the king's home rank, or NO_SQUARE."""
    cdef int king = board.king[color]
    cdef int square = king | 7 if side == KING_SIDE else king & 56
    while square != king:
        if board.squares[square] == code_of(color, ROOK):
            return square
        square += -1 if side == KING_SIDE else 1
    return NO_SQUARE


cdef int ready_rook(const Board* board, int color, int letter) noexcept nogil:
    """Return the rook that K, Q or a file names, if it can castle with the king, else NO_SQUARE."""
    cdef int king = board.king[color]
    cdef int rook
    if king >> 3 != (7 if color else 0):
        return NO_SQUARE
    if letter == ord("K") or letter == ord("Q"):
        return outermost_rook(board, color, KING_SIDE if letter == ord("K") else QUEEN_SIDE)
    rook = (king & 56) + letter - ord("A")
    return rook if board.squares[rook] == code_of(color, ROOK) else NO_SQUARE


cdef bint is_usual(const Board* board, int color, int rook) noexcept nogil:
    """Return whether king and rook castle from their squares in the usual start position."""
    return board.king[color] & 7 == 4 and (rook & 7 == 0 or rook & 7 == 7)


cdef bint castles_unusually(const Board* board) noexcept nogil:
    """Return whether there is a right to castle that only Chess960 has."""
    for right in range(4):
        if board.state.rights >> right & 1 and not is_usual(board, right >> 1, board.rook[right]):
            return True
    return False


cdef bint grant_castling(Board* board, int color, int rook) noexcept nogil:
    """Record the right to castle with this rook. False if the side already has it with another rook."""
    cdef int king = board.king[color]
    cdef int right = 2 * color + (KING_SIDE if rook > king else QUEEN_SIDE)
    if board.state.rights >> right & 1:
        return board.rook[right] == rook
    board.state.rights |= 1 << right
    board.rook[right] = rook
    board.rights_mask[rook] &= ~(1 << right)
    board.rights_mask[king] &= ~(1 << right)
    board.key ^= TABLES.castling_key[1 << right]
    return True


cdef int parse_castling_field(const unsigned char* text, int length, Board* board, int* offset) noexcept nogil:
    cdef int letter
    cdef int color
    cdef int rook
    if length == 1 and text[0] == MINUS:
        return FEN_OK
    # A file can show that this is Chess960, which also affects a K or Q before it. Hence two passes.
    for index in range(length):
        offset[0] = index
        letter = text[index] & ~CASE_BIT
        color = BLACK if text[index] & CASE_BIT else WHITE
        if ord("A") <= letter <= ord("H"):
            rook = ready_rook(board, color, letter)
            if rook != NO_SQUARE and not is_usual(board, color, rook):
                board.chess960 = True
        elif letter != ord("K") and letter != ord("Q"):
            return FEN_CASTLING
    for index in range(length):
        offset[0] = index
        color = BLACK if text[index] & CASE_BIT else WHITE
        rook = ready_rook(board, color, text[index] & ~CASE_BIT)
        if rook == NO_SQUARE or (not board.chess960 and not is_usual(board, color, rook)):
            continue
        if not grant_castling(board, color, rook):
            return FEN_CASTLING
    return FEN_OK


cdef void use_ep(Board* board, int square) noexcept nogil:
    """Activate the square if a pawn of the side that has just moved can have jumped over it."""
    cdef int us = board.turn
    cdef int origin = square + (8 if us == WHITE else -8)
    if (
        square >> 3 == (5 if us == WHITE else 2)
        and board.squares[square ^ 8] == code_of(us ^ 1, PAWN)
        and board.squares[square] == 0
        and board.squares[origin] == 0
    ):
        board.state.ep = square
        if TABLES.pawn[us ^ 1][square] & board.types[PAWN] & board.colors[us]:
            board.state.ep_file = square & 7
            board.key ^= TABLES.ep_key[board.state.ep_file]


cdef int parse_ep_field(const unsigned char* text, int length, Board* board) noexcept nogil:
    if length == 1 and text[0] == MINUS:
        return FEN_OK
    if length != 2 or not is_file(text[0]) or (text[1] != ord("3") and text[1] != ord("6")):
        return FEN_EP
    board.state.ep_given = text[0] - ord("a") + 8 * (text[1] - ord("1"))
    use_ep(board, board.state.ep_given)
    return FEN_OK


cdef int parse_count(const unsigned char* text, int length) noexcept nogil:
    """Return a number of at most MAX_COUNT, or -1."""
    cdef int value = 0
    if length == 0 or length > 5:
        return -1
    for index in range(length):
        if not is_digit(text[index]):
            return -1
        value = 10 * value + text[index] - ord("0")
    return value if value <= MAX_COUNT else -1


cdef int parse_fen(const unsigned char* text, int length, bint chess960, Board* board, int* offset) noexcept nogil:
    """Fill the board; return FEN_OK, or an error code with its offset. After an error the board is not usable."""
    cdef int start = skip_blanks(text, length, 0)
    cdef int end = skip_field(text, length, start)
    cdef int field = 0
    cdef int code
    cdef int count
    clear_board(board)
    board.chess960 = chess960
    offset[0] = 0
    if start == end:
        return FEN_EMPTY
    code = parse_placement(text + start, end - start, board, offset)
    while code == FEN_OK:
        start = skip_blanks(text, length, end)
        if start >= length:
            return FEN_OK
        end = skip_field(text, length, start)
        field += 1
        offset[0] = 0
        if field == 1:
            if end - start != 1 or (text[start] != ord("w") and text[start] != ord("b")):
                code = FEN_TURN
            elif text[start] == ord("b"):
                board.turn = BLACK
                board.key ^= TABLES.turn_key
        elif field == 2:
            code = parse_castling_field(text + start, end - start, board, offset)
        elif field == 3:
            code = parse_ep_field(text + start, end - start, board)
        elif field > 5:
            code = FEN_TRAILING
        elif end - start != 1 or text[start] != MINUS:  # used for a missing clock
            count = parse_count(text + start, end - start)
            if count < 0:
                code = FEN_CLOCK
            elif field == 4:
                board.state.halfmove = count
            else:
                board.fullmove = count
    offset[0] += start
    return code


cdef void start_board(Board* board) noexcept nogil:
    """Set up the standard start position."""
    cdef int offset
    parse_fen(<const unsigned char*> START_TEXT, START_LENGTH, False, board, &offset)


# --- out -------------------------------------------------------------------------------------------------------------


cdef int format_placement(const Board* board, unsigned char* out) noexcept nogil:
    cdef int rank
    cdef int empty
    cdef int code
    cdef int length = 0
    for row in range(8):
        rank = 7 - row
        empty = 0
        if row:
            out[length] = SLASH
            length += 1
        for file in range(8):
            code = board.squares[rank * 8 + file]
            if code == 0:
                empty += 1
                continue
            if empty:
                out[length] = ord("0") + empty
                length += 1
                empty = 0
            out[length] = letter_of_piece(code & 7) | (CASE_BIT if code >> 3 else 0)
            length += 1
        if empty:
            out[length] = ord("0") + empty
            length += 1
    return length


cdef int format_castling(const Board* board, unsigned char* out) noexcept nogil:
    """KQkq; a file where the rook is not the outermost one (X-FEN)."""
    cdef int color
    cdef int side
    cdef int rook
    cdef int letter
    cdef int length = 0
    for right in range(4):
        if board.state.rights >> right & 1:
            color = right >> 1
            side = right & 1
            rook = board.rook[right]
            letter = ord("K") if side == KING_SIDE else ord("Q")
            if rook != outermost_rook(board, color, side):
                letter = ord("A") + (rook & 7)
            out[length] = letter | (CASE_BIT if color else 0)
            length += 1
    if length == 0:
        out[0] = MINUS
        length = 1
    return length


cdef int format_fen(const Board* board, int ep, unsigned char* out) noexcept nogil:
    """Write six fields with ``ep`` as the en passant square (or NO_SQUARE); at most MAX_FEN bytes."""
    cdef int length = format_placement(board, out)
    out[length] = SPACE
    out[length + 1] = ord("b") if board.turn else ord("w")
    out[length + 2] = SPACE
    length += 3
    length += format_castling(board, out + length)
    out[length] = SPACE
    length += 1
    if ep == NO_SQUARE:
        out[length] = MINUS
        length += 1
    else:
        out[length] = ord("a") + (ep & 7)
        out[length + 1] = ord("1") + (ep >> 3)
        length += 2
    out[length] = SPACE
    length += 1
    length += format_number(board.state.halfmove, out + length)
    out[length] = SPACE
    length += 1
    return length + format_number(board.fullmove, out + length)


cdef int legal_ep(const Board* board) noexcept nogil:
    """Return the en passant square if a legal capture there exists, else NO_SQUARE."""
    cdef uint64_t pawns
    cdef int us = board.turn
    if board.state.ep_file == NO_FILE:
        return NO_SQUARE
    pawns = TABLES.pawn[us ^ 1][board.state.ep] & board.types[PAWN] & board.colors[us]
    while pawns:
        if leaves_king_safe(board, lowest(pawns), board.state.ep):
            return board.state.ep
        pawns &= pawns - 1
    return NO_SQUARE


cdef char* START_TEXT = START
cdef int START_LENGTH = len(START)
