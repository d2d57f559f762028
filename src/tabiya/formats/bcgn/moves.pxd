# Single moves in the three encodings of BCGN, both directions. Code that runs for every move is inline.
#
# Level 0 is a number of 16 bits. Level 1 is the move index, level 2 a number of few bits: both number the possible
# moves, so they mean nothing without the position. Tokens are those of the tape.

from libc.stdint cimport uint64_t

from tabiya.chess.bits cimport LOW_BITS, bit, lowest, unlikely
from tabiya.chess.board cimport (
    BISHOP, EMPTY, KING, KING_SIDE, KNIGHT, NO_FILE, NO_SQUARE, PAWN, QUEEN, QUEEN_SIDE, ROOK, Board,
    castling_move, code_of, is_legal, is_legal_of, make_move_without_key, move_of, occupied, piece_attacks,
    promotion_of, source_of, target_of)
from tabiya.chess.fen_kernel cimport legal_ep
from tabiya.chess.rules_kernel cimport is_legal_move
from tabiya.chess.tables_kernel cimport TABLES
from tabiya.formats.bcgn.bit_stream cimport BitReader, BitWriter, read_bits, write_bits, write_bytes
from tabiya.formats.bcgn.index_tables_kernel cimport INDEX_TABLES

cdef enum:
    LEVEL_PLAIN = 0
    LEVEL_INDEX = 1
    LEVEL_BITS = 2

cdef enum:
    SHORT_CASTLING = 0
    LONG_CASTLING = 1
    KING_BEGIN = 2
    BLOCKS_BEGIN = 10
    MANY_QUEENS = 54       # values that two queens take; from the third on an index has two bytes

# Results of a decoder other than a move, and of an encoder that fails.
cdef enum:
    NO_SUCH_MOVE = -1
    NO_MORE_BYTES = -2
    INDEX_TOO_LARGE = -3

# Kinds of move of level 0.
cdef enum:
    NORMAL_MOVE = 0
    PROMOTION_MOVE = 1
    CASTLING_MOVE = 2
    EN_PASSANT_MOVE = 3

# Where the values of each kind of piece begin in the index, per colour; at KING, where the values end.
ctypedef struct Blocks:
    int begin[2][8]


cdef inline int count_bits(uint64_t bits) noexcept nogil:
    """Return the number of set bits. Wheels are built for processors that may have no instruction for it."""
    bits -= bits >> 1 & LOW_BITS * 0x55
    bits = (bits & LOW_BITS * 0x33) + (bits >> 2 & LOW_BITS * 0x33)
    bits = (bits + (bits >> 4)) & LOW_BITS * 0x0F
    return <int> (bits * LOW_BITS >> 56)


cdef inline int nth_bit(uint64_t bits, int number) noexcept nogil:
    """Return the square of a set bit, counted from 0; there must be one more than ``number``."""
    # The first two steps have no branch: pieces come in pairs, and which one moves is unpredictable.
    bits = bits & (bits - 1) if number > 0 else bits
    bits = bits & (bits - 1) if number > 1 else bits
    while unlikely(number > 2):
        bits &= bits - 1
        number -= 1
    return lowest(bits)


cdef inline int divide(int index, int piece_type) noexcept nogil:
    """Return how many pieces of a type precede an index within their block. Exact below 3276; 63 queens take 1701."""
    return index * INDEX_TABLES.reciprocal[piece_type] >> 16


# --- level 0 ---------------------------------------------------------------------------------------------------------

cdef inline int encode_plain(const Board* board, int move) noexcept nogil:
    """Return the 16 bits of a legal move or the null move: kind, from, to, promotion."""
    cdef int source = source_of(move), target = target_of(move), kind = NORMAL_MOVE
    cdef int piece = board.squares[source] & 7
    if move == 0:
        return 0
    if move >> 12:
        kind = PROMOTION_MOVE
    elif piece == KING and board.squares[target] == code_of(board.turn, ROOK):
        kind = CASTLING_MOVE
    elif piece == PAWN and (source ^ target) & 7 and not board.squares[target]:
        kind = EN_PASSANT_MOVE
    return kind << 14 | source << 8 | target << 2 | ((move >> 12) - 1 if move >> 12 else 0)


