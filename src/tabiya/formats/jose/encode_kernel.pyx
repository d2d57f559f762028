"""Writes jose's game texts: columns of a batch in, bytes with offsets out. Linear in the size of the batch.

The output is what jose writes, in the order of the annotations; the move of a promoted piece always has the code of its
pawn, which jose reads correctly. An annotation that kernels cannot write losslessly makes its record *rich*: the caller
renders it as text and tries again.
"""

from libc.stdint cimport int32_t, int64_t, uint8_t
from libc.stdlib cimport free
from libc.string cimport memcpy, memset

from tabiya.chess.board cimport (
    BISHOP, BLACK, KING, KING_SIDE, KNIGHT, PAWN, QUEEN, QUEEN_SIDE, ROOK, Board, castled_king, castled_rook, code_of,
    make_move_without_key, promotion_of, remember, source_of, target_of
)
from tabiya.chess.fen_kernel cimport castles_unusually, read_fen, start_board
from tabiya.chess.letters cimport OPEN_PAREN
from tabiya.formats.jose.moves_kernel cimport (
    CODE_BEGIN, CODE_BISHOP, CODE_CASTLE, CODE_CLOSE, CODE_COMMENT, CODE_END, CODE_KING, CODE_KNIGHT, CODE_NAG,
    CODE_NULL, CODE_PROMOTE, CODE_PROMOTED, CODE_QUEEN, CODE_RESULT, CODE_ROOK, DEEPEST, DIALECTS, LAST_ERROR,
    LAST_NAG_CODE, SECOND_BYTE, is_possible, offset_of
)
from tabiya.formats.jose.texts cimport put_cesu8
from tabiya.formats.jose.writing cimport (
    ATTRIBUTE_COMMENTS, ATTRIBUTE_ERRORS, ATTRIBUTE_NOT_CLASSIC, ATTRIBUTE_VARIATIONS, IS_BAD_NOTE, IS_BAD_START,
    IS_IMPOSSIBLE, IS_SURPLUS, IS_TOO_DEEP, PROMOTED, Writer, WrittenLine, put_code
)
from tabiya.game.annotation_order cimport NO_MEMORY_FOR_ORDER, ORDERED, has_side, is_annotated, order_by_move
from tabiya.game.annotations.compose_kernel cimport (
    free_composer, is_plain_text, is_read_back, is_storable, open_composer, put_part, put_parts
)
from tabiya.game.annotations.composing cimport (
    IS_RICH, KIND_WORDS, NOT_LATE, WHOLE_COMMENT, WRITTEN, Group, gather, note_count, note_list
)
from tabiya.game.annotations.kinds cimport KIND_NAGS, KIND_UNREADABLE
from tabiya.game.batch_view cimport View
from tabiya.game.columns cimport NO_RESULT, SIDE_AFTER, SIDE_BEFORE, SIDE_LATE
from tabiya.game.growing cimport Bytes, grow
from tabiya.game.sink_kernel cimport is_nags, nags_are_canonical
from tabiya.game.tape_kernel cimport VARIATION_BEGIN
from tabiya.game.view_kernel cimport BatchView
from tabiya.game.walk cimport (
    EVENT_ANNOTATIONS, EVENT_CLOSE, EVENT_END, EVENT_MOVE, EVENT_NO_MEMORY, EVENT_OPEN, EVENT_TOO_DEEP, begin_walk,
    coming, free_walk, next_event, take_back
)

# === annotations ======================================================================================================
# Annotations in the writer of jose's game texts: how they are grouped, and whether the stream can express them.
#
# NAGs, plain texts and errors have codes of their own. If a group of annotations contains anything else, its NAGs are
# written as codes and all the rest as one comment with commands. Linear in number and length of the annotations.

# --- positions -------------------------------------------------------------------------------------------------------


