"""Reads bodies: moves and annotations of many records into a builder, in one pass. Linear in the size of the blobs.

Any bytes give a record. What its columns would not reproduce byte by byte is kept in extras.
"""

from libc.stdint cimport int32_t, uint16_t
from libc.stdlib cimport free
from libc.string cimport memcmp, memset

from tabiya.chess.bits cimport likely, unlikely
from tabiya.chess.board cimport (
    KING, KING_SIDE, NO_SQUARE, PAWN, QUEEN_SIDE, ROOK, castling_move, code_of, is_legal, is_legal_of,
    make_move_without_key, target_of
)
from tabiya.chess.fen_kernel cimport start_board
from tabiya.chessbase.bodies cimport (
    GAME, OPAQUE, REFUSED_BODY, TEXT, Piece, are_pieces, keep, note, note_number, put_start, take_piece
)
from tabiya.chessbase.lines_kernel cimport LINES_NO_MEMORY, put_variations
from tabiya.formats.cbh.bodies.cba cimport ANNOTATION_HEAD, ANNOTATIONS_HEAD
from tabiya.chessbase.text_kernel cimport TEXT_EXACT, TEXT_NO_MEMORY, decode_text
from tabiya.formats.cbh.bodies.cbg cimport (
    BLOB_HEAD, CHESS, CHESS960, MODE_BITS, PROBLEM_ANNOTATIONS, PROBLEM_CUT_ANNOTATIONS, PROBLEM_CUT_MOVES,
    PROBLEM_LOST_POSITION, PROBLEM_MODE, PROBLEM_MOVE, PROBLEM_NESTING, PROBLEM_NO_ANNOTATIONS, PROBLEM_NO_MOVES,
    PROBLEM_NUMBERING, PROBLEM_OPEN_END, PROBLEM_POSITION, PROBLEM_RIGHTS, PROBLEM_SETUP, PROBLEM_SIZE, SETUP_BIT,
    Branch
)
from tabiya.formats.cbh.bodies.cbg_setup_kernel cimport (
    HOMES_SIZE, SETUP_SIZE, read_setup, usual_homes, write_homes, write_setup
)
from tabiya.formats.cbh.bodies.cbg_slots cimport move_slots, number_pieces
from tabiya.formats.cbh.bodies.move_tables_kernel cimport (
    CODES, LONG_CASTLING, MODES, MOST_SLOTS, NO_SLOT, NULL_MOVE, POP, PUSH, SHORT_CASTLING, TRACKED, TWO_BYTES, Codes,
    Meaning, after_step, square_of
)
from tabiya.game.annotations.kinds cimport KIND_SYMBOLS, KIND_TEXT_AFTER, KIND_TEXT_BEFORE
from tabiya.game.columns cimport (
    SIDE_AFTER, SIDE_BEFORE, Header, annotation_count, close_annotation, close_annotation_with_raw, end_record,
    open_annotation, put_bytes, put_values
)
from tabiya.game.columns_kernel cimport NO_HEADER, BatchBuilder
from tabiya.game.growing cimport grow
from tabiya.game.sink_kernel cimport order_annotations
from tabiya.game.tape_kernel cimport MOST_NESTED

# === from stored order to tape ========================================================================================

cdef bint put_tape(Moves* moves, Columns* columns) noexcept nogil:
    """Append the tape; False if its variations are nested too deeply, or without memory."""
    if moves.branched:
        return put_lines(moves, columns)
    moves.main_last = moves.count - 1
    put_bytes(columns, &columns.moves, moves.tokens.data, 2 * moves.count)
    return True


cdef bint put_lines(Moves* moves, Columns* columns) noexcept nogil:
    cdef int last
    moves.main_last = -1
    moves.numbers.size = 0
    if moves.count == 0:
        return True
    if not grow(&moves.numbers, 4 * moves.count):
        moves.no_memory = True
        return False
    last = put_variations(
        columns, <uint16_t*> moves.tokens.data, <int32_t*> moves.siblings.data, moves.ends.data,
        <int32_t*> moves.numbers.data, &moves.open_lines
    )
    moves.no_memory |= last == LINES_NO_MEMORY
    moves.main_last = last if last >= 0 else -1
    return last >= 0


