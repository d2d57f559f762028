"""Writes bodies: a batch to ``.cbg`` and ``.cba`` blobs, with their statistics for headers.

Linear in the size of the batch. Bodies kept in extras are read again, and written if they still match the record; how
the record was changed does not matter.
"""

from libc.stdint cimport int32_t, int64_t, uint16_t, uint32_t, uint64_t, uint8_t
from libc.stdlib cimport free
from libc.string cimport memcmp, memcpy, memset

from tabiya.chess.bits cimport likely, unlikely
from tabiya.chess.board cimport (
    BISHOP, KNIGHT, NO_SQUARE, PAWN, QUEEN, ROOK, Board, castled_king, code_of, is_legal_of, make_move_without_key,
    source_of, target_of
)
from tabiya.chess.fen_kernel cimport MAX_FEN, format_fen, read_fen, start_board
from tabiya.chess.rules_kernel cimport is_legal_move
from tabiya.formats.cbh.bodies.body_writer cimport (
    BAD_ANNOTATION, BAD_MOVES, BAD_START, LOSS_BYTES, LOSS_CLOCK, LOSS_COUNT, LOSS_LANGUAGE, LOSS_LENGTH, LOSS_NUMBER,
    LOSS_START, LOSS_VARIANT, MOST_BLOB, MOST_POSITION, NO_BODY, RAW_GIVEN, RAW_NONE, TOO_LARGE, TOO_MANY_PIECES,
    WRITTEN, BodyWriter, Link, Return, Statistics, lose
)
from tabiya.formats.cbh.bodies.cba cimport ANNOTATION_HEAD, ANNOTATIONS_HEAD, MOST_PAYLOAD
from tabiya.chessbase.text_kernel cimport TEXT_NO_MEMORY, decode_text, encode_text
from tabiya.formats.cbh.bodies.cbg cimport BLOB_HEAD, CHESS, CHESS960, PROBLEM_MOVE, SETUP_BIT
from tabiya.formats.cbh.bodies.cbg_setup_kernel cimport HOMES_SIZE, SETUP_SIZE, write_homes, write_setup
from tabiya.formats.cbh.bodies.cbg_slots cimport move_slots, number_pieces
from tabiya.formats.cbh.bodies.move_tables_kernel cimport (
    CODES, LONG_CASTLING, NO_SLOT, NULL_MOVE, POP, PUSH, SHORT_CASTLING, TRACKED, TWO_BYTES, Codes, step_between,
    stored_square
)
from tabiya.formats.cbh.bodies.read_kernel cimport (
    MOVES_OK, free_annotations, free_moves, init_moves, put_tape, read_annotations, read_moves, symbols_length
)
from tabiya.game.annotation_order cimport NO_SUCH_MOVE_OR_SIDE, order_by_position, position_of
from tabiya.game.annotations.kinds cimport (
    KIND_ARROWS, KIND_MEDALS, KIND_NAGS, KIND_SQUARES, KIND_SYMBOLS, KIND_TEXT_AFTER, KIND_TEXT_BEFORE, KIND_TIME_SPENT,
    KIND_TRAINING
)
from tabiya.game.batch_view cimport find_extra
from tabiya.game.columns cimport Columns, annotation_count, string_equals
from tabiya.game.columns_kernel cimport BatchBuilder, take
from tabiya.game.growing cimport grow
from tabiya.game.sink_kernel cimport nag_slot
from tabiya.game.tape_kernel cimport MOST_NESTED, VARIATION_BEGIN
from tabiya.game.view_kernel cimport BatchView
from tabiya.game.walk cimport EVENT_END, EVENT_MOVE, EVENT_NO_MEMORY, EVENT_OPEN, begin_walk, free_walk, next_event

