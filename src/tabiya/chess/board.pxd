# The board, and the rules that run on every move: attacks, making and taking back, legality.
#
# Everything here is inline: a call across modules costs more than most of these bodies. No function allocates, raises
# or recurses. Moves are tape tokens (see docs/architecture.md): bits 0-5 from, 6-11 to, 12-14 promotion; castling is
# king takes own rook; 0 is the null move.

from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t

from tabiya.chess.bits cimport bit, byteswap, lowest, unlikely
from tabiya.chess.tables_kernel cimport TABLES, Tables

cdef enum:
    WHITE = 0
    BLACK = 1

cdef enum:
    EMPTY = 0
    PAWN = 1
    KNIGHT = 2
    BISHOP = 3
    ROOK = 4
    QUEEN = 5
    KING = 6

cdef enum:
    NO_SQUARE = 64
    NO_FILE = 8
    MAX_MOVES = 2048  # 63 queens with 27 moves each would still fit

# Sides of castling, as indexes of ``Board.rook`` and bits of ``State.rights`` (plus 2 for Black).
cdef enum:
    KING_SIDE = 0
    QUEEN_SIDE = 1

# The state that every move changes and that cannot be recomputed backwards; eight bytes, saved in one operation.
ctypedef struct State:
    uint8_t rights            # set of castling rights, bits numbered as ``Board.rook``
    uint8_t ep                # square passed by a pawn that has just made a double step, else NO_SQUARE
    uint8_t ep_file           # its file if an enemy pawn is beside it (then it is part of the key), else NO_FILE
    uint8_t ep_given          # as the FEN gave it, even if it was invalid
    uint32_t halfmove

ctypedef struct Board:
    uint64_t colors[2]
    uint64_t types[8]         # by piece type; [0] is what "capturing nothing" clears
    uint64_t key              # Polyglot key, up to date unless moves were made without it
    uint8_t squares[64]       # piece codes: colour << 3 | type, 0 = empty
    uint8_t rights_mask[64]   # castling rights that survive a move from or to the square
    uint8_t king[2]
    uint8_t rook[4]           # rooks that may castle: White king side, queen side, Black king side, queen side
    uint8_t turn
    uint8_t chess960
    State state
    uint32_t fullmove

# The state that a move overwrites; sufficient to take it back.
ctypedef struct Undo:
    uint64_t key
    State state
    uint16_t move
    uint8_t captured


cdef inline int code_of(int color, int piece_type) noexcept nogil:
    return color << 3 | piece_type


cdef inline int source_of(int move) noexcept nogil:
    return move & 63


cdef inline int target_of(int move) noexcept nogil:
    return move >> 6 & 63


cdef inline int promotion_of(int move) noexcept nogil:
    """The piece type a pawn turns into, or 0."""
    cdef int promotion = move >> 12 & 7
    return promotion + 1 if promotion else 0


cdef inline int move_of(int source, int target, int promoted_type) noexcept nogil:
    return source | target << 6 | (promoted_type - 1 if promoted_type else 0) << 12


cdef inline uint64_t occupied(const Board* board) noexcept nogil:
    return board.colors[WHITE] | board.colors[BLACK]


# --- attacks ---------------------------------------------------------------------------------------------------------

cdef inline uint64_t line_attacks(uint64_t occupancy, uint64_t line, uint64_t slider) noexcept nogil:
    # o^(o-2r) on the line and on the line turned upside down ("hyperbola quintessence"): needs no large tables.
    cdef uint64_t forward = occupancy & line
    cdef uint64_t backward = byteswap(forward)
    return (forward - slider ^ byteswap(backward - byteswap(slider))) & line


cdef inline uint64_t bishop_attacks(int square, uint64_t occupancy) noexcept nogil:
    cdef uint64_t slider = bit(square)
    return (line_attacks(occupancy, TABLES.diagonal[square], slider)
            | line_attacks(occupancy, TABLES.antidiagonal[square], slider))


