# Plays moves one after the other as fast as possible, for code that looks at every position of many games.
#
# A plain move immediately changes only two squares. What depends on them (the squares of each kind of piece, the kings,
# castling rights) is computed when needed, for all squares touched since.

from libc.stdint cimport uint8_t, uint16_t, uint64_t

from tabiya.chess.bits cimport bit, lowest
from tabiya.chess.board cimport (
    BLACK,
    EMPTY,
    KING,
    NO_SQUARE,
    PAWN,
    ROOK,
    WHITE,
    Board,
    castled_king,
    castled_rook,
    code_of,
    make_move_without_key,
    source_of,
    target_of,
)
from tabiya.game.main_line cimport main_line, next_move, number_of_move
from tabiya.game.walk cimport ends_file
from tabiya.search.instructions cimport count_bits

cdef extern from *:
    """
    #ifndef TABIYA_BELOW_ZERO
    #define TABIYA_BELOW_ZERO ((uint64_t)0x8000800080008000ULL)
    #endif
    """
    # The sign bits of four packed numbers.
    const uint64_t BELOW_ZERO "TABIYA_BELOW_ZERO"


cdef inline uint64_t four_numbers(uint64_t white_pieces, uint64_t black_pieces, uint64_t white_pawns,
                                  uint64_t black_pawns) noexcept nogil:
    """Packed numbers of pieces, all compared at once: if one falls below zero, a bit of BELOW_ZERO is set."""
    return white_pieces | black_pieces << 16 | white_pawns << 32 | black_pawns << 48


cdef inline uint64_t forces_of(const Board* board) noexcept nogil:
    return four_numbers(count_bits(board.colors[WHITE]), count_bits(board.colors[BLACK]),
                        count_bits(board.colors[WHITE] & board.types[PAWN]),
                        count_bits(board.colors[BLACK] & board.types[PAWN]))


cdef inline bint is_own(int code, int us) noexcept nogil:
    return <unsigned int> ((code ^ us << 3) - 1) < 7


cdef inline uint64_t force_of(int code) noexcept nogil:
    """The packed number to subtract for a captured piece of this kind."""
    return four_numbers(is_own(code, WHITE), is_own(code, BLACK),
                        code == code_of(WHITE, PAWN), code == code_of(BLACK, PAWN))


cdef inline bint is_few(uint64_t most, uint64_t forces) noexcept nogil:
    return (most - forces) & BELOW_ZERO == 0


cdef inline bint is_plain(int piece, int captured, int move, int us, int passed) noexcept nogil:
    """Whether a token moves an own piece, and is neither castling, en passant nor a promotion, valid or missing.

    The null move is not plain, because it would capture an own piece, nor is a parenthesis. No branch here or below
    depends on the piece that moves, because it would be mispredicted.
    """
    return (move >> 12 == 0) & is_own(piece, us) & (not is_own(captured, us)) & (
        (piece & 7 != PAWN) | ((target_of(move) != passed) & (not ends_file(target_of(move)))))


cdef inline int passed_by(int piece, int move) noexcept nogil:
    """The square passed by a pawn in a double step, else -1."""
    cdef int source = source_of(move), target = target_of(move)
    return (source + target) >> 1 | ((piece & 7 == PAWN) & ((source ^ target) == 16)) - 1


cdef inline void settle(Board* board, uint64_t touched, int us, int passed) noexcept nogil:
    """Recompute what depends on the squares that plain moves have touched."""
    cdef uint64_t here
    cdef int index, square, code
    board.turn = us
    board.state.ep = passed if passed >= 0 else NO_SQUARE
    if touched == 0:
        return
    for index in range(2):
        board.colors[index] &= ~touched
    for index in range(8):
        board.types[index] &= ~touched
    while touched:
        square = lowest(touched)
        here = bit(square)
        touched ^= here
        code = board.squares[square]
        board.types[code & 7] |= here
        board.colors[code >> 3] |= here if code else 0
        board.state.rights &= board.rights_mask[square]
        if code & 7 == KING:
            board.king[code >> 3] = square
    board.types[EMPTY] = 0


cdef inline void follow(Board* board, int piece, int captured, int move, int us) noexcept nogil:
    """``settle`` for a single plain move on a settled board, called before its squares change."""
    cdef int source = source_of(move), target = target_of(move), king = board.king[us]
    cdef uint64_t goal = bit(target), moved = bit(source) | goal
    board.colors[us ^ 1] &= ~goal
    board.types[captured & 7] &= ~goal
    board.colors[us] ^= moved
    board.types[piece & 7] ^= moved
    board.state.rights &= board.rights_mask[source] & board.rights_mask[target]
    board.king[us] = king + (piece & 7 == KING) * (target - king)


cdef inline uint64_t play_special(Board* board, uint64_t touched, int us, int passed, int move) noexcept nogil:
    """Play a move of an own piece that is not plain, or the null move; return the touched squares that are not settled.

    Castling is so common that the board is not settled for it.
    """
    cdef int source = source_of(move), target = target_of(move), king, rook
    if board.squares[source] != code_of(us, KING) or board.squares[target] != code_of(us, ROOK):
        settle(board, touched, us, passed)
        make_move_without_key(board, move)
        return 0
    king = castled_king(source, target)
    rook = castled_rook(source, target)
    board.squares[source] = board.squares[target] = EMPTY
    board.squares[king] = code_of(us, KING)
    board.squares[rook] = code_of(us, ROOK)
    board.state.ep = NO_SQUARE
    return touched | bit(source) | bit(target) | bit(king) | bit(rook)


cdef inline uint64_t absent(const Board* board, const uint8_t* pieces, uint64_t squares) noexcept nogil:
    """Those squares that do not contain the required piece."""
    cdef uint64_t lacking = 0
    while squares:
        if board.squares[lowest(squares)] != pieces[lowest(squares)]:
            lacking |= bit(lowest(squares))
        squares &= squares - 1
    return lacking


cdef inline int number_of(const uint16_t* tape, Py_ssize_t length, int ply) noexcept nogil:
    """The number of the move that led to an existing ply of the main line; -1 at the start."""
    line = main_line(tape, length)
    while ply:
        next_move(&line)
        ply -= 1
    return number_of_move(&line, tape)
