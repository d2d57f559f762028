"""Writes the moves of a record as a ``.cbg`` blob, as ChessBase would: mode 0, or mode 10 for Chess960.

Linear in the number of moves. A tape with variations is linked into a tree first, because the stream has whole lines
before the alternatives to their moves; what remains to be written is on a heap-allocated stack.
"""

from libc.stdint cimport int32_t, uint64_t, uint8_t
from libc.string cimport memcmp, memset

from tabiya.chess.bits cimport likely, unlikely
from tabiya.chess.board cimport (
    BISHOP, KNIGHT, NO_SQUARE, PAWN, QUEEN, ROOK, Board, castled_king, code_of, is_legal_of, make_move_without_key,
    source_of, target_of
)
from tabiya.chess.fen_kernel cimport MAX_FEN, format_fen, read_fen, start_board
from tabiya.chess.rules_kernel cimport is_legal_move
from tabiya.formats.cbh.bodies.body_writer cimport (
    BAD_MOVES, BAD_START, LOSS_CLOCK, LOSS_NUMBER, LOSS_START, LOSS_VARIANT, MOST_BLOB, TOO_LARGE, TOO_MANY_PIECES,
    WRITTEN, Link, Return, lose
)
from tabiya.formats.cbh.bodies.cbg cimport BLOB_HEAD, CHESS, CHESS960, SETUP_BIT
from tabiya.formats.cbh.bodies.cbg_setup_kernel cimport HOMES_SIZE, SETUP_SIZE, write_homes, write_setup
from tabiya.formats.cbh.bodies.cbg_slots cimport move_slots, number_pieces
from tabiya.formats.cbh.bodies.move_tables_kernel cimport (
    CODES, LONG_CASTLING, NO_SLOT, NULL_MOVE, POP, PUSH, SHORT_CASTLING, TRACKED, TWO_BYTES, Codes, step_between,
    stored_square
)
from tabiya.game.growing cimport grow
from tabiya.game.tape_kernel cimport MOST_NESTED, VARIATION_BEGIN
from tabiya.game.walk cimport EVENT_END, EVENT_MOVE, EVENT_NO_MEMORY, EVENT_OPEN, begin_walk, next_event

cdef unsigned int FLAG_SETUP = 1
cdef unsigned int FLAG_VARIATIONS = 2
cdef unsigned int FLAG_UNORTHODOX = 1 << 27
cdef int MOST_BYTES_PER_MOVE = 5  # push, two-byte move, pop


cdef void init_writer(BodyWriter* writer) noexcept nogil:
    memset(writer, 0, sizeof(writer[0]))
    start_board(&writer.usual)
    number_pieces(&writer.usual_slots, &writer.usual, False, TRACKED)


cdef int write_moves(BodyWriter* writer) noexcept nogil:
    """Append the blob of a game; return WRITTEN, or why it cannot be written (then nothing is appended)."""
    view = writer.view
    cdef Py_ssize_t blob = writer.cbg.size
    cdef Py_ssize_t begin = view.move_ends[writer.record]
    cdef Py_ssize_t end = view.move_ends[writer.record + 1]
    cdef int failure = prepare_start(writer)
    cdef Py_ssize_t size
    writer.count = 0
    writer.shift = 0
    writer.positions.size = 0
    if failure == WRITTEN:
        if not write_head(writer, view.has_start[writer.record] != 0 or writer.mode == CHESS960):
            failure = TOO_MANY_PIECES
        elif not grow(&writer.cbg, MOST_BYTES_PER_MOVE * (end - begin) + 1):
            writer.no_memory = True
        elif has_variations(writer, begin, end):
            writer.statistics.flags |= FLAG_VARIATIONS
            failure = link_moves(writer, begin, end)
            if failure == WRITTEN:
                failure = write_tree(writer)
        else:
            failure = write_line(writer, begin, end)
    size = writer.cbg.size - blob
    if failure == WRITTEN and size > MOST_BLOB:
        failure = TOO_LARGE
    if failure != WRITTEN or writer.no_memory:
        writer.cbg.size = blob
        return failure
    writer.cbg.data[blob + 1] = size >> 16
    writer.cbg.data[blob + 2] = size >> 8 & 255
    writer.cbg.data[blob + 3] = size & 255
    writer.statistics.variation_plies = writer.count - writer.statistics.plies
    return WRITTEN