cdef int write_annotations(Writer* writer, int move, int side) noexcept nogil:
    """Write the annotations on one side of a move.

    Those before a move without a preceding variation, and late ones without a following variation, would not be read as
    such: they go into the comment after the last move, with commands that state their position.
    """
    walk = &writer.walk
    cdef int token = coming(walk)
    cdef Group group
    group.side = SIDE_AFTER
    group.symbols = True
    group.goes_on = token < VARIATION_BEGIN
    group.about_game = False
    group.black = writer.line.played.board.turn != BLACK
    if side == SIDE_LATE:
        return write_late(writer, move)
    composer = &writer.composer
    composer.notes.size = 0
    if side == SIDE_AFTER:
        gather(composer, &walk.order, move, SIDE_AFTER)
        if token < VARIATION_BEGIN:
            if is_annotated(&walk.order, walk.moves):
                gather(composer, &walk.order, walk.moves, SIDE_BEFORE)
            gather(composer, &walk.order, move, SIDE_LATE)
        elif token != VARIATION_BEGIN:
            gather_late(writer, move, False)
        return write_group(writer, &group)
    if walk.line.last < 0 or walk.line.after_variation:
        group.side = SIDE_BEFORE
        group.symbols = walk.line.last < 0
        group.goes_on = False
        group.black = not group.black
    elif is_annotated(&walk.order, walk.line.last):
        return WRITTEN  # together with those after the last move
    gather(composer, &walk.order, move, SIDE_BEFORE)
    return write_group(writer, &group)


cdef int write_late(Writer* writer, int move) noexcept nogil:
    """Write late annotations, unless they were written with those after the move."""
    walk = &writer.walk
    cdef int answer = WRITTEN
    cdef Group group
    if coming(walk) < VARIATION_BEGIN:
        return IS_RICH if walk.line.after_variation and has_side(&walk.order, writer.view, move, SIDE_LATE) else WRITTEN
    if walk.line.after_variation:
        group.side = SIDE_LATE
        group.symbols = group.goes_on = group.about_game = False
        group.black = writer.line.played.board.turn != BLACK
        writer.composer.notes.size = 0
        gather_late(writer, move, False)
        answer = write_group(writer, &group)
    writer.composer.notes.size = 0
    gather_late(writer, move, True)
    notes = note_list(&writer.composer)
    for index in range(note_count(&writer.composer)):
        write_plain(writer, notes[index])
    return answer


cdef int write_about(Writer* writer) noexcept nogil:
    """Write the annotations of the whole game into a comment before the first move."""
    cdef Group group
    writer.composer.notes.size = 0
    gather(&writer.composer, &writer.walk.order, -1, NOT_LATE)
    if writer.composer.notes.size == 0:
        return WRITTEN
    group.side = SIDE_AFTER
    group.symbols = group.goes_on = group.black = False
    group.about_game = True
    return compose(writer, &group)


cdef int write_after_result(Writer* writer) noexcept nogil:
    """Write the annotations after the result, or in a game without moves."""
    cdef Group group
    group.side = SIDE_LATE
    group.symbols = group.goes_on = True
    group.about_game = group.black = False
    writer.composer.notes.size = 0
    gather(&writer.composer, &writer.walk.order, -1, SIDE_LATE)
    return write_group(writer, &group)


cdef void gather_late(Writer* writer, int move, bint rests) noexcept nogil:
    """Add the late annotations of a move that are rests of lines, or those that are not."""
    composer = &writer.composer
    cdef Py_ssize_t kept = note_count(composer)
    cdef Py_ssize_t first = kept
    gather(composer, &writer.walk.order, move, SIDE_LATE)
    notes = note_list(composer)
    for index in range(first, note_count(composer)):
        if is_rest(writer.view, notes[index]) == rests:
            notes[kept] = notes[index]
            kept += 1
    composer.notes.size = sizeof(int32_t) * kept


# --- groups ----------------------------------------------------------------------------------------------------------


cdef int write_group(Writer* writer, const Group* group) noexcept nogil:
    """Write annotations one by one if all can be written unchanged, else as NAGs and one comment."""
    notes = note_list(&writer.composer)
    kinds = writer.view.annotation_kind
    cdef Py_ssize_t count = note_count(&writer.composer)
    for index in range(count):
        # Consecutive NAGs would be read as one list.
        if (index and is_nags(kinds[notes[index]]) and is_nags(kinds[notes[index - 1]])) or not is_plain(
            writer, group, notes[index]
        ):
            return compose(writer, group)
    for index in range(count):
        write_plain(writer, notes[index])
    return WRITTEN


