"""Reads the moves of a ``.cbg`` blob: legal moves in the order of the stream, with links between alternatives.

Linear in the size of the blob, which may be read again (at most seven times) where a castling right is missing or
pieces were numbered by another rule. Open branches are on a heap-allocated stack.
"""

from libc.stdint cimport uint16_t
from libc.stdlib cimport free
from libc.string cimport memcmp, memset

from tabiya.chess.bits cimport likely, unlikely
from tabiya.chess.board cimport (
    KING, KING_SIDE, NO_SQUARE, PAWN, QUEEN_SIDE, ROOK, castling_move, code_of, is_legal, is_legal_of,
    make_move_without_key, target_of
)
from tabiya.chess.fen_kernel cimport start_board
from tabiya.formats.cbh.bodies.cbg cimport (
    BLOB_HEAD, CHESS, CHESS960, MODE_BITS, PROBLEM_MODE, PROBLEM_MOVE, PROBLEM_NESTING, PROBLEM_SETUP, SETUP_BIT
)
from tabiya.formats.cbh.bodies.cbg_branches_kernel cimport (
    break_off, finish_early, link_alternative, pop_branch, push_branch
)
from tabiya.formats.cbh.bodies.cbg_setup_kernel cimport (
    HOMES_SIZE, SETUP_SIZE, read_setup, usual_homes, write_homes, write_setup
)
from tabiya.formats.cbh.bodies.cbg_slots cimport move_slots, number_pieces
from tabiya.formats.cbh.bodies.move_tables_kernel cimport (
    CODES, LONG_CASTLING, MODES, MOST_SLOTS, NO_SLOT, NULL_MOVE, POP, PUSH, SHORT_CASTLING, TRACKED, TWO_BYTES, Codes,
    Meaning, after_step, square_of
)
from tabiya.game.growing cimport grow

cdef int AGAIN = -2  # with another castling right
cdef int FIRST_POST_MODE = 4


cdef void init_moves(Moves* moves) noexcept nogil:
    memset(moves, 0, sizeof(moves[0]))
    start_board(&moves.usual)
    number_pieces(&moves.usual_slots, &moves.usual, False, TRACKED)


cdef void free_moves(Moves* moves) noexcept nogil:
    free(moves.tokens.data)
    free(moves.siblings.data)
    free(moves.ends.data)
    free(moves.branches.data)
    free(moves.numbers.data)
    free(moves.open_lines.data)


cdef int read_moves(Moves* moves, const uint8_t* data, Py_ssize_t size) noexcept nogil:
    """Read a blob of at least BLOB_HEAD bytes; return MOVES_OK, or the code of the problem at ``place``.

    After PROBLEM_MOVE there are the moves before the invalid one (``broken``), after all other problems none.
    """
    cdef int code = MOVES_OK
    cdef int granted
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
    if not grow(&moves.tokens, 2 * size):
        moves.no_memory = True
        return PROBLEM_NESTING
    code = read_lines(moves)
    if code == PROBLEM_MOVE and is_compact(moves.mode):
        # Does a fourth piece move up when one of the first three is captured? The sources disagree: try no, then yes.
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


cdef bint is_compact(int mode) noexcept nogil:
    return mode >= CHESS960 or mode & 1 == 0


cdef int read_lines(Moves* moves) noexcept nogil:
    """Read the blob with the current rules, and again for each missing castling right."""
    cdef int code
    while True:
        code = read_start(moves)
        if code == MOVES_OK:
            code = read_compact(moves) if is_compact(moves.mode) else read_simple(moves, moves.mode & 3 == 3)
        if code != MOVES_AGAIN:
            return code


cdef int read_start(Moves* moves) noexcept nogil:
    """Set up the first position and discard everything after it."""
    cdef bint chess960 = moves.mode >= CHESS960
    cdef bint reverse = moves.mode == 2 or moves.mode == 6 or moves.mode == 11
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
        if not read_setup(moves.data + BLOB_HEAD, chess960, moves.granted, &moves.start, &moves.homes):
            moves.place = BLOB_HEAD
            return PROBLEM_SETUP
        moves.board = moves.start
        number_pieces(&moves.slots, &moves.board, reverse, moves.limit)
        return MOVES_OK
    moves.start = moves.usual
    moves.start.chess960 = chess960
    moves.board = moves.start
    usual_homes(&moves.homes)
    if reverse or moves.limit != TRACKED:
        number_pieces(&moves.slots, &moves.board, reverse, moves.limit)
    else:
        moves.slots = moves.usual_slots
    return MOVES_OK


# --- the two coders --------------------------------------------------------------------------------------------------


cdef int read_value(Moves* moves) noexcept nogil:
    """Return the number for the next byte, which must exist."""
    cdef int byte = moves.data[moves.place]
    moves.place += 1
    return (CODES.decode[moves.mode][(byte - moves.before) & 255] - moves.behind) & 255