cdef inline uint64_t rook_attacks(int square, uint64_t occupancy) noexcept nogil:
    cdef int shift = square & 56
    cdef uint64_t along_rank = TABLES.rank[square & 7][occupancy >> shift + 1 & 63]
    return along_rank << shift | line_attacks(occupancy, TABLES.file[square], bit(square))


cdef inline uint64_t piece_attacks(int piece_type, int square, uint64_t occupancy) noexcept nogil:
    """What a piece (not a pawn: it has a colour and its own table) on ``square`` attacks."""
    if piece_type == KNIGHT:
        return TABLES.knight[square]
    if piece_type == BISHOP:
        return bishop_attacks(square, occupancy)
    if piece_type == ROOK:
        return rook_attacks(square, occupancy)
    if piece_type == QUEEN:
        return bishop_attacks(square, occupancy) | rook_attacks(square, occupancy)
    return TABLES.king[square]


cdef inline bint piece_reaches(const Board* board, int piece_type, int source, int target) noexcept nogil:
    """Whether a piece (not a pawn) attacks a square. Tables instead of branches on the type: no mispredictions."""
    return (TABLES.lines[piece_type][source] & bit(target) != 0
            and TABLES.between[source][target] & occupied(board) == 0)


cdef inline bint attacked(const Board* board, int square, int us, uint64_t enemies, uint64_t occupancy) noexcept nogil:
    """Whether one of ``enemies`` (pieces of the colour that is not ``us``) attacks the square."""
    cdef const Tables* tables = &TABLES
    cdef uint64_t sliders
    if (tables.knight[square] & board.types[KNIGHT] | tables.pawn[us][square] & board.types[PAWN]
            | tables.king[square] & board.types[KING]) & enemies:
        return True
    sliders = (tables.bishop_lines[square] & (board.types[BISHOP] | board.types[QUEEN])
               | tables.rook_lines[square] & (board.types[ROOK] | board.types[QUEEN])) & enemies
    while sliders:
        if not tables.between[square][lowest(sliders)] & occupancy:
            return True
        sliders &= sliders - 1
    return False


cdef inline bint in_check(const Board* board) noexcept nogil:
    """Whether the side to move is in check."""
    cdef int us = board.turn
    return attacked(board, board.king[us], us, board.colors[us ^ 1], occupied(board))


# --- making and taking back ------------------------------------------------------------------------------------------

cdef inline int castled_king(int king, int rook) noexcept nogil:
    """Where the king goes when it castles with this rook."""
    return king & 56 | (6 if rook > king else 2)


cdef inline int castled_rook(int king, int rook) noexcept nogil:
    return king & 56 | (5 if rook > king else 3)


cdef inline void place(Board* board, int code, int square) noexcept nogil:
    board.squares[square] = code
    board.types[code & 7] |= bit(square)
    board.colors[code >> 3] |= bit(square)
    board.key ^= TABLES.piece_key[code][square]


cdef inline void lift(Board* board, int square) noexcept nogil:
    cdef int code = board.squares[square]
    board.squares[square] = EMPTY
    board.types[code & 7] &= ~bit(square)
    board.colors[code >> 3] &= ~bit(square)
    board.key ^= TABLES.piece_key[code][square]


cdef inline void move_castling(Board* board, int king, int rook) noexcept nogil:
    cdef int us = board.squares[king] >> 3
    cdef int king_target = castled_king(king, rook)
    lift(board, king)
    lift(board, rook)
    place(board, code_of(us, KING), king_target)
    place(board, code_of(us, ROOK), castled_rook(king, rook))
    board.king[us] = king_target


cdef inline void move_pawn_specials(Board* board, int move, int source, int target, int ep, int us) noexcept nogil:
    """What a pawn move does beyond moving the pawn: double step, en passant, promotion."""
    cdef const Tables* tables = &TABLES
    if (source ^ target) == 16:  # only the double step flips just this bit
        board.state.ep = board.state.ep_given = (source + target) >> 1
        if tables.pawn[us][board.state.ep] & board.types[PAWN] & board.colors[us ^ 1]:
            board.state.ep_file = source & 7
            board.key ^= tables.ep_key[source & 7]
    elif target == ep:
        lift(board, target ^ 8)
    elif move >> 12:
        lift(board, target)
        place(board, code_of(us, promotion_of(move)), target)