# --- the start position ----------------------------------------------------------------------------------------------


cdef int prepare_start(BodyWriter* writer) noexcept nogil:
    view = writer.view
    cdef Py_ssize_t record = writer.record
    cdef Py_ssize_t begin = view.start.ends[record]
    cdef Py_ssize_t length = view.start.ends[record + 1] - begin
    cdef bint chess960 = view.variant[record] == 1
    if view.has_start[record]:
        if not read_fen(view.start.data + begin, length, chess960, &writer.start):
            return BAD_START
        number_pieces(&writer.slots, &writer.start, False, TRACKED)
        writer.statistics.flags |= FLAG_SETUP
        note_start_losses(writer, view.start.data + begin, length)
        if writer.start.chess960 and not chess960:
            lose(writer, LOSS_VARIANT)
    else:
        writer.start = writer.usual
        writer.start.chess960 = chess960
        writer.slots = writer.usual_slots
    writer.mode = CHESS
    if writer.start.chess960:
        writer.mode = CHESS960
        writer.statistics.flags |= FLAG_UNORTHODOX | FLAG_SETUP
    writer.statistics.black_starts = writer.start.turn
    writer.board = writer.start
    return WRITTEN


cdef void note_start_losses(BodyWriter* writer, const unsigned char* text, Py_ssize_t length) noexcept nogil:
    """Count what is read back differently."""
    cdef Board stored = writer.start
    cdef uint8_t fen[MAX_FEN]
    cdef int size
    cdef int rank = 2 if stored.turn else 5
    if stored.state.halfmove:
        lose(writer, LOSS_CLOCK)
        stored.state.halfmove = 0
    if stored.fullmove == 0 or stored.fullmove > 255:
        lose(writer, LOSS_NUMBER)
        stored.fullmove = 1 if stored.fullmove == 0 else 255
    if stored.state.ep_given != NO_SQUARE:
        stored.state.ep_given = stored.state.ep_given & 7 | rank << 3
    size = format_fen(&stored, stored.state.ep_given, fen)
    if stored.state.halfmove == writer.start.state.halfmove and stored.fullmove == writer.start.fullmove:
        if size != length or memcmp(fen, text, length):
            lose(writer, LOSS_START)


cdef bint write_head(BodyWriter* writer, bint has_start) noexcept nogil:
    """Append flags, space for the size, and the start position; False if it cannot be stored."""
    cdef Py_ssize_t blob = writer.cbg.size
    if not grow(&writer.cbg, BLOB_HEAD + SETUP_SIZE + HOMES_SIZE):
        writer.no_memory = True
        return True
    writer.cbg.data[blob] = writer.mode | (SETUP_BIT if has_start else 0)
    writer.cbg.size += BLOB_HEAD
    if has_start:
        if not write_setup(&writer.start, writer.cbg.data + writer.cbg.size):
            return False
        writer.cbg.size += SETUP_SIZE
        if writer.mode == CHESS960:
            write_homes(&writer.start, writer.cbg.data + writer.cbg.size)
            writer.cbg.size += HOMES_SIZE
    return True


# --- moves -----------------------------------------------------------------------------------------------------------


cdef void put_value(BodyWriter* writer, int value) noexcept nogil:
    """Append a number of the compact coder, obfuscated by the table and by the number of moves before it."""
    cdef int byte
    if writer.mode == CHESS:
        byte = CODES.encode[CHESS][value] + writer.shift
    else:
        byte = CODES.encode[CHESS960][(value + writer.shift) & 255]
    writer.cbg.data[writer.cbg.size] = byte & 255
    writer.cbg.size += 1