cdef inline int decode_plain(const Board* board, int code) noexcept nogil:
    """Return the legal move (or null move) for 16 bits, or NO_SUCH_MOVE."""
    cdef int move = code >> 8 & 63 | (code >> 2 & 63) << 6
    if code == 0:
        return 0
    if code >> 14 == PROMOTION_MOVE:
        move |= ((code & 3) + 1) << 12
    # Encoding it again verifies kind and promotion.
    return move if is_legal(board, move) and encode_plain(board, move) == code else NO_SUCH_MOVE


# --- level 1 ---------------------------------------------------------------------------------------------------------

cdef inline void count_blocks(const Board* board, Blocks* blocks) noexcept nogil:
    cdef int color, piece_type, begin
    for color in range(2):
        begin = BLOCKS_BEGIN
        for piece_type in range(PAWN, KING):
            blocks.begin[color][piece_type] = begin
            begin += (<int> INDEX_TABLES.size[piece_type]
                      * count_bits(board.types[piece_type] & board.colors[color]))
        blocks.begin[color][KING] = begin


cdef inline void move_blocks(Blocks* blocks, int color, int piece_type, int sign) noexcept nogil:
    """Resize the blocks for one more piece (or, with -1, for one less)."""
    cdef int shift = sign * <int> INDEX_TABLES.size[piece_type]
    while piece_type < KING:
        piece_type += 1
        blocks.begin[color][piece_type] += shift


cdef inline void follow_move(const Board* board, Blocks* blocks, int move) noexcept nogil:
    """Update the blocks for a legal move."""
    cdef int us = board.turn, source = source_of(move), target = target_of(move), aim = board.squares[target]
    if aim:
        if aim >> 3 != us:
            move_blocks(blocks, us ^ 1, aim & 7, -1)
    elif target == board.state.ep and board.squares[source] & 7 == PAWN:
        move_blocks(blocks, us ^ 1, PAWN, -1)
    if move >> 12:
        move_blocks(blocks, us, PAWN, -1)
        move_blocks(blocks, us, promotion_of(move), 1)


cdef inline bint is_wide(const Board* board, const Blocks* blocks) noexcept nogil:
    """Return whether the index of a move has two bytes here."""
    return blocks.begin[board.turn][KING] - blocks.begin[board.turn][QUEEN] > MANY_QUEENS


cdef inline int encode_index(const Board* board, const Blocks* blocks, int move) noexcept nogil:
    """Return the index of a legal move."""
    cdef int us = board.turn, source = source_of(move), target = target_of(move)
    cdef int piece_type = board.squares[source] & 7, step, base
    cdef uint64_t lower = bit(source) - 1
    if piece_type == KING:
        if board.squares[target] == code_of(us, ROOK):
            return SHORT_CASTLING if target > source else LONG_CASTLING
        return KING_BEGIN + INDEX_TABLES.number[KING][source][target]
    base = (blocks.begin[us][piece_type] + <int> INDEX_TABLES.size[piece_type]
            * count_bits(board.types[piece_type] & board.colors[us] & lower))
    if piece_type == PAWN:
        step = (source - target if us else target - source) - 7
        return base + 4 * step + (move >> 12) - 1 if move >> 12 else base + step
    return base + INDEX_TABLES.number[piece_type][source][target]