cdef int32_t tape_number(const Moves* moves, int32_t move) noexcept nogil:
    """Return the number on the tape of a move given in the order of the stream."""
    if not moves.branched:
        return move
    return (<int32_t*> moves.numbers.data)[move]


# === alternatives =====================================================================================================
# Alternatives in a ``.cbg`` blob: saved positions on a heap-allocated stack, and links between moves.

cdef void link_alternative(Moves* moves) noexcept nogil:
    """Record that the next move is an alternative to the pending one."""
    cdef Branch* branches
    (<int32_t*> moves.siblings.data)[moves.pending] = moves.count
    if moves.branches.size:
        branches = <Branch*> (moves.branches.data + moves.branches.size) - 1
        if branches.place == moves.group:
            branches.first = moves.count
    moves.pending = -1


cdef bint open_arrays(Moves* moves) noexcept nogil:
    """Allocate the links of a game with alternatives; False without memory."""
    moves.siblings.size = moves.ends.size = 0
    if not grow(&moves.siblings, 4 * moves.size) or not grow(&moves.ends, moves.size):
        moves.no_memory = True
        return False
    memset(moves.siblings.data, 255, 4 * moves.size)
    memset(moves.ends.data, 0, moves.size)
    moves.branched = True
    return True


cdef bint push_branch(Moves* moves) noexcept nogil:
    """Save the position, to which a later line returns; False if there are too many."""
    cdef Branch* branch
    if not moves.branched and not open_arrays(moves):
        return False
    if moves.branches.size // sizeof(Branch) >= MOST_NESTED:
        return False
    if not grow(&moves.branches, sizeof(Branch)):
        moves.no_memory = True
        return False
    branch = <Branch*> (moves.branches.data + moves.branches.size)
    branch.board = moves.board
    branch.slots = moves.slots
    branch.place = branch.first = moves.count
    moves.branches.size += sizeof(Branch)
    return True


cdef bint pop_branch(Moves* moves) noexcept nogil:
    """End a line and return to the last saved position; False if there is none: the game has ended."""
    cdef Branch* branch = NULL
    if moves.branches.size:
        branch = <Branch*> (moves.branches.data + moves.branches.size) - 1
        if branch.place == moves.count:
            # Saved and left without a move: the line around it continues.
            moves.branches.size -= sizeof(Branch)
            moves.unusual = True
            return True
    if moves.pending >= 0:
        moves.unusual = True  # a line without moves
    end_line(moves)
    if branch == NULL:
        return False
    moves.branches.size -= sizeof(Branch)
    moves.board = branch.board
    moves.slots = branch.slots
    moves.pending = branch.first
    moves.group = branch.place
    # One position saved twice in a row: its alternatives are still those of one move.
    if moves.branches.size and (branch - 1).place == branch.place:
        (branch - 1).first = branch.first
        moves.unusual = True
    return True


cdef void finish_early(Moves* moves) noexcept nogil:
    """End the game where the bytes end before the last line, as in one complete game of a large database."""
    moves.open_end = moves.unusual = True
    end_line(moves)


cdef void break_off(Moves* moves) noexcept nogil:
    """End the game at an invalid code: the game consists of the moves before it, as in ChessBase."""
    moves.broken = True
    end_line(moves)


cdef void end_line(Moves* moves) noexcept nogil:
    if moves.branched and moves.count:
        moves.ends.data[moves.count - 1] = 1


