"""CTG's signatures: packs boards, seen from the side to move, and back; hashes them, and numbers moves.

Constant time per position: 64 squares and at most 31 bytes. Signatures are not trusted; invalid bits result in an
error code, see ``signature_kernel.pxd``. The functions for Python convert single positions, and positions in games that
are replayed; all other bulk work is in the other kernels.
"""

from libc.stdint cimport int64_t, uint16_t, uint64_t
from libc.string cimport memcmp

from tabiya.chess.bits cimport byteswap
from tabiya.chess.board cimport (
    BLACK, EMPTY, KING, KING_SIDE, NO_FILE, NO_SQUARE, PAWN, QUEEN, QUEEN_SIDE, ROOK, WHITE, attacked, code_of,
    is_legal, make_move, move_of, occupied, place, source_of, target_of
)
from tabiya.chess.fen_kernel cimport (
    LONGEST_FEN, clear_board, grant_castling, legal_ep, parse_fen, start_board, use_ep
)
from tabiya.chess.position_kernel cimport PositionCore
from tabiya.positions.frame cimport frame_mask as mask_of

from tabiya.books.ctg.codes import CODES, HASH_TABLE, OPCODES, PIECE_BITS, Special

# === tables of codes ==================================================================================================
# Fills the tables that ``signature_kernel.pyx`` shares with the kernels of CTG, from the data in ``codes``, on import.

cdef void fill_codes():
    for piece in range(7):
        for number in range(8):
            for step in range(64):
                CODE_TABLES.code[piece][number][step] = -1
    for byte in range(256):
        CODE_TABLES.meaning[byte].special = NO_MOVE
    for place, opcode in enumerate(OPCODES):
        code = CODES[place]
        CODE_TABLES.meaning[code] = Meaning(
            special=opcode.special, piece=opcode.piece, number=opcode.number, right=opcode.right, forward=opcode.forward
        )
        if opcode.special != Special.STEP:
            CODE_TABLES.special[opcode.special] = code
            continue
        step = opcode.right | opcode.forward << 3
        if CODE_TABLES.code[opcode.piece][opcode.number][step] < 0:  # of two codes for a move the first is written
            CODE_TABLES.code[opcode.piece][opcode.number][step] = code


cdef void fill_symbols():
    for piece, text in PIECE_BITS.items():
        for color in range(2 if piece else 1):
            bits = int(text, 2) | color
            length = len(text)
            CODE_TABLES.symbol[color << 3 | piece] = Symbol(value=bits, length=length)
            for rest in range(1 << 6 - length):
                CODE_TABLES.piece[bits << 6 - length | rest] = Symbol(value=color << 3 | piece, length=length)


cdef void fill_hash():
    for place, value in enumerate(HASH_TABLE):
        CODE_TABLES.hash[place] = value


fill_codes()
fill_symbols()
fill_hash()


# === positions ========================================================================================================

cdef enum:
    HAS_EP = 0x20
    HAS_CASTLING = 0x40


cdef inline void put_piece(Frame* frame, int square, int code) noexcept nogil:
    """Put a piece on a square, or leave it empty; squares must come in the order of the book, file by file.

    There is no branch: empty squares are listed, too, because processors cannot predict whether a square has a piece.
    """
    frame.squares[square] = code
    frame.pieces[code][frame.counts[code]] = square
    frame.counts[code] += 1


cdef int MAX_NUMBER = 8  # pawns; of other pieces only three have codes


# --- between boards and frames ---------------------------------------------------------------------------------------


cdef void clear_frame(Frame* frame) noexcept nogil:
    """Empty a frame: no pieces, no rights."""
    memset(frame.counts, 0, 16)
    frame.rights = frame.mask = 0
    frame.rooks[KING_SIDE] = frame.rooks[QUEEN_SIDE] = NO_SQUARE
    frame.ep_file = NO_FILE


cdef void frame_of_board(const Board* board, bint pseudo, Frame* frame) noexcept nogil:
    """Normalise a position. ``pseudo`` keeps an en passant capture that a pin forbids, as some programs do."""
    cdef int square
    cdef int code
    cdef int us = board.turn
    cdef int mask = mask_of(board)
    cdef int rights = board.state.rights
    if us == BLACK:
        rights = (rights >> 2 | rights << 2) & 15
    clear_frame(frame)
    frame.mask = mask
    frame.rights = rights
    for side in range(2):
        if rights >> side & 1:
            frame.rooks[side] = board.rook[2 * us + side] ^ mask
    cdef int ep = board.state.ep_file
    if not pseudo:
        ep = legal_ep(board)
        ep = NO_FILE if ep == NO_SQUARE else ep & 7
    frame.ep_file = NO_FILE if ep == NO_FILE else ep ^ mask & 7
    for file in range(8):
        for rank in range(8):
            square = rank << 3 | file
            code = board.squares[square ^ mask]
            put_piece(frame, square, code ^ us << 3 if code else EMPTY)