cdef inline int decode_index(const Board* board, const Blocks* blocks, int index) noexcept nogil:
    """Return the legal move with an index, or NO_SUCH_MOVE."""
    cdef int us = board.turn, piece_type, number, source, target, step, promoted = EMPTY, move
    cdef const int* begin = blocks.begin[us]
    if index < KING_BEGIN:
        move = castling_move(board, KING_SIDE if index == SHORT_CASTLING else QUEEN_SIDE)
        return move if move else NO_SUCH_MOVE
    if index < BLOCKS_BEGIN:
        piece_type = KING
        source = board.king[us]
        step = index - KING_BEGIN
    else:
        if index >= begin[KING]:
            return NO_SUCH_MOVE
        piece_type = (PAWN + (index >= begin[KNIGHT]) + (index >= begin[BISHOP]) + (index >= begin[ROOK])
                      + (index >= begin[QUEEN]))
        index -= begin[piece_type]
        number = divide(index, piece_type)
        step = index - number * INDEX_TABLES.size[piece_type]
        source = nth_bit(board.types[piece_type] & board.colors[us], number)
    if piece_type == PAWN:
        if source >> 3 == (1 if us else 6):
            promoted = KNIGHT + (step & 3)
            step >>= 2
        target = source - step - 7 if us else source + step + 7
        if target < 0 or target > 63:
            return NO_SUCH_MOVE
    else:
        if step >= INDEX_TABLES.targets[piece_type][source]:
            return NO_SUCH_MOVE
        target = INDEX_TABLES.target[piece_type][source][step]
        if board.squares[target] and board.squares[target] >> 3 == us:
            return NO_SUCH_MOVE  # a king's step onto its own rook is not castling here
    move = move_of(source, target, promoted)
    return move if is_legal_of(board, piece_type, move) else NO_SUCH_MOVE


# --- level 2 ---------------------------------------------------------------------------------------------------------

cdef inline uint64_t destinations(const Board* board, int source) noexcept nogil:
    """Return where a piece of the side to move may go, ignoring checks and castling."""
    cdef int us = board.turn, piece_type = board.squares[source] & 7, forward = 8 - 16 * us, ep
    cdef uint64_t found
    if piece_type != PAWN:
        return piece_attacks(piece_type, source, occupied(board)) & ~board.colors[us]
    found = TABLES.pawn[us][source] & board.colors[us ^ 1]
    if board.state.ep_file != NO_FILE:
        # The square counts for every pawn next to it as soon as one of them can legally capture there.
        ep = legal_ep(board)
        if ep != NO_SQUARE:
            found |= TABLES.pawn[us][source] & bit(ep)
    if not board.squares[source + forward]:
        found |= bit(source + forward)
        if source >> 3 == (6 if us else 1) and not board.squares[source + 2 * forward]:
            found |= bit(source + 2 * forward)
    return found


cdef inline int own_rights(const Board* board) noexcept nogil:
    """Return the castling rights of the side to move: bit 0 king side, bit 1 queen side."""
    return board.state.rights >> (2 * board.turn) & 3


cdef inline int encode_short(const Board* board, int move, int* width) noexcept nogil:
    """Return the bits of a legal move: number of the piece, number of its destination."""
    cdef int us = board.turn, source = source_of(move), target = target_of(move), rights, number
    cdef int piece_type = board.squares[source] & 7
    cdef uint64_t own = board.colors[us], found = destinations(board, source)
    cdef int count = count_bits(found), bits = INDEX_TABLES.width[count_bits(own) - 1]
    number = count_bits(found & (bit(target) - 1))
    if piece_type == KING:
        rights = own_rights(board)
        if board.squares[target] == code_of(us, ROOK):
            number = count + (1 if target > source and rights >> QUEEN_SIDE & 1 else 0)
        count += (rights & 1) + (rights >> 1)
    elif move >> 12:
        number = 4 * number + (move >> 12) - 1
        count *= 4
    width[0] = bits + INDEX_TABLES.width[count - 1]
    return count_bits(own & (bit(source) - 1)) << INDEX_TABLES.width[count - 1] | number