# === moves (.cbg) =====================================================================================================
# Reads the moves of a ``.cbg`` blob: legal moves in the order of the stream, with links between alternatives.
#
# Linear in the size of the blob, which may be read again (at most seven times) where a castling right is missing or
# pieces were numbered by another rule. Open branches are on a heap-allocated stack.

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
    moves.branched = moves.unusual = moves.open_end = moves.broken = False
    moves.branches.size = 0
    moves.before = moves.after = 0
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
    return (CODES.decode[moves.mode][(byte - moves.before) & 255] - moves.after) & 255


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
            moves.unusual = True  # 236 occurs and has no meaning; the numbers up to 253 have never been seen
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
    cdef int after = moves.after
    cdef int shift_before = moves.mode < FIRST_POST_MODE
    cdef Py_ssize_t us = board.turn
    cdef const Meaning* meaning
    cdef int value
    cdef int source
    cdef int move
    cdef int unusual = 0
    cdef bint sound = True
    while place < size:
        value = (table[(data[place] - before) & 255] - after) & 255
        meaning = &codes.meaning[value]
        if unlikely(meaning.slot == NO_SLOT):
            break
        source = moves.slots.square[us][meaning.slot]
        move = source | after_step(source, meaning.step[us]) << 6
        if unlikely(source == NO_SQUARE or not is_legal_of(board, meaning.piece_type, move)):
            sound = False
            break
        # A king that captures its own rook is Chess960, where castling has a form of its own.
        unusual |= meaning.second_form | (board.squares[target_of(move)] == code_of(us, ROOK))
        if unlikely(moves.pending >= 0):
            moves.count = count
            link_alternative(moves)
        move_slots(&moves.slots, board, move)
        make_move_without_key(board, move)
        tokens[count] = move
        place += 1
        count += 1
        before += shift_before
        after += 1 - shift_before
        us ^= 1
    moves.place = place
    moves.count = count
    moves.before = before & 255
    moves.after = after & 255
    moves.unusual |= unusual != 0
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
        moves.unusual |= moves.board.chess960
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
        moves.unusual = True


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
        moves.after += 1


cdef bint is_exact(const Moves* moves) noexcept nogil:
    """Return whether ChessBase's own encoding of these moves gives this exact blob, so that it need not be kept."""
    cdef uint8_t setup[36]
    cdef int size = SETUP_SIZE
    if moves.unusual or moves.place != moves.size or moves.limit != TRACKED or moves.data[0] & 128:
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


# === annotations (.cba) ===============================================================================================
# Reads the annotations of a ``.cba`` blob into columns, attached to their moves on the tape.
#
# A blob has a header of 14 bytes (game, ``01 00 0E 0E``, count plus one, size) and then its annotations: position,
# kind, length, payload. Positions count the moves in the order of the stream, -1 is the whole game. Linear in the size.

cdef int MOST_SYMBOLS = 3


cdef void free_annotations(Annotations* annotations) noexcept nogil:
    free(annotations.found.data)
    free(annotations.order_scratch.data)
    free(annotations.scratch.data)


cdef bint read_annotations(
    Annotations* annotations, const uint8_t* data, Py_ssize_t size, int64_t game, const Moves* moves, Columns* columns
) noexcept nogil:
    """Append the annotations of a blob of at least ANNOTATIONS_HEAD bytes; False without memory.

    ``moves`` is NULL for a game with unknown moves: all its annotations then belong to the whole game.
    """
    cdef Py_ssize_t first = annotation_count(columns)
    cdef Py_ssize_t place = ANNOTATIONS_HEAD
    cdef int length
    cdef int32_t position
    cdef int32_t last = -1
    cdef int32_t move
    annotations.exact = moves != NULL
    annotations.strays = 0
    annotations.stop = -1
    while place < size:
        length = data[place + 4] << 8 | data[place + 5] if place + ANNOTATION_HEAD <= size else 0
        if length < ANNOTATION_HEAD or place + length > size:
            annotations.stop = place
            annotations.exact = False
            break
        position = data[place] << 16 | data[place + 1] << 8 | data[place + 2]
        if position & 0x800000:
            position -= 0x1000000
        if position < last:
            annotations.exact = False
        last = position
        move = -1
        if moves != NULL and 0 <= position < moves.count:
            move = tape_number(moves, position)
        elif moves != NULL and position != -1:
            annotations.strays += 1
            annotations.exact = False
            if moves.broken:  # its move existed once, and is not the last one
                place += length
                continue
            # Seen in games with a set-up position: such annotations belong after the last move.
            move = moves.main_last
        if not put_annotation(annotations, data + place, length, move, columns):
            return False
        place += length
    cdef Py_ssize_t count = annotation_count(columns) - first
    if count == 0 or not keeps_head(data, size, game, count):
        annotations.exact = False  # an empty blob would not be written at all
    order_annotations(columns, first, 0 if moves == NULL else moves.count, NULL, &annotations.order_scratch)
    return True