# === moves (.cbg) =====================================================================================================
# Writes the moves of a record as a ``.cbg`` blob, as ChessBase would: mode 0, or mode 10 for Chess960.
#
# Linear in the number of moves. A tape with variations is linked into a tree first, because the stream has whole lines
# before the alternatives to their moves; what remains to be written is on a heap-allocated stack.

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
    cdef int after = writer.shift if writer.mode == CHESS else 0
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
        out[place - begin] = (table[(number + before) & 255] + after) & 255
        move_slots(slots, board, move)
        make_move_without_key(board, move)
        place += 1
        before += shift_before
        after += 1 - shift_before
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


# === annotations (.cba) ===============================================================================================
# Writes the annotations of a record as a ``.cba`` blob: by the positions of their moves, in their own order on a move.
#
# Linear in the number and size of the annotations, and in the number of moves. Also computes the statistics for
# headers.

cdef Py_ssize_t MOST_ANNOTATIONS = 0xFFFFFE


cdef int write_annotations(BodyWriter* writer, int64_t game) noexcept nogil:
    """Append the blob of a game's annotations, nothing if it has none; return WRITTEN, or why it cannot be written."""
    view = writer.view
    order = &writer.order
    cdef Py_ssize_t begin = view.annotation_ends[writer.record]
    cdef Py_ssize_t end = view.annotation_ends[writer.record + 1]
    cdef Py_ssize_t blob = writer.cba.size
    cdef int32_t* positions = NULL
    cdef int32_t count = 0
    cdef Py_ssize_t here
    if begin == end:
        return WRITTEN
    if end - begin > MOST_ANNOTATIONS or writer.count > MOST_POSITION:
        return TOO_LARGE
    if writer.positions.size:
        positions = <int32_t*> writer.positions.data
    if order_by_position(order, view, writer.record, writer.count, positions) == NO_SUCH_MOVE_OR_SIDE:
        return BAD_ANNOTATION
    if order.count == 0 or not grow(&writer.cba, ANNOTATIONS_HEAD):
        writer.no_memory = True
        return WRITTEN
    writer.cba.size += ANNOTATIONS_HEAD
    for index in range(order.count):
        here = order.places[index]
        count += write_annotation(writer, here, position_of(positions, view.annotation_move[here]))
    if count == 0:
        writer.cba.size = blob
    elif writer.cba.size - blob > MOST_BLOB:
        writer.cba.size = blob
        return TOO_LARGE
    else:
        put_head(writer, blob, game, count)
    return WRITTEN


cdef void put_head(BodyWriter* writer, Py_ssize_t blob, int64_t game, int32_t count) noexcept nogil:
    cdef uint8_t* head = writer.cba.data + blob
    cdef Py_ssize_t size = writer.cba.size - blob
    head[0] = game >> 16 & 255
    head[1] = game >> 8 & 255
    head[2] = game & 255
    head[3] = 1
    head[4] = 0
    head[5] = head[6] = ANNOTATIONS_HEAD
    head[7] = (count + 1) >> 16
    head[8] = (count + 1) >> 8 & 255
    head[9] = (count + 1) & 255
    head[10] = size >> 24 & 255
    head[11] = size >> 16 & 255
    head[12] = size >> 8 & 255
    head[13] = size & 255


cdef bint write_annotation(BodyWriter* writer, Py_ssize_t index, int32_t position) noexcept nogil:
    """Append one annotation; False if the format has none like it (``Keeps`` counts that, or ``LOSS_LENGTH``)."""
    view = writer.view
    cdef Py_ssize_t start = writer.cba.size
    cdef int kind = view.annotation_kind[index]
    cdef Py_ssize_t length
    cdef uint8_t* head
    if kind > KIND_NAGS:
        return False
    if not grow(&writer.cba, ANNOTATION_HEAD):
        writer.no_memory = True
        return False
    writer.cba.size += ANNOTATION_HEAD
    if not put_payload(writer, index, kind):
        writer.cba.size = start
        return False
    if view.annotation_lang[index] and kind != KIND_TEXT_AFTER and kind != KIND_TEXT_BEFORE:
        lose(writer, LOSS_LANGUAGE)
    if kind == KIND_NAGS:
        kind = KIND_SYMBOLS
    length = writer.cba.size - start
    head = writer.cba.data + start
    head[0] = position >> 16 & 255
    head[1] = position >> 8 & 255
    head[2] = position & 255
    head[3] = kind
    head[4] = length >> 8
    head[5] = length & 255
    count_annotation(writer, kind, head + ANNOTATION_HEAD, length - ANNOTATION_HEAD)
    return True