cdef inline void make_move(Board* board, int move) noexcept nogil:
    """Play a legal move or the null move.

    Any other token with a promotion of at most 4 results in an invalid board, but accesses no memory outside it.
    """
    play_move(board, move, True)


cdef inline void make_move_without_key(Board* board, int move) noexcept nogil:
    """``make_move`` for legality checks only: key and half-move clock are invalid afterwards."""
    play_move(board, move, False)


cdef inline void play_move(Board* board, int move, bint keyed) noexcept nogil:
    """``keyed`` is a constant of the caller, so that compilers omit the code that it does not need."""
    cdef const Tables* tables = &TABLES
    cdef int source = source_of(move), target = target_of(move)
    cdef int us = board.turn, piece = board.squares[source], captured = board.squares[target]
    cdef int rights = board.state.rights & board.rights_mask[source] & board.rights_mask[target]
    cdef int ep = board.state.ep
    cdef uint64_t goal = bit(target), moved = bit(source) | goal
    cdef uint64_t key = board.key ^ tables.turn_key ^ tables.ep_key[board.state.ep_file] if keyed else 0
    board.turn = us ^ 1
    board.fullmove += us
    board.state.ep = board.state.ep_given = NO_SQUARE
    board.state.ep_file = NO_FILE
    if keyed:
        board.state.halfmove += 1
    if unlikely(move == 0):
        board.key = key
        return
    if keyed:
        key ^= tables.castling_key[rights ^ board.state.rights]
    board.state.rights = rights
    if unlikely(piece == code_of(us, KING) and captured == code_of(us, ROOK)):
        board.key = key
        move_castling(board, source, target)
        return
    board.colors[us ^ 1] &= ~goal
    board.types[captured & 7] &= ~goal
    board.colors[us] ^= moved
    board.types[piece & 7] ^= moved
    board.squares[target] = piece
    board.squares[source] = EMPTY
    if keyed:
        board.key = (key ^ tables.piece_key[piece][source] ^ tables.piece_key[piece][target]
                     ^ tables.piece_key[captured][target])
    if keyed and captured:
        board.state.halfmove = 0
    if piece & 7 == PAWN:
        if keyed:
            board.state.halfmove = 0
        move_pawn_specials(board, move, source, target, ep, us)
    elif piece & 7 == KING:
        board.king[us] = target


cdef inline void remember(const Board* board, int move, Undo* undo) noexcept nogil:
    """Save what ``move`` will overwrite. Call it before ``make_move``."""
    undo.key = board.key
    undo.state = board.state
    undo.move = move
    undo.captured = board.squares[target_of(move)]


cdef inline void unmake_move(Board* board, const Undo* undo) noexcept nogil:
    """Take the last move back."""
    cdef int move = undo.move
    cdef int source = source_of(move), target = target_of(move), us = board.turn ^ 1
    cdef int piece
    if move:
        if undo.captured == code_of(us, ROOK):
            lift(board, castled_king(source, target))
            lift(board, castled_rook(source, target))
            place(board, code_of(us, KING), source)
            place(board, code_of(us, ROOK), target)
            board.king[us] = source
        else:
            piece = code_of(us, PAWN) if move >> 12 else board.squares[target]
            lift(board, target)
            place(board, piece, source)
            if undo.captured:
                place(board, undo.captured, target)
            elif target == undo.state.ep and piece & 7 == PAWN:
                place(board, code_of(us ^ 1, PAWN), target ^ 8)
            if piece & 7 == KING:
                board.king[us] = source
    board.turn = us
    board.fullmove -= us
    board.key = undo.key
    board.state = undo.state