cdef int compose(Writer* writer, const Group* group) noexcept nogil:
    """Write a group as codes for its NAGs and one comment for the rest."""
    view = writer.view
    composer = &writer.composer
    notes = note_list(composer)
    cdef bint found = False
    cdef bint symbols = group.about_game  # NAGs must be written as text
    composer.composed = True
    for index in range(note_count(composer)):
        if is_nags(view.annotation_kind[notes[index]]):
            if not composer.loose and (found or not group.symbols or not is_plain(writer, group, notes[index])):
                return IS_RICH
            found = True
            if group.symbols:
                symbols = True
                write_nags(writer, notes[index])
    composer.comment.size = 0
    if put_parts(composer, group, symbols) == IS_RICH:
        return IS_RICH
    write_comment(writer)
    for index in range(note_count(composer)):
        if view.annotation_kind[notes[index]] == KIND_WORDS and view.annotation_lang[notes[index]] == WHOLE_COMMENT:
            composer.comment.size = 0
            put_part(composer, group, notes[index], True)
            write_comment(writer)
    return WRITTEN


cdef void write_comment(Writer* writer) noexcept nogil:
    """Write the pending comment, unless it is empty."""
    if writer.composer.comment.size:
        writer.attributes |= ATTRIBUTE_COMMENTS
        write_text(writer, CODE_COMMENT, writer.composer.comment.data, writer.composer.comment.size)


cdef void write_text(Writer* writer, int code, const uint8_t* text, Py_ssize_t length) noexcept nogil:
    """Write the code of a text, and the text with a terminating zero."""
    cdef Bytes* out = &writer.texts
    put_code(writer, code)
    if writer.inline_texts:
        out = &writer.codes
    if not put_cesu8(out, text, length) or not grow(out, 1):
        writer.failed = True
        return
    out.data[out.size] = 0
    out.size += 1


# --- annotations written unchanged -----------------------------------------------------------------------------------


cdef bint is_rest(const View* view, Py_ssize_t note) noexcept nogil:
    """Return whether this is the rest of a line that could not be read; one that begins with ``(`` is a variation."""
    cdef Py_ssize_t begin = view.annotation_data.ends[note]
    if view.annotation_kind[note] != KIND_UNREADABLE or not is_error(view, note):
        return False
    return view.annotation_data.ends[note + 1] == begin or view.annotation_data.data[begin] != OPEN_PAREN


cdef bint is_error(const View* view, Py_ssize_t note) noexcept nogil:
    return view.annotation_lang[note] < LAST_ERROR and not view.annotation_has_raw[note] and is_storable(view, note)


cdef bint is_plain(const Writer* writer, const Group* group, Py_ssize_t note) noexcept nogil:
    """Return whether an annotation written here unchanged will be read back at this position."""
    view = writer.view
    cdef int kind = view.annotation_kind[note]
    cdef Py_ssize_t begin = view.annotation_data.ends[note]
    cdef Py_ssize_t length = view.annotation_data.ends[note + 1] - begin
    if kind == KIND_WORDS:
        return writer.composer.loose and view.annotation_lang[note] == WHOLE_COMMENT
    if is_plain_text(view, group.side, note):
        return True
    if view.annotation_side[note] != group.side or view.annotation_has_raw[note]:
        return False
    if is_nags(kind):
        return group.symbols and has_codes(view, note)
    if kind != KIND_UNREADABLE or not is_error(view, note):
        return False
    if group.side == SIDE_BEFORE:
        return group.symbols
    return group.goes_on or (group.side == SIDE_AFTER and length and view.annotation_data.data[begin] == OPEN_PAREN)