cdef bint put_bytes(BodyWriter* writer, const uint8_t* data, Py_ssize_t length) noexcept nogil:
    if not grow(&writer.cba, length):
        writer.no_memory = True
        return False
    if length:
        memcpy(writer.cba.data + writer.cba.size, data, length)
    writer.cba.size += length
    return True


cdef bint put_payload(BodyWriter* writer, Py_ssize_t index, int kind) noexcept nogil:
    """Append the payload, unchanged if its original bytes are known. False if it cannot be stored."""
    data = &writer.view.annotation_data
    cdef Py_ssize_t begin = data.ends[index]
    cdef Py_ssize_t length = data.ends[index + 1] - begin
    if kind == KIND_NAGS:
        return put_nags(writer, index)
    if writer.raw_present[index] != RAW_NONE:
        if raw_fits(writer, index, kind):
            return put_bytes(
                writer,
                writer.raw_data + writer.raw_ends[index],
                writer.raw_ends[index + 1] - writer.raw_ends[index],
            )
        lose(writer, LOSS_BYTES)
    if kind == KIND_TEXT_AFTER or kind == KIND_TEXT_BEFORE:
        return put_text(writer, index)
    if length > MOST_PAYLOAD:
        lose(writer, LOSS_LENGTH)
        return False
    return put_bytes(writer, data.data + begin, length)


cdef bint raw_fits(BodyWriter* writer, Py_ssize_t index, int kind) noexcept nogil:
    """Return whether the original bytes are a payload that is read as this annotation."""
    data = &writer.view.annotation_data
    cdef const uint8_t* value = data.data + data.ends[index]
    cdef Py_ssize_t length = data.ends[index + 1] - data.ends[index]
    cdef const uint8_t* raw = writer.raw_data + writer.raw_ends[index]
    cdef Py_ssize_t size = writer.raw_ends[index + 1] - writer.raw_ends[index]
    cdef Py_ssize_t skipped = size if size < 2 else 2
    text = &writer.annotations.found
    if writer.raw_present[index] != RAW_GIVEN or writer.spelled[kind] or size > MOST_PAYLOAD:
        return False
    if kind == KIND_TEXT_AFTER or kind == KIND_TEXT_BEFORE:
        text.size = 0
        if (
            decode_text(
                &writer.annotations.page,
                raw + skipped,
                size - skipped,
                text,
                &writer.annotations.scratch,
            )
            == TEXT_NO_MEMORY
        ):
            writer.no_memory = True
            return False
        return (
            writer.view.annotation_lang[index] == (raw[1] if size > 1 else 0)
            and text.size == length
            and (length == 0 or memcmp(text.data, value, length) == 0)
        )
    if kind == KIND_SYMBOLS:
        return symbols_length(raw, size) == length and (length == 0 or memcmp(raw, value, length) == 0)
    return True


cdef bint put_text(BodyWriter* writer, Py_ssize_t index) noexcept nogil:
    """Append a zero, the language and the text in the encoding of the base; an overlong text is cut."""
    data = &writer.view.annotation_data
    cdef Py_ssize_t begin = data.ends[index]
    scratch = &writer.annotations.scratch
    text = &writer.annotations.found
    cdef Py_ssize_t start
    cdef uint8_t prefix[2]
    prefix[0] = 0
    prefix[1] = writer.view.annotation_lang[index]
    if not put_bytes(writer, prefix, 2):
        return False
    start = writer.cba.size
    # Reading it first converts any bytes to UTF-8, with signs in the form that is written.
    text.size = 0
    if decode_text(
        &writer.annotations.page, data.data + begin, data.ends[index + 1] - begin, text, scratch
    ) == TEXT_NO_MEMORY or not encode_text(
        &writer.annotations.page, text.data, text.size, &writer.cba
    ):
        writer.no_memory = True
        return False
    if writer.cba.size - start > MOST_PAYLOAD - 2:
        lose(writer, LOSS_LENGTH)
        writer.cba.size = start + MOST_PAYLOAD - 2
        # Not inside a UTF-8 character; in a code page this may cost up to three letters.
        while writer.cba.size > start + MOST_PAYLOAD - 6 and writer.cba.data[writer.cba.size] & 0xC0 == 0x80:
            writer.cba.size -= 1
    return True