cdef bint keeps_head(const uint8_t* data, Py_ssize_t size, int64_t game, Py_ssize_t count) noexcept nogil:
    """Return whether this is the header that is written for this many annotations of this game."""
    return (
        (data[0] << 16 | data[1] << 8 | data[2]) == game
        and data[3] == 1
        and data[4] == 0
        and data[5] == ANNOTATIONS_HEAD
        and data[6] == ANNOTATIONS_HEAD
        and (data[7] << 16 | data[8] << 8 | data[9]) == count + 1
        and data[10] == 0
        and (data[11] << 16 | data[12] << 8 | data[13]) == size
    )


cdef bint put_annotation(
    Annotations* annotations, const uint8_t* stored, Py_ssize_t size, int32_t move, Columns* columns
) noexcept nogil:
    """Append an annotation of this many bytes, including its header; False without memory."""
    cdef int side
    payload = stored + ANNOTATION_HEAD
    cdef Py_ssize_t length = size - ANNOTATION_HEAD
    cdef Py_ssize_t used = length
    cdef int kind = stored[3]
    if kind == KIND_TEXT_AFTER or kind == KIND_TEXT_BEFORE:
        side = SIDE_BEFORE if kind == KIND_TEXT_BEFORE else SIDE_AFTER
        open_annotation(columns, move, side, kind, payload[1] if length > 1 else 0)
        put_text(annotations, payload, length, columns)
        return not annotations.no_memory
    open_annotation(columns, move, SIDE_AFTER, kind, 0)
    if kind == KIND_SYMBOLS:
        used = symbols_length(payload, length)
    put_bytes(columns, &columns.annotation_data.data, payload, used)
    if used == length:
        close_annotation(columns)
    else:
        close_annotation_with_raw(columns, payload, length)
    return True


cdef Py_ssize_t symbols_length(const uint8_t* payload, Py_ssize_t length) noexcept nogil:
    """Return the length of symbols without empty slots at their end; invalid symbols keep their length."""
    cdef Py_ssize_t used = length
    while used and payload[used - 1] == 0:
        used -= 1
    return used if used and length <= MOST_SYMBOLS else length


cdef void put_text(
    Annotations* annotations, const uint8_t* payload, Py_ssize_t length, Columns* columns
) noexcept nogil:
    """Append a text and, if it would be written differently, its payload. It begins with 0 and the language."""
    cdef Py_ssize_t skipped = length if length < 2 else 2
    cdef int form = decode_text(
        &annotations.page,
        payload + skipped,
        length - skipped,
        &columns.annotation_data.data,
        &annotations.scratch,
    )
    cdef bint exact = form == TEXT_EXACT and length >= 2 and payload[0] == 0
    if form == TEXT_NO_MEMORY:
        annotations.no_memory = True
    if exact:
        close_annotation(columns)
    else:
        close_annotation_with_raw(columns, payload, length)


# === whole bodies =====================================================================================================

ctypedef struct BodyReader:
    Piece cbg
    Piece cba
    Columns* columns
    Header header   # data of the current record that its body determines
    Moves moves
    Annotations annotations