cdef void write_plain(Writer* writer, Py_ssize_t note) noexcept nogil:
    """Write an annotation that can be written unchanged."""
    view = writer.view
    cdef Py_ssize_t begin = view.annotation_data.ends[note]
    cdef int code = CODE_COMMENT
    if is_nags(view.annotation_kind[note]):
        write_nags(writer, note)
        return
    if view.annotation_kind[note] == KIND_UNREADABLE:
        writer.attributes |= ATTRIBUTE_ERRORS
        code += 1 + view.annotation_lang[note]
    else:
        writer.attributes |= ATTRIBUTE_COMMENTS
    write_text(writer, code, view.annotation_data.data + begin, view.annotation_data.ends[note + 1] - begin)


# --- NAGs ------------------------------------------------------------------------------------------------------------


cdef bint has_codes(const View* view, Py_ssize_t note) noexcept nogil:
    """Return whether jose has codes for a list of NAGs, and it is stored in the form that reading produces."""
    data = view.annotation_data.data
    cdef Py_ssize_t begin = view.annotation_data.ends[note]
    cdef Py_ssize_t end = view.annotation_data.ends[note + 1]
    if not nags_are_canonical(view, note):
        return False
    if view.annotation_kind[note] == KIND_NAGS:
        for at in range(begin, end, 2):
            if data[at + 1]:
                return False
    return True


cdef void write_nags(Writer* writer, Py_ssize_t note) noexcept nogil:
    """Write the codes of a list of NAGs."""
    data = writer.view.annotation_data.data
    cdef Py_ssize_t begin = writer.view.annotation_data.ends[note]
    cdef Py_ssize_t end = writer.view.annotation_data.ends[note + 1]
    cdef bint wide = writer.view.annotation_kind[note] == KIND_NAGS
    writer.attributes |= ATTRIBUTE_COMMENTS
    while begin < end:
        if 0 < data[begin] <= LAST_NAG_CODE:
            put_code(writer, CODE_NAG + data[begin])
        elif data[begin] or wide:
            put_code(writer, CODE_NAG)
            put_code(writer, data[begin])
        begin += 1 + wide


# === games ============================================================================================================

def write_texts(
    BatchView batch not None, bint inline_texts, bint document, bint loose, bytes commands not None,
    bytes places_in_comments not None, bytes languages not None, int64_t[::1] code_ends not None,
    int64_t[::1] text_ends not None, uint8_t[::1] status not None, int32_t[::1] places not None,
    int32_t[::1] plies not None, uint8_t[::1] attributes not None, uint8_t[::1] changed not None
) -> tuple:
    """Write the game texts of a batch.

    Args:
        batch: the records.
        inline_texts: put texts after their codes instead of into a column of their own.
        document: knights and kings move as in jose's document.
        loose: annotations have been rendered as text, and are written even if they will be read differently.
        commands: the table of commands; this and the next two come from ``vocabulary.py``.
        places_in_comments: the place of each kind in a comment.
        languages: the codes of languages.
        code_ends: receives the begin of the codes of each record, and the end of the last ones.
        text_ends: receives the same for the texts.
        status: receives the result for each record; 0 means success. A record that could not be written has no bytes.
        places: receives the token that a record failed at, -1 if none.
        plies: receives the length of the main line.
        attributes: receives jose's attributes: 1 variations, 2 comments or NAGs, 4 errors, 8 not classic.
        changed: receives 1 for records with an annotation that will not be read back unchanged.

    Returns:
        Codes and texts of all records.
    """
    cdef Writer writer
    cdef Py_ssize_t records = batch.view.records
    if (
        code_ends.shape[0] != records + 1
        or text_ends.shape[0] != records + 1
        or status.shape[0] != records
        or places.shape[0] != records
        or plies.shape[0] != records
        or attributes.shape[0] != records
        or changed.shape[0] != records
    ):
        raise ValueError("the buffers do not fit the batch")
    memset(&writer, 0, sizeof(Writer))
    writer.view = &batch.view
    open_composer(&writer.composer, writer.view, loose, commands, places_in_comments, languages)
    writer.dialect = &DIALECTS[1 if document else 0]
    writer.inline_texts = inline_texts
    code_ends[0] = text_ends[0] = 0
    with nogil:
        start_board(&writer.standard)
        number_pieces(&writer.standard, writer.standard_slots)
        for record in range(records):
            status[record] = write_record(&writer, record)
            places[record] = -1
            if status[record]:
                places[record] = writer.walk.place
                writer.codes.size = code_ends[record]
                writer.texts.size = text_ends[record]
            code_ends[record + 1] = writer.codes.size
            text_ends[record + 1] = writer.texts.size
            plies[record] = writer.plies
            attributes[record] = writer.attributes
            changed[record] = writer.composer.changed
            writer.failed |= writer.composer.failed
            if writer.failed:
                break
    try:
        if writer.failed:
            raise MemoryError("no memory for the game texts of a batch")
        return (
            writer.codes.data[: writer.codes.size] if writer.codes.size else b"",
            writer.texts.data[: writer.texts.size] if writer.texts.size else b"",
        )
    finally:
        free(writer.codes.data)
        free(writer.texts.data)
        free_composer(&writer.composer)
        free_walk(&writer.walk)


