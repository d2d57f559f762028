# The program that a condition is compiled into, and the meaning of its instructions.
#
# An instruction tests the current position, or the move that is played next, and has two jump targets: one if it holds,
# one if it does not. Both point forward or end the block, so every block terminates. ``program.py`` repeats the numbers
# of the operations and the fields of an instruction; a test compares them.

from libc.stdint cimport int16_t, int32_t, int64_t, uint8_t, uint16_t, uint64_t

from tabiya.chess.bits cimport bit, lowest
from tabiya.chess.board cimport (
    BLACK,
    KING,
    PAWN,
    WHITE,
    Board,
    castled_king,
    code_of,
    in_check,
    occupied,
    promotion_of,
    source_of,
    target_of,
)

cdef extern from *:
    """
    #ifndef TABIYA_COUNT_BITS
    #define TABIYA_COUNT_BITS
    /* Without an instruction that not all processors have; compilers would call a function instead. */
    static inline int tabiya_count_bits(uint64_t bits) {
        bits -= bits >> 1 & 0x5555555555555555ULL;
        bits = (bits & 0x3333333333333333ULL) + (bits >> 2 & 0x3333333333333333ULL);
        return (int)(((bits + (bits >> 4)) & 0x0F0F0F0F0F0F0F0FULL) * 0x0101010101010101ULL >> 56);
    }
    #define TABIYA_FILE_A ((uint64_t)0x0101010101010101ULL)
    #define TABIYA_FILE_H ((uint64_t)0x8080808080808080ULL)
    #endif
    """
    int count_bits "tabiya_count_bits"(uint64_t bits) noexcept nogil
    const uint64_t FILE_A "TABIYA_FILE_A"
    const uint64_t FILE_H "TABIYA_FILE_H"

cdef enum:
    OP_ALWAYS = 0
    OP_PIECE = 1       # a piece of this kind on all these squares
    OP_ONLY = 2        # pieces of this kind on exactly these squares
    OP_PIECES = 3      # one of these pieces on all these squares; code 0 is an empty square
    OP_COUNT = 4       # number of these pieces on these squares
    OP_SURPLUS = 5     # how many more pieces of this kind White has than Black
    OP_PAWNS = 6       # number of pawns of some kind on these squares
    OP_TURN = 7
    OP_CASTLING = 8    # exactly these rights, in Chess960 with the rooks on these squares
    OP_EN_PASSANT = 9  # the square on which a pawn can legally be taken en passant; 64 none
    OP_MOVE = 10
    OP_GIVES_CHECK = 11
    OP_SACRIFICE = 12  # the move captures a piece of lower value, and can be answered by recapturing
    OP_CHECK = 13
    OP_MATE = 14
    OP_STALEMATE = 15
    OP_END = 16        # no move follows
    OP_RESULT = 17
    OP_PLY = 18
    OP_USUAL = 19      # not a game of Chess960
    OP_EARLIER = 20    # a block held before, at most this many plies ago
    OP_LASTING = 21    # it holds, and has held for this many plies
    OP_SO_FAR = 22     # it holds or has held
    OP_VALUE = 23      # a value of the position or of the move, see evaluated.py
    OPERATIONS = 24

# Kinds of pawns.
cdef enum:
    PASSED = 0
    ISOLATED = 1
    DOUBLED = 2
    KINDS_OF_PAWNS = 3

# Values for the castling of a move.
cdef enum:
    CASTLING_OR_NOT = 0
    NO_CASTLING = 1
    SHORT_CASTLING = 2
    LONG_CASTLING = 3

cdef enum:
    VALUES = 6  # kinds of values

cdef enum:
    HOLDS = -1
    FAILS = -2
    NO_MOVE = -1
    MOST_BLOCKS = 32
    NEVER = -0x40000000

ctypedef struct Instruction:
    uint64_t squares
    uint64_t targets
    int32_t low
    int32_t high
    uint16_t pieces      # set of piece codes
    uint16_t captured    # the same; code 0: nothing
    uint8_t operation
    uint8_t kind         # a piece code, type, colour, kind of pawns or of castling, or the number of a block
    uint8_t color
    uint8_t promotions   # set of piece types; 0: no promotion
    int16_t holds        # jump target if it holds
    int16_t fails

# A line of play: the current position, and the state of the blocks of the program.
ctypedef struct Line:
    Board board
    int32_t ply
    int32_t place               # the index on the tape of the move that led here, -1 at the start
    bint usual                  # not a game of Chess960
    int result
    const int32_t* values       # of the first position of the game, by kind; NULL if there are none, as in variations
    int64_t value_stride        # from a kind of values to the next
    int32_t valued              # number of positions with values
    int32_t last[MOST_BLOCKS]   # the latest ply before this one at which a block held, else NEVER
    int32_t run[MOST_BLOCKS]    # number of consecutive plies, up to the previous one, at which it has held
    uint8_t held[MOST_BLOCKS]   # whether it holds now


cdef inline uint64_t pieces_of(const Board* board, int pieces) noexcept nogil:
    """The squares of a set of pieces."""
    cdef uint64_t found = ~occupied(board) if pieces & 1 else 0
    cdef int code
    pieces &= ~1
    while pieces:
        code = lowest(pieces)
        pieces &= pieces - 1
        found |= board.types[code & 7] & board.colors[code >> 3 & 1]
    return found