cdef char* BLOB_KEY = b"cbh.blob"
cdef char* ANNOTATIONS_KEY = b"cbh.annotations"


def read_blobs(
    BatchBuilder builder not None, const uint8_t[::1] moves not None, const uint8_t[::1] annotations not None,
    const int64_t[:, ::1] move_pieces not None, const int64_t[:, ::1] annotation_pieces not None,
    const uint8_t[::1] is_game not None, const uint16_t[::1] letters not None, const uint8_t[::1] letter_bytes not None,
    bint utf8, int64_t first_number
) -> None:
    """Read the bodies of consecutive records.

    Args:
        builder: receives the records; columns that do not come from bodies remain empty.
        moves: pieces of the ``.cbg`` file.
        annotations: pieces of the ``.cba`` file.
        move_pieces: for each record the begin of its piece among them, its length (as far as the file contains it), and
            its offset in the file.
        annotation_pieces: the same; an offset of 0 or -1 means none.
        is_game: whether the record is a game.
        letters: the characters of the bytes 0x80 to 0xFF in texts that are not UTF-8.
        letter_bytes: the byte of each character up to U+FFFF in such texts, signs included; 0 for none.
        utf8: whether this base writes its texts in UTF-8.
        first_number: the number of the first record.
    """
    cdef BodyReader reader
    cdef Py_ssize_t count = is_game.shape[0]
    if not are_pieces(move_pieces, count, moves.shape[0]) or not are_pieces(
        annotation_pieces, count, annotations.shape[0]
    ):
        raise ValueError("there must be pieces for every record, all of them inside")
    if letters.shape[0] != 128 or letter_bytes.shape[0] != 0x10000:
        raise ValueError("a code page has 128 characters")
    memset(&reader.annotations, 0, sizeof(reader.annotations))
    reader.columns = &builder.columns
    cdef const uint8_t* first_moves = &moves[0] if moves.shape[0] else NULL
    cdef const uint8_t* first_annotations = (&annotations[0] if annotations.shape[0] else NULL)
    reader.annotations.page.letters = &letters[0]
    reader.annotations.page.bytes = &letter_bytes[0]
    reader.annotations.page.utf8 = utf8
    with nogil:
        init_moves(&reader.moves)
        for record in range(count):
            take_piece(&reader.cbg, first_moves, &move_pieces[record, 0])
            take_piece(&reader.cba, first_annotations, &annotation_pieces[record, 0])
            read_record(&reader, first_number + record, is_game[record] != 0)
            if reader.columns.out_of_memory:
                break
        free_moves(&reader.moves)
        free_annotations(&reader.annotations)


cdef int64_t moves_size(const Piece* blob) noexcept nogil:
    """Return the declared size of a blob, -1 if no blob can begin there."""
    if blob.size < BLOB_HEAD:
        return -1
    return blob.data[1] << 16 | blob.data[2] << 8 | blob.data[3]


cdef int64_t annotations_size(const Piece* blob) noexcept nogil:
    if blob.size < ANNOTATIONS_HEAD:
        return -1
    return <int64_t> blob.data[10] << 24 | blob.data[11] << 16 | blob.data[12] << 8 | blob.data[13]


cdef void read_record(BodyReader* reader, int64_t game, bint is_game) noexcept nogil:
    columns = reader.columns
    cdef bint known = False
    reader.header = NO_HEADER
    if is_game:
        known = read_game(reader)
        if reader.cba.offset > 0:
            read_comments(reader, game, known)
    else:
        end_moves(reader, False)
    reader.header.kind = TEXT if not is_game else GAME if known else OPAQUE
    put_values(columns, &reader.header)
    end_record(columns)
    if reader.moves.no_memory or reader.annotations.no_memory:
        columns.out_of_memory = True


# --- moves -----------------------------------------------------------------------------------------------------------