cdef int write_record(Writer* writer, Py_ssize_t record) noexcept nogil:
    cdef int answer
    view = writer.view
    walk = &writer.walk
    cdef Py_ssize_t begin = view.move_ends[record]
    writer.plies = 0
    writer.attributes = 0
    writer.composer.composed = writer.composer.changed = False
    begin_walk(walk, view.moves + begin, view.move_ends[record + 1] - begin, DEEPEST)
    answer = set_up(writer, record)
    if answer == WRITTEN:
        answer = order_annotations(writer, record)
    if answer == WRITTEN and walk.order.count:
        answer = write_about(writer)
    if answer == WRITTEN:
        answer = write_tape(writer)
    if answer != WRITTEN:
        return answer
    if walk.order.count and walk.moves == 0:
        answer = write_after_result(writer)
    write_result(writer, record)
    if walk.order.count and walk.moves:
        if view.result[record] == NO_RESULT and has_side(&walk.order, view, -1, SIDE_LATE):
            return IS_RICH  # without a result nothing can follow it
        answer = write_after_result(writer)
    put_code(writer, CODE_END)
    return IS_RICH if answer == WRITTEN and not is_read_back(&writer.composer, &walk.order) else answer


cdef int order_annotations(Writer* writer, Py_ssize_t record) noexcept nogil:
    """Sort the annotations."""
    cdef int answer = order_by_move(&writer.walk.order, writer.view, record)
    writer.failed |= answer == NO_MEMORY_FOR_ORDER
    return WRITTEN if answer == ORDERED else IS_BAD_NOTE


cdef int set_up(Writer* writer, Py_ssize_t record) noexcept nogil:
    view = writer.view
    board = &writer.line.played.board
    cdef Py_ssize_t begin = view.start.ends[record]
    cdef Py_ssize_t length = view.start.ends[record + 1] - begin
    if not view.has_start[record] or length == 0:
        board[0] = writer.standard
        memcpy(writer.line.slots, writer.standard_slots, 64)
        return WRITTEN
    if not read_fen(view.start.data + begin, length, True, board):
        return IS_BAD_START
    if castles_unusually(board):
        writer.attributes |= ATTRIBUTE_NOT_CLASSIC
    number_pieces(board, writer.line.slots)
    return WRITTEN


cdef void number_pieces(const Board* board, uint8_t* slots) noexcept nogil:
    """Number the pieces of each colour and kind in the order of the FEN, a8 first and h1 last."""
    cdef int square
    cdef uint8_t counts[16]
    memset(counts, 0, 16)
    for row in range(8):
        for file in range(8):
            square = (7 - row) << 3 | file
            slots[square] = counts[board.squares[square]]
            counts[board.squares[square]] += 1


# --- moves -----------------------------------------------------------------------------------------------------------