cdef int frame_problem(const Frame* frame) noexcept nogil:
    """Return SIGNATURE_OK, or the reason why the position cannot be played."""
    cdef int pawn
    if frame.counts[code_of(WHITE, KING)] != 1 or frame.counts[code_of(BLACK, KING)] != 1:
        return SIGNATURE_KINGS
    for color in range(2):
        pawn = code_of(color, PAWN)
        for number in range(frame.counts[pawn]):
            if frame.pieces[pawn][number] < 8 or frame.pieces[pawn][number] > 55:
                return SIGNATURE_PAWNS
    return SIGNATURE_OK


cdef int board_of_frame(const Frame* frame, Board* board) noexcept nogil:
    """Fill a board with White to move; SIGNATURE_OK, or the reason why the position cannot be played.

    Castling rights and en passant squares without the required pieces are left out, as in a FEN.
    """
    cdef int home
    cdef int rook
    cdef int code
    cdef int problem = frame_problem(frame)
    clear_board(board)
    if problem != SIGNATURE_OK:
        return problem
    for color in range(2):
        for piece in range(PAWN, KING + 1):
            code = code_of(color, piece)
            for number in range(frame.counts[code]):
                place(board, code, frame.pieces[code][number])
        board.king[color] = frame.pieces[code_of(color, KING)][0]
    for right in range(4):
        color = right >> 1
        home = 56 * color
        rook = home + (7 if right & 1 == KING_SIDE else 0)
        if frame.rights >> right & 1 and board.king[color] == home + 4 and board.squares[rook] == code_of(color, ROOK):
            grant_castling(board, color, rook)
    if frame.ep_file != NO_FILE:
        board.state.ep_given = 40 + frame.ep_file
        use_ep(board, board.state.ep_given)
        if board.state.ep == NO_SQUARE:
            board.state.ep_given = NO_SQUARE
    return SIGNATURE_OK


# --- between frames and signatures -----------------------------------------------------------------------------------


cdef int castling_bits(int rights) noexcept nogil:
    """Return the castling bits of a signature (Black king side, queen side, White likewise), or rights from them.

    Both are nibbles in which neighbouring bits are swapped while the halves stay, so the function is its own inverse.
    """
    return (rights & 5) << 1 | (rights & 10) >> 1


cdef int pack(const Frame* frame, uint8_t* out) noexcept nogil:
    """Write a signature of at most MAX_SIGNATURE bytes and return its length; 0 if the position does not fit."""
    cdef uint64_t window = 0
    cdef int held = 0
    cdef int length = 1
    cdef int tail = 0
    cdef int tail_length = 0
    cdef int head = 0
    for file in range(8):
        for rank in range(8):
            symbol = CODE_TABLES.symbol[frame.squares[rank << 3 | file]]
            window = window << symbol.length | symbol.value
            held += symbol.length
        while held >= 8:
            if length == MAX_SIGNATURE:
                return 0
            held -= 8
            out[length] = window >> held & 255
            length += 1
    if frame.ep_file != NO_FILE:
        head |= HAS_EP
        tail = frame.ep_file
        tail_length = 3
    if frame.rights:
        head |= HAS_CASTLING
        tail = tail << 4 | castling_bits(frame.rights)
        tail_length += 4
    # Without a tail one zero bit follows the board; then zeros until board, padding and tail fill whole bytes.
    cdef int used = held + (tail_length if tail_length else 1)
    cdef int padding = -used & 7
    window = window << used - held + padding | tail
    held = used + padding
    while held >= 8:
        if length == MAX_SIGNATURE:
            return 0
        held -= 8
        out[length] = window >> held & 255
        length += 1
    out[0] = head | length
    return length