cdef inline uint64_t beside(uint64_t squares) noexcept nogil:
    return (squares & ~FILE_A) >> 1 | (squares & ~FILE_H) << 1


cdef inline uint64_t above(uint64_t squares) noexcept nogil:
    squares <<= 8
    squares |= squares << 8
    squares |= squares << 16
    return squares | squares << 32


cdef inline uint64_t below(uint64_t squares) noexcept nogil:
    squares >>= 8
    squares |= squares >> 8
    squares |= squares >> 16
    return squares | squares >> 32


cdef inline uint64_t pawns_of(const Board* board, int color, int kind) noexcept nogil:
    """Those pawns of a colour that are passed, isolated or doubled."""
    cdef uint64_t own = board.types[PAWN] & board.colors[color]
    cdef uint64_t enemies = board.types[PAWN] & board.colors[color ^ 1]
    if kind == PASSED:
        enemies = above(enemies) if color == BLACK else below(enemies)
        return own & ~(enemies | beside(enemies))
    if kind == ISOLATED:
        return own & ~beside(own | above(own) | below(own))
    return own & (above(own) | below(own))


cdef inline int captured_by(const Board* board, int move) noexcept nogil:
    """The code of the piece that a move captures, 0 if there is none."""
    cdef int target = target_of(move), aim = board.squares[target]
    if aim == 0:
        if target == board.state.ep and board.squares[source_of(move)] & 7 == PAWN:
            return code_of(board.turn ^ 1, PAWN)
        return 0
    return 0 if aim >> 3 == board.turn else aim


cdef inline bint is_castling(const Board* board, int move) noexcept nogil:
    cdef int aim = board.squares[target_of(move)]
    return aim != 0 and aim >> 3 == board.turn and board.squares[source_of(move)] & 7 == KING


cdef inline bint is_such_move(const Board* board, const Instruction* test, int move) noexcept nogil:
    cdef int source = source_of(move), target = target_of(move)
    cdef bint castling
    if move <= 0 or not test.pieces >> board.squares[source] & 1 or not test.squares & bit(source):
        return False
    castling = is_castling(board, move)
    if castling:
        if test.kind == NO_CASTLING:
            return False
        if test.kind != CASTLING_OR_NOT and (test.kind == SHORT_CASTLING) != (target > source):
            return False
        target = castled_king(source, target)
    elif test.kind > NO_CASTLING:
        return False
    return (test.targets & bit(target) != 0
            and test.promotions >> promotion_of(move) & 1
            and test.captured >> captured_by(board, move) & 1)


cdef inline uint64_t castling_rooks(const Board* board) noexcept nogil:
    """The squares of the rooks that may castle."""
    cdef uint64_t rooks = 0
    cdef int right
    for right in range(4):
        if board.state.rights >> right & 1:
            rooks |= bit(board.rook[right])
    return rooks


cdef inline bint within(int number, const Instruction* test) noexcept nogil:
    return test.low <= number <= test.high


cdef inline bint has_value(const Line* line, const Instruction* test) noexcept nogil:
    return (line.values != NULL and line.ply < line.valued
            and within(line.values[test.kind * line.value_stride + line.ply], test))


cdef inline bint holds_at(const Line* line, const Instruction* test, int move) noexcept nogil:
    """Whether an instruction holds in the current position if ``move`` is played next (NO_MOVE: none is)."""
    cdef const Board* board = &line.board
    cdef int operation = test.operation
    if operation == OP_PIECE:
        return board.types[test.kind & 7] & board.colors[test.kind >> 3] & test.squares == test.squares
    if operation == OP_MOVE:
        return is_such_move(board, test, move)
    if operation == OP_ONLY:
        return board.types[test.kind & 7] & board.colors[test.kind >> 3] == test.squares
    if operation == OP_EARLIER:
        return line.last[test.kind] >= line.ply - test.high and line.last[test.kind] != NEVER
    if operation == OP_COUNT:
        return within(count_bits(pieces_of(board, test.pieces) & test.squares), test)
    if operation == OP_PIECES:
        return test.squares & ~pieces_of(board, test.pieces) == 0
    if operation == OP_SURPLUS:
        return within(count_bits(board.types[test.kind] & board.colors[WHITE])
                      - count_bits(board.types[test.kind] & board.colors[BLACK]), test)
    if operation == OP_PAWNS:
        return within(count_bits(pawns_of(board, test.color, test.kind) & test.squares), test)
    if operation == OP_TURN:
        return board.turn == test.color
    if operation == OP_CASTLING:
        return board.state.rights == test.low and (not board.chess960 or castling_rooks(board) == test.squares)
    if operation == OP_CHECK:
        return in_check(board)
    if operation == OP_END:
        return move == NO_MOVE
    if operation == OP_RESULT:
        return test.pieces >> line.result & 1
    if operation == OP_PLY:
        return within(line.ply, test)
    if operation == OP_USUAL:
        return line.usual
    if operation == OP_LASTING:
        return line.held[test.kind] and line.run[test.kind] + 1 >= test.low
    if operation == OP_SO_FAR:
        return line.held[test.kind] or line.last[test.kind] != NEVER
    if operation == OP_VALUE:
        return has_value(line, test)
    return operation == OP_ALWAYS