cdef bint put_nags(BodyWriter* writer, Py_ssize_t index) noexcept nogil:
    """Append the first NAG for each slot from a list that does not fit into the three slots."""
    data = &writer.view.annotation_data
    cdef Py_ssize_t begin = data.ends[index]
    cdef Py_ssize_t length = data.ends[index + 1] - begin
    cdef uint8_t slots[3]
    cdef int used = 0
    cdef int slot
    memset(slots, 0, 3)
    for place in range(length // 2):
        if data.data[begin + 2 * place + 1]:
            continue
        slot = nag_slot(data.data[begin + 2 * place])
        if slot >= 0 and slots[slot] == 0:
            slots[slot] = data.data[begin + 2 * place]
            if slot >= used:
                used = slot + 1
    return used > 0 and put_bytes(writer, slots, used)


cdef void count_annotation(BodyWriter* writer, int kind, const uint8_t* payload, Py_ssize_t length) noexcept nogil:
    """Record for the header which kinds occur, and the number of some."""
    statistics = writer.statistics
    statistics.flags |= writer.flags[kind]
    if kind == KIND_TEXT_AFTER or kind == KIND_TEXT_BEFORE:
        statistics.text_bytes += length - 2 if length > 2 else 0
    elif kind == KIND_SYMBOLS:
        statistics.symbols += 1
    elif kind == KIND_SQUARES:
        statistics.squares += 1
    elif kind == KIND_ARROWS:
        statistics.arrows += 1
    elif kind == KIND_TIME_SPENT:
        statistics.times += 1
    elif kind == KIND_TRAINING:
        statistics.trainings += 1
    elif kind == KIND_MEDALS and length == 4:
        statistics.medals |= payload[0] << 24 | payload[1] << 16 | payload[2] << 8 | payload[3]


# === whole bodies =====================================================================================================

cdef int GAME = 0
cdef int OPAQUE = 2

cdef char* BLOB_KEY = b"cbh.blob"
cdef char* ANNOTATIONS_KEY = b"cbh.annotations"


def write_blobs(
    BatchView batch not None, BatchBuilder scratch not None, const uint8_t[::1] raw_present not None,
    const int32_t[::1] raw_ends not None, const uint8_t[::1] raw_data not None, const int64_t[::1] numbers not None,
    int64_t first_number, const uint16_t[::1] letters not None, const uint8_t[::1] letter_bytes not None, bint utf8,
    bytes spelled not None, const uint32_t[::1] flags not None, uint8_t[::1] statistics not None,
    int64_t[::1] move_ends not None, int64_t[::1] annotation_ends not None
) -> tuple:
    """Write the bodies of a batch.

    Args:
        batch: the records.
        scratch: an empty builder, to read kept bodies into.
        raw_present: by annotation, 1 if its ``raw`` is present, 2 if present but not matching, else 0.
        raw_ends: the end of each in ``raw_data``, after the start of the first.
        raw_data: all ``raw`` bytes.
        numbers: the numbers of the records in their source.
        first_number: the number of the first record in the base that is written.
        letters: the characters of the bytes 0x80 to 0xFF in texts that are not UTF-8.
        letter_bytes: the byte of each character up to U+FFFF in such texts, signs included; 0 for none.
        utf8: whether this base writes its texts in UTF-8.
        spelled: by kind, whether ``raw`` is a spelling of PGN and not a payload.
        flags: by kind, the flags that its presence sets.
        statistics: receives ``Statistics`` of each record.
        move_ends: receives the end of each record's blob of moves, after a 0.
        annotation_ends: the same for annotations.

    Returns:
        The blobs of moves and of annotations, concatenated; and per kind of loss (count, position of the first record
        in the batch).
    """
    cdef BodyWriter writer
    cdef int failure
    cdef Py_ssize_t records = batch.view.records
    cdef Py_ssize_t annotations = raw_present.shape[0]
    if (
        numbers.shape[0] != records
        or statistics.shape[0] != records * <Py_ssize_t> sizeof(Statistics)
        or move_ends.shape[0] != records + 1
        or annotation_ends.shape[0] != records + 1
        or raw_ends.shape[0] != annotations + 1
        or batch.view.annotation_ends[records] > annotations
        or raw_ends[0] < 0
        or raw_ends[annotations] > raw_data.shape[0]
    ):
        raise ValueError("the buffers of the batch do not fit each other")
    for index in range(annotations):
        if raw_ends[index] > raw_ends[index + 1]:
            raise ValueError("the buffers of the batch do not fit each other")
    if letters.shape[0] != 128 or letter_bytes.shape[0] != 0x10000:
        raise ValueError("a code page has 128 characters")
    if len(spelled) != 256 or flags.shape[0] != 256:
        raise ValueError("tables of NAGs and kinds have 256 members")
    init_writer(&writer)
    init_moves(&writer.kept)
    writer.view = &batch.view
    writer.scratch = &scratch.columns
    writer.annotations.page.letters = &letters[0]
    writer.annotations.page.bytes = &letter_bytes[0]
    writer.annotations.page.utf8 = utf8
    writer.spelled = spelled
    writer.flags = &flags[0]
    writer.raw_present = &raw_present[0] if annotations else NULL
    writer.raw_ends = &raw_ends[0]
    writer.raw_data = &raw_data[0] if raw_data.shape[0] else NULL
    move_ends[0] = annotation_ends[0] = 0
    with nogil:
        for record in range(records):
            writer.record = record
            writer.statistics = <Statistics*> &statistics[0] + record
            memset(writer.statistics, 0, sizeof(Statistics))
            failure = write_record(&writer, numbers[record], first_number + record)
            writer.statistics.failure = failure
            move_ends[record + 1] = writer.cbg.size
            annotation_ends[record + 1] = writer.cba.size
            if writer.no_memory or writer.scratch.out_of_memory:
                writer.no_memory = True
                break
        free_writer(&writer)
    moves_taken = take(&writer.cbg)
    annotations_taken = take(&writer.cba)
    if writer.no_memory:
        raise MemoryError("no memory for the bodies of a batch")
    losses = [(writer.losses[kind], writer.first_loss[kind]) for kind in range(LOSS_COUNT)]
    return moves_taken, annotations_taken, losses


cdef void free_writer(BodyWriter* writer) noexcept nogil:
    free_moves(&writer.kept)
    free_annotations(&writer.annotations)
    free(writer.links.data)
    free_walk(&writer.walk)
    free(writer.returns.data)
    free(writer.positions.data)
    free(writer.order.memory.data)


cdef int write_record(BodyWriter* writer, int64_t number, int64_t game) noexcept nogil:
    """Append both blobs of a record; return WRITTEN, or why it cannot be written. Guiding texts have none here."""
    cdef int kind = writer.view.kind[writer.record]
    cdef Py_ssize_t blob = writer.cbg.size
    cdef Py_ssize_t comments = writer.cba.size
    cdef const uint8_t* data
    cdef Py_ssize_t length = 0
    cdef int failure
    if kind == OPAQUE:
        return copy_opaque(writer, number, game)
    if kind != GAME:
        return WRITTEN
    failure = write_moves(writer)
    if failure == WRITTEN:
        failure = write_annotations(writer, game)
    if failure != WRITTEN or writer.no_memory:
        writer.cbg.size = blob
        writer.cba.size = comments
        return failure
    data = extra_value(writer, BLOB_KEY, &length)
    if data != NULL and keeps_moves(writer, data, length):
        writer.cbg.size = blob
        put_blob(writer, data, length)
    else:
        writer.kept.broken = False  # what is written contains all moves that its annotations may refer to
    data = extra_value(writer, ANNOTATIONS_KEY, &length)
    if data != NULL and keeps_annotations(writer, data, length, number):
        writer.cba.size = comments
        put_kept_annotations(writer, data, length, number, game)
    return WRITTEN


# --- kept bodies -----------------------------------------------------------------------------------------------------


cdef const uint8_t* extra_value(const BodyWriter* writer, const char* key, Py_ssize_t* length) noexcept nogil:
    """Return the bytes and length of the first extra of the record with this key; NULL if it has none."""
    cdef Py_ssize_t index = find_extra(writer.view, writer.record, key, writer.view.extra_ends[writer.record])
    if index < 0:
        return NULL
    length[0] = writer.view.extra_values.ends[index + 1] - writer.view.extra_values.ends[index]
    return writer.view.extra_values.data + writer.view.extra_values.ends[index]


cdef bint put_blob(BodyWriter* writer, const uint8_t* data, Py_ssize_t length) noexcept nogil:
    """Append kept moves. If their file ended inside them, they must not extend into the next blob now."""
    cdef uint8_t* blob
    if not grow(&writer.cbg, length):
        writer.no_memory = True
        return False
    blob = writer.cbg.data + writer.cbg.size
    memcpy(blob, data, length)
    writer.cbg.size += length
    if (blob[1] << 16 | blob[2] << 8 | blob[3]) > length:
        blob[1] = length >> 16
        blob[2] = length >> 8 & 255
        blob[3] = length & 255
    return True


cdef void put_kept_annotations(
    BodyWriter* writer, const uint8_t* data, Py_ssize_t length, int64_t number, int64_t game
) noexcept nogil:
    """Append kept annotations. A record that gets another number takes its annotations with it."""
    cdef uint8_t* blob
    if not grow(&writer.cba, length):
        writer.no_memory = True
        return
    blob = writer.cba.data + writer.cba.size
    memcpy(blob, data, length)
    writer.cba.size += length
    if blob[10] or (blob[11] << 16 | blob[12] << 8 | blob[13]) > length:
        blob[10] = 0
        blob[11] = length >> 16
        blob[12] = length >> 8 & 255
        blob[13] = length & 255
    if number != game:
        blob[0] = game >> 16 & 255
        blob[1] = game >> 8 & 255
        blob[2] = game & 255


cdef int copy_opaque(BodyWriter* writer, int64_t number, int64_t game) noexcept nogil:
    """Append the kept bytes of an opaque record; if its base lost the moves, possibly annotations alone."""
    cdef Py_ssize_t moves_length = 0
    cdef Py_ssize_t length = 0
    cdef const uint8_t* moves = extra_value(writer, BLOB_KEY, &moves_length)
    cdef const uint8_t* annotations = extra_value(writer, ANNOTATIONS_KEY, &length)
    if moves_length > MOST_BLOB or length > MOST_BLOB:
        return TOO_LARGE
    if length >= ANNOTATIONS_HEAD:
        put_kept_annotations(writer, annotations, length, number, game)
    if moves_length < BLOB_HEAD:
        return NO_BODY
    put_blob(writer, moves, moves_length)
    return WRITTEN


cdef void clear_columns(Columns* columns) noexcept nogil:
    """Clear moves and annotations."""
    columns.moves.size = 0
    columns.annotation_move.size = 0
    columns.annotation_side.size = 0
    columns.annotation_kind.size = 0
    columns.annotation_lang.size = 0
    columns.annotation_has_raw.size = 0
    columns.annotation_data.data.size = 0
    columns.annotation_data.ends.size = 4
    columns.annotation_raw.data.size = 0
    columns.annotation_raw.ends.size = 4


cdef bint same_bytes(
    const uint8_t* first, Py_ssize_t first_length, const uint8_t* second, Py_ssize_t second_length
) noexcept nogil:
    return first_length == second_length and (first_length == 0 or memcmp(first, second, first_length) == 0)


cdef bint keeps_moves(BodyWriter* writer, const uint8_t* data, Py_ssize_t length) noexcept nogil:
    """Return whether a kept blob still has the start position and the moves of the record."""
    view = writer.view
    cdef Py_ssize_t record = writer.record
    kept = &writer.kept
    cdef uint8_t text[MAX_FEN]
    cdef int size = 0
    cdef Py_ssize_t begin = view.move_ends[record]
    cdef int code
    if length < BLOB_HEAD or length > MOST_BLOB:
        return False
    code = read_moves(kept, data, length)
    if code != MOVES_OK and code != PROBLEM_MOVE:
        writer.no_memory |= kept.no_memory
        return False
    clear_columns(writer.scratch)
    if not put_tape(kept, writer.scratch):
        writer.no_memory |= kept.no_memory
        return False
    if kept.has_setup:
        size = format_fen(&kept.start, kept.start.state.ep_given, text)
    return (
        (kept.mode >= CHESS960) == (view.variant[record] == 1)
        and kept.has_setup == (view.has_start[record] != 0)
        and same_bytes(
            text,
            size,
            view.start.data + view.start.ends[record],
            view.start.ends[record + 1] - view.start.ends[record] if kept.has_setup else 0,
        )
        and same_bytes(
            writer.scratch.moves.data,
            writer.scratch.moves.size,
            <const uint8_t*> (view.moves + begin),
            2 * (view.move_ends[record + 1] - begin),
        )
    )


cdef bint map_moves(BodyWriter* writer) noexcept nogil:
    """Give ``kept`` the numbers of the record's moves on the tape, for the reader of annotations."""
    kept = &writer.kept
    cdef int32_t* numbers
    positions = <int32_t*> writer.positions.data
    kept.count = writer.count
    kept.main_last = writer.count - 1
    kept.branched = writer.positions.size != 0
    if not kept.branched:
        return True
    kept.numbers.size = 0
    if not grow(&kept.numbers, 4 * <Py_ssize_t> writer.count):
        return False
    numbers = <int32_t*> kept.numbers.data
    for move in range(writer.count):
        numbers[positions[move]] = move
    # The main line comes first in the stream.
    kept.main_last = numbers[writer.statistics.plies - 1]
    return True


cdef bint keeps_annotations(BodyWriter* writer, const uint8_t* data, Py_ssize_t length, int64_t number) noexcept nogil:
    """Return whether a kept blob still has the annotations of the record."""
    if length < ANNOTATIONS_HEAD or length > MOST_BLOB:
        return False
    if not map_moves(writer):
        writer.no_memory = True
        return False
    clear_columns(writer.scratch)
    if not read_annotations(&writer.annotations, data, length, number, &writer.kept, writer.scratch):
        writer.no_memory |= writer.annotations.no_memory
        return False
    return same_annotations(writer)


cdef bint same_annotations(BodyWriter* writer) noexcept nogil:
    """Return whether the annotations just read are those of the record, regardless of the bytes they came from."""
    cdef Py_ssize_t here
    view = writer.view
    kept = writer.scratch
    cdef Py_ssize_t begin = view.annotation_ends[writer.record]
    cdef Py_ssize_t count = view.annotation_ends[writer.record + 1] - begin
    if annotation_count(kept) != count:
        return False
    for index in range(count):
        here = begin + index
        if (
            (<int32_t*> kept.annotation_move.data)[index] != view.annotation_move[here]
            or (<uint16_t*> kept.annotation_kind.data)[index] != view.annotation_kind[here]
            or kept.annotation_side.data[index] != view.annotation_side[here]
            or kept.annotation_lang.data[index] != view.annotation_lang[here]
            or not string_equals(
                &kept.annotation_data,
                index,
                view.annotation_data.data + view.annotation_data.ends[here],
                view.annotation_data.ends[here + 1] - view.annotation_data.ends[here],
            )
        ):
            return False
    return True