cdef int unpack(const uint8_t* signature, Frame* frame) noexcept nogil:
    """Fill a frame; SIGNATURE_OK, or SIGNATURE_SHORT if 64 squares and the tail do not fit the length."""
    cdef uint8_t bits[UNPACK_SIZE]
    cdef uint64_t window
    cdef int length = signature_length(signature)
    cdef int tail_length = (3 if signature[0] & HAS_EP else 0) + (4 if signature[0] & HAS_CASTLING else 0)
    cdef int end = 8 * length - tail_length
    cdef int place_ = 8
    clear_frame(frame)
    if length == 0:
        return SIGNATURE_SHORT
    memset(bits, 0, UNPACK_SIZE)
    memcpy(bits, signature, length)
    for file in range(8):
        if place_ >= end:
            return SIGNATURE_SHORT
        # A file has at most 48 bits, and at least 57 are in the window. (All supported machines are little-endian.)
        memcpy(&window, bits + (place_ >> 3), 8)
        window = byteswap(window) << (place_ & 7)
        for rank in range(8):
            symbol = CODE_TABLES.piece[window >> 58]
            put_piece(frame, rank << 3 | file, symbol.value)
            window <<= symbol.length
            place_ += symbol.length
    if place_ > end:
        return SIGNATURE_SHORT
    cdef int tail = signature[length - 1]
    if signature[0] & HAS_CASTLING:
        frame.rights = castling_bits(tail & 15)
        frame.rooks[KING_SIDE] = 7
        frame.rooks[QUEEN_SIDE] = 0
        tail >>= 4
    if signature[0] & HAS_EP:
        frame.ep_file = tail & 7
    return SIGNATURE_OK


cdef int signature_problem(const uint8_t* signature, const Frame* frame, const Board* board) noexcept nogil:
    """Return the problem of a signature that could be unpacked to this frame and board."""
    cdef uint8_t again[SIGNATURE_SIZE]
    if board.state.rights != frame.rights:
        return SIGNATURE_CASTLING
    if frame.ep_file != NO_FILE and board.state.ep_file == NO_FILE:
        return SIGNATURE_EP
    if frame.rights == 0 and frame.pieces[KING][0] & 7 < 4:
        return SIGNATURE_MIRROR
    cdef int length = pack(frame, again)
    if length == 0 or memcmp(again, signature, length) != 0:
        return SIGNATURE_PADDING
    if attacked(board, board.king[BLACK], BLACK, board.colors[WHITE], occupied(board)):
        return SIGNATURE_CHECK
    return SIGNATURE_OK


cdef uint32_t hash_of(const uint8_t* signature) noexcept nogil:
    """Return the hash of all bytes of a signature: that of the Unix dbm library, nibble by nibble."""
    cdef int byte
    cdef uint32_t value = 0
    cdef int index = 0
    for place_ in range(signature_length(signature)):
        byte = signature[place_]
        index += 61 - 4 * (byte & 15)
        value += CODE_TABLES.hash[index & 63]
        index += 61 - 4 * (byte >> 4)
        value += CODE_TABLES.hash[index & 63]
    return value


# --- between moves and their codes -----------------------------------------------------------------------------------


cdef int move_of_code(const Frame* frame, int code) noexcept nogil:
    """Return the move of a byte in this position, as a token in the frame, or -1. It need not be legal.

    Pawns on the last rank become queens: codes do not contain the promotion.
    """
    cdef int rook
    meaning = CODE_TABLES.meaning[code]
    if meaning.special == NULL_MOVE:
        return 0
    if meaning.special == NO_MOVE or meaning.number >= frame.counts[meaning.piece]:
        return -1
    cdef int source = frame.pieces[meaning.piece][meaning.number]
    if meaning.special != STEP:
        rook = frame.rooks[KING_SIDE if meaning.special == CASTLE_KING_SIDE else QUEEN_SIDE]
        return -1 if rook == NO_SQUARE else move_of(source, rook, 0)
    cdef int target = (source + (meaning.forward << 3)) & 56 | (source + meaning.right) & 7
    return move_of(source, target, QUEEN if meaning.piece == PAWN and target > 55 else 0)


cdef int code_of_move(const Frame* frame, int move) noexcept nogil:
    """Return the byte for a move of the frame, or -1 if it has none: a fourth piece, or not a move of White.

    Promotions get the code of the queen, whatever the pawn becomes.
    """
    if move == 0:
        return CODE_TABLES.special[NULL_MOVE]
    cdef int source = source_of(move)
    cdef int target = target_of(move)
    cdef int piece = frame.squares[source]
    if piece == EMPTY or piece >> 3 != WHITE:
        return -1
    if piece == KING and frame.squares[target] == code_of(WHITE, ROOK):
        if target == frame.rooks[KING_SIDE]:
            return CODE_TABLES.special[CASTLE_KING_SIDE]
        return CODE_TABLES.special[CASTLE_QUEEN_SIDE] if target == frame.rooks[QUEEN_SIDE] else -1
    cdef int number = 0
    while frame.pieces[piece][number] != source:  # it is found, because it is on the board
        number += 1
    if number >= MAX_NUMBER:
        return -1
    cdef int step = (target - source) & 7 | ((target >> 3) - (source >> 3) & 7) << 3
    return CODE_TABLES.code[piece][number][step]