cdef inline int decode_short(const Board* board, BitReader* bits) noexcept nogil:
    """Read a legal move; return NO_SUCH_MOVE or NO_MORE_BYTES on failure."""
    cdef int us = board.turn, rights = 0, pieces = count_bits(board.colors[us]), piece_type, source
    cdef int number = read_bits(bits, INDEX_TABLES.width[pieces - 1]), count, promoted = EMPTY, squares, move, side
    cdef uint64_t found
    if number < 0:
        return NO_MORE_BYTES
    if number >= pieces:
        return NO_SUCH_MOVE
    source = nth_bit(board.colors[us], number)
    piece_type = board.squares[source] & 7
    found = destinations(board, source)
    squares = count = count_bits(found)
    if piece_type == KING:
        rights = own_rights(board)
        count += (rights & 1) + (rights >> 1)
    elif piece_type == PAWN and source >> 3 == (1 if us else 6):
        count *= 4
    if count == 0:
        return NO_SUCH_MOVE
    number = read_bits(bits, INDEX_TABLES.width[count - 1])
    if number < 0:
        return NO_MORE_BYTES
    if number >= count:
        return NO_SUCH_MOVE
    if piece_type == KING and number >= squares:
        side = QUEEN_SIDE if number == squares and rights >> QUEEN_SIDE & 1 else KING_SIDE
        move = castling_move(board, side)
        return move if move else NO_SUCH_MOVE
    if count > squares and piece_type == PAWN:
        promoted = KNIGHT + (number & 3)
        number >>= 2
    move = move_of(source, nth_bit(found, number), promoted)
    return move if is_legal(board, move) else NO_SUCH_MOVE


# --- any level -------------------------------------------------------------------------------------------------------

cdef enum:
    MOST_MOVE_BYTES = 2    # of one move at any level; a move of level 2 has at most 12 bits

cdef inline int read_move(const Board* board, const Blocks* blocks, int level, BitReader* bits) noexcept nogil:
    """Read the next move of a movetext: return a legal move, 0 for a null move, NO_SUCH_MOVE or NO_MORE_BYTES."""
    cdef Py_ssize_t place
    cdef int width, code
    if level == LEVEL_BITS:
        return decode_short(board, bits)
    place = bits.place >> 3
    width = 1 if level == LEVEL_INDEX and not is_wide(board, blocks) else 2
    if place + width > bits.size:
        return NO_MORE_BYTES
    bits.place += 8 * width
    code = bits.data[place]
    if width == 2:
        code = code << 8 | bits.data[place + 1]
    return decode_plain(board, code) if level == LEVEL_PLAIN else decode_index(board, blocks, code)


cdef inline int write_move(
    const Board* board, const Blocks* blocks, int level, int move, BitWriter* bits
) noexcept nogil:
    """Append a move; return 0, or NO_SUCH_MOVE or INDEX_TOO_LARGE if this is impossible."""
    cdef int code, width
    cdef bint wide = True
    if move == 0:
        if level != LEVEL_PLAIN:
            return NO_SUCH_MOVE
    # Inline at the level that is written most: C compilers do not inline this much code in three places.
    elif not (is_legal(board, move) if level == LEVEL_INDEX else is_legal_move(board, move)):
        return NO_SUCH_MOVE
    if level == LEVEL_BITS:
        code = encode_short(board, move, &width)
        write_bits(bits, code, width)
        return 0
    if level == LEVEL_PLAIN:
        code = encode_plain(board, move)
    else:
        code = encode_index(board, blocks, move)
        wide = is_wide(board, blocks)
        if code > 255 and not wide:
            return INDEX_TOO_LARGE
    write_bytes(bits, code, wide)
    return 0


cdef inline void play(Board* board, Blocks* blocks, int level, int move) noexcept nogil:
    """Play a move that was read or written."""
    if level == LEVEL_INDEX:
        follow_move(board, blocks, move)
    make_move_without_key(board, move)
