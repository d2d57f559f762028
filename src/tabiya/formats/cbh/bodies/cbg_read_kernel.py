"""Reads the moves of a ``.cbg`` blob: bytes to legal moves in the order of the stream, with links between alternatives.

Linear in the size of the blob, which may be read again (at most seven times) where a castling right is missing or
pieces were numbered by another rule. Open branches stand on a stack on the heap.
"""

import cython
from cython.cimports.libc.stdint import uint8_t, uint16_t
from cython.cimports.libc.stdlib import free
from cython.cimports.libc.string import memcmp, memset
from cython.cimports.tabiya.chess.bits import likely, unlikely
from cython.cimports.tabiya.chess.board import (
    KING,
    KING_SIDE,
    NO_SQUARE,
    PAWN,
    QUEEN_SIDE,
    ROOK,
    castling_move,
    code_of,
    is_legal,
    is_legal_of,
    make_move_without_key,
    target_of,
)
from cython.cimports.tabiya.chess.fen_kernel import start_board
from cython.cimports.tabiya.formats.cbh.bodies.cbg import (
    BLOB_HEAD,
    CHESS,
    CHESS960,
    MODE_BITS,
    PROBLEM_MODE,
    PROBLEM_MOVE,
    PROBLEM_NESTING,
    PROBLEM_SETUP,
    SETUP_BIT,
)
from cython.cimports.tabiya.formats.cbh.bodies.cbg_branches_kernel import (
    break_off,
    finish_early,
    link_alternative,
    pop_branch,
    push_branch,
)
from cython.cimports.tabiya.formats.cbh.bodies.cbg_setup_kernel import (
    HOMES_SIZE,
    SETUP_SIZE,
    read_setup,
    usual_homes,
    write_homes,
    write_setup,
)
from cython.cimports.tabiya.formats.cbh.bodies.cbg_slots import move_slots, number_pieces
from cython.cimports.tabiya.formats.cbh.bodies.move_tables_kernel import (
    CODES,
    LONG_CASTLING,
    MODES,
    MOST_SLOTS,
    NO_SLOT,
    NULL_MOVE,
    POP,
    PUSH,
    SHORT_CASTLING,
    TRACKED,
    TWO_BYTES,
    Codes,
    Meaning,
    after_step,
    square_of,
)
from cython.cimports.tabiya.game.growing import grow

AGAIN = cython.declare(cython.int, -2)  # with another castling right
FIRST_POST_MODE = cython.declare(cython.int, 4)


def init_moves(moves):
    memset(moves, 0, cython.sizeof(moves[0]))
    start_board(cython.address(moves.usual))
    number_pieces(cython.address(moves.usual_slots), cython.address(moves.usual), False, TRACKED)


def free_moves(moves):
    free(moves.tokens.data)
    free(moves.siblings.data)
    free(moves.ends.data)
    free(moves.branches.data)
    free(moves.numbers.data)
    free(moves.open_lines.data)


def read_moves(moves, data, size):
    """Read a blob of at least BLOB_HEAD bytes; MOVES_OK, or the code of the problem that stands at ``place``.

    After PROBLEM_MOVE there are the moves before the one that makes no sense (``broken``), after all others none.
    """
    code: cython.int = MOVES_OK
    granted: cython.int
    moves.data = data
    moves.size = size
    moves.place = 0
    moves.mode = data[0] & MODE_BITS
    moves.has_setup = data[0] & SETUP_BIT != 0
    moves.granted = 0
    moves.limit = TRACKED
    moves.tokens.size = 0
    if moves.mode >= MODES or not CODES.known[moves.mode]:
        return PROBLEM_MODE
    if not grow(cython.address(moves.tokens), 2 * size):
        moves.no_memory = True
        return PROBLEM_NESTING
    code = read_lines(moves)
    if code == PROBLEM_MOVE and is_compact(moves.mode):
        # Does a fourth piece move up when one of the first three is captured? The sources disagree: first no, then yes.
        granted = moves.granted
        moves.limit = MOST_SLOTS
        if read_lines(moves) == MOVES_OK:
            return MOVES_OK
        moves.granted = granted
        moves.limit = TRACKED
        code = read_lines(moves)
    if code == PROBLEM_MOVE:
        break_off(moves)
    return code


def is_compact(mode):
    return mode >= CHESS960 or mode & 1 == 0


def read_lines(moves):
    """Read the blob with the rules as they are set, and again for each castling right that turns out to be missing."""
    code: cython.int
    while True:
        code = read_start(moves)
        if code == MOVES_OK:
            code = read_compact(moves) if is_compact(moves.mode) else read_simple(moves, moves.mode & 3 == 3)
        if code != MOVES_AGAIN:
            return code