# === for Python =======================================================================================================

def pack_position(PositionCore position not None, bint pseudo) -> bytes:
    """Return the signature of a position; empty if it is too crowded for one."""
    cdef Frame frame
    cdef uint8_t out[SIGNATURE_SIZE]
    frame_of_board(&position.board, pseudo, &frame)
    return out[: pack(&frame, out)]


def frame_mask(PositionCore position not None) -> int:
    """Return the XOR mask between squares of the position and those of its frame."""
    cdef Frame frame
    frame_of_board(&position.board, False, &frame)
    return frame.mask


cdef int read_signature(bytes signature, uint8_t* packed, Frame* frame, Board* board):
    """Return a code of ``signature_kernel.pxd``."""
    take_signature(signature, packed)
    cdef int code = unpack(packed, frame)
    return board_of_frame(frame, board) if code == SIGNATURE_OK else code


def load_signature(PositionCore core not None, bytes signature not None) -> int:
    """Fill a new position, White to move; 0, or a code of ``signature_kernel.pxd`` and the position stays as it was."""
    cdef uint8_t packed[SIGNATURE_SIZE]
    cdef Frame frame
    cdef Board board
    cdef int code = read_signature(signature, packed, &frame, &board)
    if code == SIGNATURE_OK:
        core.board = board
    return code


def problem_of(bytes signature not None) -> int:
    """Return the problem of a signature, as a code of ``signature_kernel.pxd``."""
    cdef uint8_t packed[SIGNATURE_SIZE]
    cdef Frame frame
    cdef Board board
    cdef int code = read_signature(signature, packed, &frame, &board)
    if code == SIGNATURE_OK:
        code = signature_problem(packed, &frame, &board)
    return code


def hash_signature(bytes signature not None) -> int:
    cdef uint8_t packed[SIGNATURE_SIZE]
    take_signature(signature, packed)
    return hash_of(packed)


def encode_move(bytes signature not None, int token) -> int:
    """Return the code of a move of the frame, or -1."""
    cdef uint8_t packed[SIGNATURE_SIZE]
    cdef Frame frame
    take_signature(signature, packed)
    if unpack(packed, &frame) != SIGNATURE_OK or not 0 <= token < 0x8000:
        return -1
    return code_of_move(&frame, token)


def decode_move(bytes signature not None, int code) -> int:
    """Return the move of a code in the frame, or -1."""
    cdef uint8_t packed[SIGNATURE_SIZE]
    cdef Frame frame
    take_signature(signature, packed)
    if unpack(packed, &frame) != SIGNATURE_OK or not 0 <= code < 256:
        return -1
    return move_of_code(&frame, code)


def pack_places(
    const uint16_t[:, ::1] tapes not None, bytes start not None, const int64_t[::1] places not None,
    uint8_t[:, ::1] signatures not None
) -> None:
    """Write the signatures of positions in games of ``collect_rows``; empty ones for positions without a signature.

    Args:
        tapes: the moves of all games, as written by ``collect_rows``.
        start: the FEN that these games begin with; empty for the usual start position.
        places: number of the game << 8 | ply; sorted places are faster.
        signatures: receives 32 bytes for each.

    Raises:
        ValueError: the buffers do not match, or the FEN is invalid.
    """
    cdef Board usual
    cdef Board board
    cdef Frame frame
    cdef Py_ssize_t game = -1
    cdef Py_ssize_t target_game
    cdef Py_ssize_t ply = 0
    cdef int offset = 0
    cdef const unsigned char* text = start
    if signatures.shape[0] != places.shape[0] or signatures.shape[1] != SIGNATURE_SIZE:
        raise ValueError("there must be room for 32 bytes per place")
    start_board(&usual)
    if start and parse_fen(text, min(len(start), LONGEST_FEN), False, &usual, &offset):
        raise ValueError("these games begin with no position")
    board = usual
    with nogil:
        for index in range(places.shape[0]):
            target_game = places[index] >> 8
            if target_game < 0 or target_game >= tapes.shape[0] or places[index] & 255 > tapes.shape[1]:
                memset(&signatures[index, 0], 0, SIGNATURE_SIZE)
                continue
            if target_game != game or places[index] & 255 < ply:
                board = usual
                game = target_game
                ply = 0
            while ply < places[index] & 255 and is_legal(&board, tapes[game, ply]):
                make_move(&board, tapes[game, ply])
                ply += 1
            frame_of_board(&board, False, &frame)
            memset(&signatures[index, 0], 0, SIGNATURE_SIZE)
            pack(&frame, &signatures[index, 0])