cdef int write_tape(Writer* writer) noexcept nogil:
    walk = &writer.walk
    line = &writer.line
    cdef int event
    cdef int answer = WRITTEN
    while answer == WRITTEN:
        event = next_event(walk, line, sizeof(WrittenLine))
        if event == EVENT_MOVE:
            answer = write_move(writer)
        elif event == EVENT_ANNOTATIONS:
            answer = write_annotations(writer, walk.annotated, walk.side)
        elif event == EVENT_OPEN:
            take_back(&line.played)
            memcpy(line.slots, line.slots_before, 64)
            writer.attributes |= ATTRIBUTE_VARIATIONS
            put_code(writer, CODE_BEGIN)
        elif event == EVENT_CLOSE:
            put_code(writer, CODE_CLOSE)
        elif event == EVENT_END:
            break
        else:
            writer.failed |= event == EVENT_NO_MEMORY
            answer = IS_TOO_DEEP if event == EVENT_TOO_DEEP else IS_IMPOSSIBLE
    return answer


cdef int write_move(Writer* writer) noexcept nogil:
    """Write the current move and play it."""
    cdef int offset
    line = &writer.line
    board = &line.played.board
    cdef int move = writer.walk.token
    cdef int source = source_of(move)
    cdef int target = target_of(move)
    cdef int us = board.turn
    cdef int piece = board.squares[source] & 7
    cdef int slot = line.slots[source]
    cdef int answer = WRITTEN
    if move and not is_possible(board, move):
        return IS_IMPOSSIBLE
    if coming(&writer.walk) == VARIATION_BEGIN:
        memcpy(line.slots_before, line.slots, 64)
        remember(board, move, &line.played.undo)
    if move == 0:
        put_code(writer, CODE_NULL)
    elif board.squares[target] == code_of(us, ROOK):
        put_code(writer, CODE_CASTLE + (KING_SIDE if target > source else QUEEN_SIDE))
        follow_castling(writer, source, target)
    else:
        offset = offset_of(writer.dialect, piece, us, source, target)
        if move >> 12:
            if slot > 7:
                return IS_SURPLUS
            put_code(writer, CODE_PROMOTE + slot)
            put_code(writer, SECOND_BYTE | offset << 2 | (promotion_of(move) - KNIGHT))
            line.slots[target] = PROMOTED | slot
        else:
            answer = write_code(writer, piece, slot, offset)
            line.slots[target] = slot
    make_move_without_key(board, move)
    writer.plies += writer.walk.depth == 0
    return answer


cdef int write_code(Writer* writer, int piece, int slot, int offset) noexcept nogil:
    """Return the code of a move that is neither castling nor a promotion."""
    if slot & PROMOTED:
        put_code(writer, CODE_PROMOTED + (slot & 7))
        put_code(writer, SECOND_BYTE | offset)
    elif piece == PAWN and slot < 8:
        put_code(writer, slot << 2 | offset)
    elif piece == KNIGHT and slot < 2:
        put_code(writer, CODE_KNIGHT + (slot << 3 | offset))
    elif piece == BISHOP and slot < 2:
        put_code(writer, CODE_BISHOP + (slot << 4 | offset))
    elif piece == ROOK and slot < 2:
        put_code(writer, CODE_ROOK + (slot << 4 | offset))
    elif piece == QUEEN and slot == 0:
        put_code(writer, CODE_QUEEN + offset)
    elif piece == KING:
        put_code(writer, CODE_KING + offset)
    else:
        return IS_SURPLUS
    return WRITTEN


cdef void follow_castling(Writer* writer, int king, int rook) noexcept nogil:
    slots = writer.line.slots
    cdef int slot = slots[rook]
    slots[castled_king(king, rook)] = 0
    slots[castled_rook(king, rook)] = slot


cdef void write_result(Writer* writer, Py_ssize_t record) noexcept nogil:
    """Write 1-0, 0-1, 1/2-1/2 and *; forfeits count by their points. Without a result there is no code."""
    cdef int result = writer.view.result[record]
    if result == NO_RESULT:
        return
    if result == 1 or result == 5:
        put_code(writer, CODE_RESULT + 2)
    elif result == 2 or result == 6:
        put_code(writer, CODE_RESULT)
    elif result == 3 or result == 7:
        put_code(writer, CODE_RESULT + 1)
    else:
        put_code(writer, CODE_RESULT + 3)