# --- legality --------------------------------------------------------------------------------------------------------

cdef inline bint leaves_king_safe(const Board* board, int source, int target) noexcept nogil:
    """Whether the own king is safe after this pseudo-legal move (not castling). The only test of pins and checks."""
    cdef int us = board.turn, king = board.king[us]
    cdef uint64_t occupancy = occupied(board) & ~bit(source) | bit(target)
    cdef uint64_t enemies = board.colors[us ^ 1] & ~bit(target)
    if source == king:
        king = target
    elif target == board.state.ep and board.squares[source] & 7 == PAWN:
        occupancy &= ~bit(target ^ 8)
        enemies &= ~bit(target ^ 8)
    return not attacked(board, king, us, enemies, occupancy)


cdef inline uint64_t squares_from_to(int first, int last) noexcept nogil:
    """All squares of a rank between two of its squares, both included."""
    cdef int low = first if first < last else last
    cdef int high = last if first < last else first
    return (bit(high) << 1) - bit(low) if high < 63 else ~(bit(low) - 1)


cdef inline int castling_move(const Board* board, int side) noexcept nogil:
    """The castling move of the side to move if it is legal, else 0 (which is no castling move)."""
    cdef int us = board.turn, king = board.king[us], rook = board.rook[2 * us + side]
    cdef int king_target, rook_target, step, square
    cdef uint64_t way, blockers, enemies
    if not board.state.rights >> (2 * us + side) & 1:
        return 0
    king_target = castled_king(king, rook)
    rook_target = castled_rook(king, rook)
    way = squares_from_to(king, king_target) | squares_from_to(rook, rook_target)
    blockers = occupied(board) & ~bit(king) & ~bit(rook)
    if way & blockers:
        return 0
    enemies = board.colors[us ^ 1]
    step = 1 if king_target > king else -1
    square = king
    while True:
        if attacked(board, square, us, enemies, blockers | bit(rook)):
            return 0
        if square == king_target:
            break
        square += step
    # In Chess960 the castling rook itself may have shielded the king.
    if attacked(board, king_target, us, enemies, blockers | bit(rook_target)):
        return 0
    return move_of(king, rook, 0)


cdef inline bint pawn_reaches(const Board* board, int source, int target) noexcept nogil:
    """Whether a pawn of the side to move on ``source`` may go to ``target``, ignoring promotion and checks."""
    cdef int us = board.turn, forward = 8 - 16 * us
    if TABLES.pawn[us][source] & bit(target):
        return board.colors[us ^ 1] & bit(target) != 0 or target == board.state.ep
    if board.squares[target]:
        return False
    return (target == source + forward
            or target == source + 2 * forward and source >> 3 == (6 if us else 1)
            and not board.squares[source + forward])


cdef inline bint is_legal(const Board* board, int move) noexcept nogil:
    """Whether any token is a legal move in this position. The null move is not."""
    cdef int piece = board.squares[source_of(move)]
    return piece != EMPTY and piece >> 3 == board.turn and move >> 12 <= 4 and is_legal_of(board, piece & 7, move)


cdef inline bint is_legal_of(const Board* board, int piece_type, int move) noexcept nogil:
    """``is_legal`` for callers that know the piece of the side to move on the source square.

    Knowing the piece early saves time: whether a pawn moves is a branch that processors predict badly.
    """
    cdef int source = source_of(move), target = target_of(move), us = board.turn
    cdef int aim = board.squares[target], promotion = move >> 12
    if aim and aim >> 3 == us:
        return piece_type == KING and aim & 7 == ROOK and move == castling_move(
            board, KING_SIDE if target > source else QUEEN_SIDE)
    if aim & 7 == KING:
        return False
    if piece_type == PAWN:
        if not pawn_reaches(board, source, target) or (promotion != 0) != (target >> 3 == (0 if us else 7)):
            return False
    elif promotion or not piece_reaches(board, piece_type, source, target):
        return False
    return leaves_king_safe(board, source, target)