cdef bint read_game(BodyReader* reader) noexcept nogil:
    """Read the moves of a game; False if they cannot be decoded, and the record is opaque."""
    cdef int64_t size = moves_size(&reader.cbg)
    cdef int64_t offset = reader.cbg.offset
    cdef bint cut = False
    if size < BLOB_HEAD:
        if size < 0:
            if offset != REFUSED_BODY:
                note(reader.columns, PROBLEM_NO_MOVES, offset)
        else:
            note(reader.columns, PROBLEM_SIZE, offset)
            keep(reader.columns, BLOB_KEY, reader.cbg.data, BLOB_HEAD)
        end_moves(reader, False)
        return False
    if size > reader.cbg.size:
        note(reader.columns, PROBLEM_CUT_MOVES, offset)
        size = reader.cbg.size
        cut = True
    return decode_game(reader, size, cut)


cdef bint decode_game(BodyReader* reader, int64_t size, bint cut) noexcept nogil:
    cdef int64_t offset = reader.cbg.offset
    moves = &reader.moves
    columns = reader.columns
    cdef Py_ssize_t mark = columns.moves.size
    cdef int code = read_moves(moves, reader.cbg.data, size)
    cdef bint known = code == MOVES_OK or code == PROBLEM_MOVE
    if known and not put_tape(moves, columns):
        columns.moves.size = mark
        code = PROBLEM_NESTING
        moves.place = 0
        known = False
    if code != MOVES_OK:
        note_failure(reader, code, offset)
    if known:
        if moves.open_end and not cut:
            note(reader.columns, PROBLEM_OPEN_END, offset + size)
        if moves.granted:
            note(reader.columns, PROBLEM_RIGHTS, offset)
        if moves.limit != TRACKED:
            note(reader.columns, PROBLEM_NUMBERING, offset)
    end_moves(reader, known)
    if code != MOVES_OK or cut or not is_exact(moves):
        keep(reader.columns, BLOB_KEY, reader.cbg.data, size)
    return known


cdef void note_failure(BodyReader* reader, int code, int64_t offset) noexcept nogil:
    moves = &reader.moves
    if code == PROBLEM_MODE:
        note_number(reader.columns, code, offset, b"mode", moves.mode)
    elif code == PROBLEM_MOVE:
        note_number(reader.columns, code, offset + moves.place, b"move", moves.count + 1)
    else:
        note(reader.columns, code, offset + moves.place)


cdef void end_moves(BodyReader* reader, bint known) noexcept nogil:
    moves = &reader.moves
    put_start(
        reader.columns, &reader.header, &moves.start if known and moves.has_setup else NULL,
        known and moves.mode >= CHESS960
    )


# --- annotations -----------------------------------------------------------------------------------------------------


cdef void read_comments(BodyReader* reader, int64_t game, bint known) noexcept nogil:
    annotations = &reader.annotations
    columns = reader.columns
    cdef int64_t size = annotations_size(&reader.cba)
    cdef int64_t offset = reader.cba.offset
    cdef bint cut = False
    if size < 0:
        note(reader.columns, PROBLEM_NO_ANNOTATIONS, offset)
        return
    if size < ANNOTATIONS_HEAD:
        note(reader.columns, PROBLEM_ANNOTATIONS, offset)
        size = ANNOTATIONS_HEAD
        cut = True
    elif size > reader.cba.size:
        note(reader.columns, PROBLEM_CUT_ANNOTATIONS, offset)
        size = reader.cba.size
        cut = True
    if not read_annotations(annotations, reader.cba.data, size, game, &reader.moves if known else NULL, columns):
        return
    if annotations.stop >= 0 and not cut:
        note(reader.columns, PROBLEM_ANNOTATIONS, offset + annotations.stop)
    if annotations.strays:
        note_number(
            reader.columns,
            PROBLEM_LOST_POSITION if known and reader.moves.broken else PROBLEM_POSITION,
            offset,
            b"annotations:",
            annotations.strays,
        )
    if cut or not annotations.exact:
        keep(reader.columns, ANNOTATIONS_KEY, reader.cba.data, size)