cdef void put_word(BodyWriter* writer, int source, int target, int promotion) noexcept nogil:
    cdef int word = stored_square(source) | stored_square(target) << 6 | promotion << 12
    put_value(writer, TWO_BYTES)
    put_value(writer, word >> 8)
    put_value(writer, word & 255)


cdef bint put_move(BodyWriter* writer, int move) noexcept nogil:
    """Append a move and play it; False if it is not legal. Space for three bytes must be reserved."""
    board = &writer.board
    slots = &writer.slots
    cdef int source = source_of(move)
    cdef int target = target_of(move)
    cdef int us = board.turn
    cdef int slot
    cdef int number = 0
    if unlikely(move == 0):
        put_value(writer, NULL_MOVE)
    elif not is_legal_move(board, move):
        return False
    elif unlikely(board.squares[target] == code_of(us, ROOK)):
        if board.chess960:
            target = castled_king(source, target)
            put_word(writer, target, target, 0)
        else:
            put_value(writer, SHORT_CASTLING if target > source else LONG_CASTLING)
    elif unlikely(move >> 12):
        put_word(writer, source, target, 4 - (move >> 12))
    else:
        slot = slots.at[source]
        if likely(slot != NO_SLOT):
            number = CODES.number[us][slot][step_between(source, target)]
        if likely(number != 0):
            put_value(writer, number)
        else:
            put_word(writer, source, target, 0)
    if move:
        move_slots(slots, board, move)
    make_move_without_key(board, move)
    writer.shift += 1
    writer.count += 1
    return True


cdef bint has_variations(BodyWriter* writer, Py_ssize_t begin, Py_ssize_t end) noexcept nogil:
    for index in range(begin, end):
        if writer.view.moves[index] >= VARIATION_BEGIN:
            return True
    return False


cdef int write_line(BodyWriter* writer, Py_ssize_t begin, Py_ssize_t end) noexcept nogil:
    """Write a game without variations: the tape is the stream."""
    cdef Py_ssize_t place = begin
    while place < end:
        place = write_plain(writer, place, end)
        if place < end:
            if not put_move(writer, writer.view.moves[place]):
                return BAD_MOVES
            place += 1
    note_main_line(writer)
    put_value(writer, POP)
    return WRITTEN


cdef Py_ssize_t write_plain(BodyWriter* writer, Py_ssize_t begin, Py_ssize_t end) noexcept nogil:
    """Write moves of one byte up to anything else, including illegal moves, and return that position.

    Nearly all moves are written here; state that changes with each of them is kept in local variables, as in
    ``read_plain``.
    """
    board = &writer.board
    slots = &writer.slots
    cdef const Codes* codes = &CODES
    cdef const uint8_t* table = codes.encode[writer.mode]
    cdef uint8_t* out = writer.cbg.data + writer.cbg.size
    cdef int before = 0 if writer.mode == CHESS else writer.shift
    cdef int behind = writer.shift if writer.mode == CHESS else 0
    cdef int shift_before = writer.mode != CHESS
    cdef Py_ssize_t us = board.turn
    cdef Py_ssize_t place = begin
    cdef int move
    cdef int source
    cdef int target
    cdef int piece
    cdef int number
    while place < end:
        move = writer.view.moves[place]
        source = source_of(move)
        target = target_of(move)
        piece = board.squares[source]
        if (
            unlikely(move == 0 or move >> 12 != 0 or slots.at[source] == NO_SLOT or piece >> 3 != us)
            or unlikely(board.squares[target] == code_of(us, ROOK))
            or not is_legal_of(board, piece & 7, move)
        ):
            break
        number = codes.number[us][slots.at[source]][step_between(source, target)]
        if unlikely(number == 0):
            break
        out[place - begin] = (table[(number + before) & 255] + behind) & 255
        move_slots(slots, board, move)
        make_move_without_key(board, move)
        place += 1
        before += shift_before
        behind += 1 - shift_before
        us ^= 1
    writer.cbg.size += place - begin
    writer.shift += place - begin
    writer.count += place - begin
    return place


cdef void note_main_line(BodyWriter* writer) noexcept nogil:
    writer.statistics.plies = writer.count
    writer.statistics.white_material = material(writer, 0)
    writer.statistics.black_material = material(writer, 1)