def read_start(moves):
    """Set up the first position and forget everything behind it."""
    chess960: cython.bint = moves.mode >= CHESS960
    reverse: cython.bint = moves.mode == 2 or moves.mode == 6 or moves.mode == 11
    moves.place = BLOB_HEAD
    moves.count = 0
    moves.pending = -1
    moves.group = -1
    moves.branched = moves.odd = moves.open_end = moves.broken = False
    moves.branches.size = 0
    moves.before = moves.behind = 0
    if moves.has_setup:
        moves.place += SETUP_SIZE + (HOMES_SIZE if chess960 else 0)
        if moves.place > moves.size:
            moves.place = BLOB_HEAD
            return PROBLEM_SETUP
        if not read_setup(
            moves.data + BLOB_HEAD,
            chess960,
            moves.granted,
            cython.address(moves.start),
            cython.address(moves.homes),
        ):
            moves.place = BLOB_HEAD
            return PROBLEM_SETUP
        moves.board = moves.start
        number_pieces(cython.address(moves.slots), cython.address(moves.board), reverse, moves.limit)
        return MOVES_OK
    moves.start = moves.usual
    moves.start.chess960 = chess960
    moves.board = moves.start
    usual_homes(cython.address(moves.homes))
    if reverse or moves.limit != TRACKED:
        number_pieces(cython.address(moves.slots), cython.address(moves.board), reverse, moves.limit)
    else:
        moves.slots = moves.usual_slots
    return MOVES_OK


# --- the two coders --------------------------------------------------------------------------------------------------


def read_value(moves):
    """Return the number behind the next byte, which must be there."""
    byte: cython.int = moves.data[moves.place]
    moves.place += 1
    return (CODES.decode[moves.mode][(byte - moves.before) & 255] - moves.behind) & 255


def read_compact(moves):
    value: cython.int
    move: cython.int
    while moves.place < moves.size:
        if not read_plain(moves):
            return PROBLEM_MOVE
        if moves.place == moves.size:
            break
        value = read_value(moves)
        if value == POP:
            if not pop_branch(moves):
                return MOVES_OK
        elif value == PUSH:
            if not push_branch(moves):
                moves.place -= 1
                return PROBLEM_NESTING
        elif value > TWO_BYTES:
            moves.odd = True  # 236 occurs and says nothing; the numbers up to 253 have never been seen
        else:
            move = rare_move(moves, value)
            if move < 0:
                return MOVES_AGAIN if move == AGAIN else PROBLEM_MOVE
            play(moves, move)
    finish_early(moves)
    return MOVES_OK


def read_plain(moves):
    """Read moves of numbered pieces up to any other number; False if one of them is illegal.

    Nearly all bytes of nearly all games are read here. What changes with every move is kept in variables: behind a
    pointer it would be written and read again each time.
    """
    board = cython.address(moves.board)
    codes: cython.pointer[cython.const[Codes]] = cython.address(CODES)
    table: cython.pointer[cython.const[uint8_t]] = codes.decode[moves.mode]
    tokens = cython.cast(cython.pointer[uint16_t], moves.tokens.data)
    data = moves.data
    size: cython.Py_ssize_t = moves.size
    place: cython.Py_ssize_t = moves.place
    count: cython.Py_ssize_t = moves.count
    before: cython.int = moves.before
    behind: cython.int = moves.behind
    shift_before: cython.int = moves.mode < FIRST_POST_MODE
    us: cython.Py_ssize_t = board.turn
    meaning: cython.pointer[cython.const[Meaning]]
    value: cython.int
    source: cython.int
    move: cython.int
    odd: cython.int = 0
    sound: cython.bint = True
    while place < size:
        value = (table[(data[place] - before) & 255] - behind) & 255
        meaning = cython.address(codes.meaning[value])
        if unlikely(meaning.slot == NO_SLOT):
            break
        source = moves.slots.square[us][meaning.slot]
        move = source | after_step(source, meaning.step[us]) << 6
        if unlikely(source == NO_SQUARE or not is_legal_of(board, meaning.piece_type, move)):
            sound = False
            break
        # A king that takes a rook is Chess960, where castling has a form of its own.
        odd |= meaning.second_form | (board.squares[target_of(move)] == code_of(us, ROOK))
        if unlikely(moves.pending >= 0):
            moves.count = count
            link_alternative(moves)
        move_slots(cython.address(moves.slots), board, move)
        make_move_without_key(board, move)
        tokens[count] = move
        place += 1
        count += 1
        before += shift_before
        behind += 1 - shift_before
        us ^= 1
    moves.place = place
    moves.count = count
    moves.before = before & 255
    moves.behind = behind & 255
    moves.odd |= odd != 0
    return sound