cdef int read_compact(Moves* moves) noexcept nogil:
    cdef int value
    cdef int move
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
            moves.odd = True  # 236 occurs and has no meaning; the numbers up to 253 have never been seen
        else:
            move = rare_move(moves, value)
            if move < 0:
                return MOVES_AGAIN if move == AGAIN else PROBLEM_MOVE
            play(moves, move)
    finish_early(moves)
    return MOVES_OK


cdef bint read_plain(Moves* moves) noexcept nogil:
    """Read moves of numbered pieces up to any other number; False if one of them is illegal.

    Nearly all bytes of nearly all games are read here. State that changes with every move is kept in local variables:
    behind a pointer it would be written and read again each time.
    """
    board = &moves.board
    cdef const Codes* codes = &CODES
    cdef const uint8_t* table = codes.decode[moves.mode]
    tokens = <uint16_t*> moves.tokens.data
    data = moves.data
    cdef Py_ssize_t size = moves.size
    cdef Py_ssize_t place = moves.place
    cdef Py_ssize_t count = moves.count
    cdef int before = moves.before
    cdef int behind = moves.behind
    cdef int shift_before = moves.mode < FIRST_POST_MODE
    cdef Py_ssize_t us = board.turn
    cdef const Meaning* meaning
    cdef int value
    cdef int source
    cdef int move
    cdef int odd = 0
    cdef bint sound = True
    while place < size:
        value = (table[(data[place] - before) & 255] - behind) & 255
        meaning = &codes.meaning[value]
        if unlikely(meaning.slot == NO_SLOT):
            break
        source = moves.slots.square[us][meaning.slot]
        move = source | after_step(source, meaning.step[us]) << 6
        if unlikely(source == NO_SQUARE or not is_legal_of(board, meaning.piece_type, move)):
            sound = False
            break
        # A king that captures its own rook is Chess960, where castling has a form of its own.
        odd |= meaning.second_form | (board.squares[target_of(move)] == code_of(us, ROOK))
        if unlikely(moves.pending >= 0):
            moves.count = count
            link_alternative(moves)
        move_slots(&moves.slots, board, move)
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


cdef int rare_move(Moves* moves, int value) noexcept nogil:
    """Return a null move, castling, or a move of two bytes; if invalid, ``place`` goes back to its first byte."""
    cdef Py_ssize_t start = moves.place - 1
    cdef int word
    cdef int move
    cdef int source
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


cdef void note_needless(Moves* moves, int word, int source, int move) noexcept nogil:
    """Mark unusual two-byte moves: ChessBase uses them only for promotions, unnumbered pieces, 960 castling."""
    cdef bint castling = moves.board.chess960 and (word & 63) == word >> 6
    if not castling and (
        word >> 14
        or (move >> 12 == 0 and (word >> 12 or moves.slots.at[source] != NO_SLOT))
        or moves.board.squares[target_of(move)] == code_of(moves.board.turn, ROOK)
    ):
        moves.odd = True


cdef int read_simple(Moves* moves, bint swapped) noexcept nogil:
    cdef int word
    cdef int source
    cdef int target
    cdef int move
    cdef Py_ssize_t start
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
    # A game without moves has no bytes at all, so nothing is missing.
    if moves.count or moves.place < moves.size:
        finish_early(moves)
    return MOVES_OK


cdef int word_move(Moves* moves, int source, int target, int promotion) noexcept nogil:
    """Return the move between two squares if it is legal, else NOT_A_MOVE or AGAIN."""
    board = &moves.board
    cdef int us = board.turn
    cdef int piece = board.squares[source]
    cdef int move = source | target << 6
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


cdef int castle(Moves* moves, int side) noexcept nogil:
    """Return the castling move. Some games castle without the right in their start position: it is then added."""
    board = &moves.board
    cdef int us = board.turn
    cdef int right = 2 * us + side
    cdef int rook = moves.homes.rook[right]
    cdef int move = castling_move(board, side)
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


cdef void play(Moves* moves, int move) noexcept nogil:
    """Add a legal move."""
    if unlikely(moves.pending >= 0):
        link_alternative(moves)
    if likely(move != 0):
        move_slots(&moves.slots, &moves.board, move)
    make_move_without_key(&moves.board, move)
    (<uint16_t*> moves.tokens.data)[moves.count] = move
    moves.count += 1
    if moves.mode < FIRST_POST_MODE:
        moves.before += 1
    else:
        moves.behind += 1


cdef bint is_exact(const Moves* moves) noexcept nogil:
    """Return whether ChessBase's own encoding of these moves gives this exact blob, so that it need not be kept."""
    cdef uint8_t setup[36]
    cdef int size = SETUP_SIZE
    if moves.odd or moves.place != moves.size or moves.limit != TRACKED or moves.data[0] & 128:
        return False
    if moves.mode == CHESS960:
        if not moves.has_setup:
            return False
        size += HOMES_SIZE
        write_homes(&moves.start, setup + SETUP_SIZE)
    elif moves.mode != CHESS:
        return False
    if not moves.has_setup:
        return True
    return write_setup(&moves.start, setup) and memcmp(setup, moves.data + BLOB_HEAD, size) == 0