cdef int clamped(BodyWriter* writer, int color, int piece_type, int most) noexcept nogil:
    cdef uint64_t pieces = writer.board.types[piece_type] & writer.board.colors[color]
    cdef int count = 0
    while pieces and count < most:
        pieces &= pieces - 1
        count += 1
    return count


cdef int material(BodyWriter* writer, int color) noexcept nogil:
    return (
        clamped(writer, color, PAWN, 15) << 12
        | clamped(writer, color, QUEEN, 7) << 9
        | clamped(writer, color, KNIGHT, 7) << 6
        | clamped(writer, color, BISHOP, 7) << 3
        | clamped(writer, color, ROOK, 7)
    )


# --- variations ------------------------------------------------------------------------------------------------------


cdef int link_moves(BodyWriter* writer, Py_ssize_t begin, Py_ssize_t end) noexcept nogil:
    """Link the moves of a tape, which must be valid, into a tree.

    An alternative to the first move of a variation is one more alternative to the move that this one replaces.
    """
    walk = &writer.walk
    cdef Link* links
    cdef int event
    cdef int32_t last = -1
    cdef int32_t move
    cdef int32_t group
    writer.links.size = 0
    if not grow(&writer.links, (end - begin) * sizeof(Link)):
        writer.no_memory = True
        return WRITTEN
    links = <Link*> writer.links.data
    begin_walk(walk, writer.view.moves + begin, end - begin, MOST_NESTED)
    while True:
        event = next_event(walk, &last, sizeof(int32_t))
        if event == EVENT_MOVE:
            move = walk.line.last
            links[move].token = walk.token
            links[move].next = links[move].sibling = -1
            links[move].group = links[move].tail = move
            if last >= 0:
                links[last].next = move
            elif walk.line.replaced >= 0:
                group = links[walk.line.replaced].group
                links[move].group = group
                links[links[group].tail].sibling = move
                links[group].tail = move
            last = move
        elif event == EVENT_OPEN:
            last = -1
        elif event == EVENT_END:
            break
        elif event < 0:
            writer.no_memory |= event == EVENT_NO_MEMORY
            return BAD_MOVES
    if grow(&writer.positions, 4 * <Py_ssize_t> walk.moves):
        writer.positions.size = 4 * <Py_ssize_t> walk.moves
    else:
        writer.no_memory = True
    return WRITTEN


cdef bint keep_return(BodyWriter* writer, int32_t move) noexcept nogil:
    """Save the position, to return to it with this move."""
    cdef Return* branch
    if writer.returns.size // sizeof(Return) >= MOST_NESTED:
        return False
    if not grow(&writer.returns, sizeof(Return)):
        writer.no_memory = True
        return False
    branch = <Return*> (writer.returns.data + writer.returns.size)
    branch.board = writer.board
    branch.slots = writer.slots
    branch.move = move
    writer.returns.size += sizeof(Return)
    return True


cdef int write_tree(BodyWriter* writer) noexcept nogil:
    """Write each line to its end, then the alternatives, those of the latest position first."""
    links = <Link*> writer.links.data
    positions = <int32_t*> writer.positions.data
    cdef Return* branch
    cdef int32_t move = 0
    cdef bint main_line = True
    writer.returns.size = 0
    if writer.no_memory:
        return WRITTEN
    while True:
        if links[move].sibling >= 0:
            put_value(writer, PUSH)
            if not keep_return(writer, links[move].sibling):
                return TOO_LARGE
        positions[move] = writer.count
        if not put_move(writer, links[move].token):
            return BAD_MOVES
        move = links[move].next
        if move >= 0:
            continue
        if main_line:
            note_main_line(writer)
            main_line = False
        put_value(writer, POP)
        if writer.returns.size == 0:
            return WRITTEN
        writer.returns.size -= sizeof(Return)
        branch = <Return*> (writer.returns.data + writer.returns.size)
        writer.board = branch.board
        writer.slots = branch.slots
        move = branch.move