def rare_move(moves, value):
    """Return a null move, castling, or a move of two bytes; ``place`` goes back to its first byte if it is none."""
    start: cython.Py_ssize_t = moves.place - 1
    word: cython.int
    move: cython.int
    source: cython.int
    if value == NULL_MOVE:
        return 0
    if value == SHORT_CASTLING or value == LONG_CASTLING:
        moves.odd |= moves.board.chess960
        move = castle(moves, KING_SIDE if value == SHORT_CASTLING else QUEEN_SIDE)
    elif moves.place + 2 > moves.size:
        move = NOT_A_MOVE
    else:
        word = read_value(moves) << 8
        word |= read_value(moves)
        source = square_of(word & 63)
        move = word_move(moves, source, square_of(word >> 6 & 63), word >> 12 & 3)
        if move >= 0:
            note_needless(moves, word, source, move)
    if move < 0:
        moves.place = start
    return move


def note_needless(moves, word, source, move):
    """ChessBase takes two bytes only for promotions, pieces without a number, and castling in Chess960."""
    castling: cython.bint = moves.board.chess960 and (word & 63) == word >> 6
    if not castling and (
        word >> 14
        or (move >> 12 == 0 and (word >> 12 or moves.slots.at[source] != NO_SLOT))
        or moves.board.squares[target_of(move)] == code_of(moves.board.turn, ROOK)
    ):
        moves.odd = True


def read_simple(moves, swapped):
    word: cython.int
    source: cython.int
    target: cython.int
    move: cython.int
    start: cython.Py_ssize_t
    while moves.place + 1 < moves.size:
        start = moves.place
        word = read_value(moves) << 8
        word |= read_value(moves)
        if word & 0x8000 and not push_branch(moves):
            moves.place = start
            return PROBLEM_NESTING
        source = word & 63
        target = word >> 6 & 63
        move = 0
        if source or target:
            move = word_move(
                moves,
                square_of(target if swapped else source),
                square_of(source if swapped else target),
                word >> 12 & 3,
            )
        if move < 0:
            moves.place = start
            return MOVES_AGAIN if move == AGAIN else PROBLEM_MOVE
        play(moves, move)
        if word & 0x4000 and not pop_branch(moves):
            return MOVES_OK
    # A game without moves has no bytes at all, so nothing is missing there.
    if moves.count or moves.place < moves.size:
        finish_early(moves)
    return MOVES_OK


def word_move(moves, source, target, promotion):
    """Return the move between two squares if it is legal, else NOT_A_MOVE or AGAIN."""
    board = cython.address(moves.board)
    us: cython.int = board.turn
    piece: cython.int = board.squares[source]
    move: cython.int = source | target << 6
    if board.chess960:
        if source == target:
            if source == (62 if us else 6):
                return castle(moves, KING_SIDE)
            return castle(moves, QUEEN_SIDE) if source == (58 if us else 2) else NOT_A_MOVE
    elif piece == code_of(us, KING) and source & 7 == 4 and (source ^ target) & 56 == 0:
        if target == source + 2:
            return castle(moves, KING_SIDE)
        if target == source - 2:
            return castle(moves, QUEEN_SIDE)
    if piece == code_of(us, PAWN) and (target < 8 or target > 55):
        move |= (4 - promotion) << 12
    return move if is_legal(board, move) else NOT_A_MOVE


def castle(moves, side):
    """Return the castling move. Some games castle without the right in their start position: it is added then."""
    board = cython.address(moves.board)
    us: cython.int = board.turn
    right: cython.int = 2 * us + side
    rook: cython.int = moves.homes.rook[right]
    move: cython.int = castling_move(board, side)
    if move:
        return move
    if (
        moves.has_setup
        and not moves.start.state.rights >> right & 1
        and not moves.granted >> right & 1
        and moves.homes.king[us] == board.king[us]
        and rook != NO_SQUARE
        and board.squares[rook] == code_of(us, ROOK)
    ):
        moves.granted |= 1 << right
        return AGAIN
    return NOT_A_MOVE


# --- the game --------------------------------------------------------------------------------------------------------


def play(moves, move):
    """Add a legal move."""
    if unlikely(moves.pending >= 0):
        link_alternative(moves)
    if likely(move != 0):
        move_slots(cython.address(moves.slots), cython.address(moves.board), move)
    make_move_without_key(cython.address(moves.board), move)
    cython.cast(cython.pointer[uint16_t], moves.tokens.data)[moves.count] = move
    moves.count += 1
    if moves.mode < FIRST_POST_MODE:
        moves.before += 1
    else:
        moves.behind += 1


def is_exact(moves):
    """Return whether ChessBase's own encoding of these moves gives this very blob, so it need not be kept."""
    setup: uint8_t[36]
    size: cython.int = SETUP_SIZE
    if moves.odd or moves.place != moves.size or moves.limit != TRACKED or moves.data[0] & 128:
        return False
    if moves.mode == CHESS960:
        if not moves.has_setup:
            return False
        size += HOMES_SIZE
        write_homes(cython.address(moves.start), setup + SETUP_SIZE)
    elif moves.mode != CHESS:
        return False
    if not moves.has_setup:
        return True
    return write_setup(cython.address(moves.start), setup) and memcmp(setup, moves.data + BLOB_HEAD, size) == 0
