"""Writes game data, and the index values derived from it: columns of a batch in, bytes with offsets out. Linear.

An annotation that kernels cannot write losslessly makes its record *rich*: the caller renders it as text and tries
again.
"""

from libc.stdint cimport int32_t, int64_t, uint8_t
from libc.stdlib cimport free
from libc.string cimport memcmp, memcpy, memset

from tabiya.chess.bits cimport likely
from tabiya.chess.board cimport (
    BISHOP, BLACK, KNIGHT, PAWN, QUEEN, ROOK, Board, code_of, is_legal, make_move_without_key, promotion_of, remember,
    source_of, target_of
)
from tabiya.chess.fen_kernel cimport castles_unusually, read_fen, start_board
from tabiya.chess.rules_kernel cimport waiting_side_in_check
from tabiya.formats.scid.games.codes cimport (
    CODE_BEGIN, CODE_CLOSE, CODE_COMMENT, CODE_END, CODE_LONG, CODE_NAG, CODE_NULL, CODE_SHORT, COMMON_COUNT, DEEPEST,
    FIRST_COMMON, FLAG_PROMOTION, FLAG_START, FLAG_UNDERPROMOTION, LONGEST_TAG, LONGEST_TAG_NAME, MOST_BYTES, MOST_NAGS,
    OLD_EVENT_DATE, PAWN_DOUBLE, QUEEN_TARGET
)
from tabiya.formats.scid.games.decode_kernel cimport COMMON_TAGS, KING_STEPS, KNIGHT_STEPS
from tabiya.formats.scid.games.pieces cimport list_pieces, list_standard, move_piece, move_piece_back
from tabiya.formats.scid.games.writing cimport (
    DERIVED_CHESS960, DERIVED_COMMENTS, DERIVED_COUNT, DERIVED_FLAGS, DERIVED_LINE, DERIVED_MATERIAL, DERIVED_NAGS,
    DERIVED_PAWN_COUNT, DERIVED_PLIES, DERIVED_VARIATIONS, IS_BAD_NOTE, IS_BAD_START, IS_CHANGED, IS_IMPOSSIBLE,
    IS_REFUSED, IS_TOO_DEEP, IS_TOO_LONG, LINE_FIRST, LINE_NEXT, LINE_NUMBER, LINE_TOKEN, LOST_NAGS, LOST_TAGS, Writer,
    WrittenLine, put_code
)
from tabiya.game.annotation_order cimport NO_MEMORY_FOR_ORDER, ORDERED, is_annotated, order_by_move
from tabiya.game.annotations.compose_kernel cimport (
    free_composer, is_plain_text, is_read_back, open_composer, put_parts
)
from tabiya.game.annotations.composing cimport (
    IS_RICH, KIND_WORDS, NOT_LATE, WORDS_OF_TEXT, WRITTEN, Group, gather, note_count, note_list
)
from tabiya.game.annotations.kinds cimport KIND_NAGS, KIND_TEXT_AFTER, KIND_TEXT_BEFORE
from tabiya.game.batch_view cimport Texts, View
from tabiya.game.columns cimport ANNOTATOR_NAME, SIDE_AFTER, SIDE_BEFORE, SIDE_LATE
from tabiya.game.growing cimport grow
from tabiya.game.sink_kernel cimport is_nags, nags_are_canonical
from tabiya.game.tape_kernel cimport VARIATION_BEGIN
from tabiya.game.view_kernel cimport BatchView
from tabiya.game.walk cimport (
    EVENT_ANNOTATIONS, EVENT_CLOSE, EVENT_END, EVENT_MOVE, EVENT_NO_MEMORY, EVENT_OPEN, EVENT_TOO_DEEP, begin_walk,
    coming, free_walk, next_event, take_back
)

# === values of the index ==============================================================================================
# Index values derived from a game: plies, promotions, home pawns, the stored line, the final material.
#
# Scid uses these to select the games that a search examines, so a wrong value hides a game. Constant per move.

cdef int MOST_PLIES = 1023
cdef int MOST_PAWNS = 16


cdef void note_main_move(Writer* writer, int move) noexcept nogil:
    """Count a move of the main line; record promotions, pawns that leave their home square, and the stored line."""
    cdef int place
    board = &writer.line.played.board
    derived = writer.derived
    cdef int source = source_of(move)
    cdef int target = target_of(move)
    cdef int home = -1
    cdef int node
    if derived[DERIVED_PLIES] < MOST_PLIES:
        derived[DERIVED_PLIES] += 1
    if move >> 12:
        derived[DERIVED_FLAGS] |= FLAG_PROMOTION | (0 if promotion_of(move) == QUEEN else FLAG_UNDERPROMOTION)
    if writer.has_start:
        return
    if writer.lines_place >= 0:
        node = writer.lines[4 * writer.lines_place + LINE_FIRST]
        while node > 0 and writer.lines[4 * node + LINE_TOKEN] != move:
            node = writer.lines[4 * node + LINE_NEXT]
        writer.lines_place = node if node > 0 else -1
        if node > 0 and writer.lines[4 * node + LINE_NUMBER]:
            derived[DERIVED_LINE] = writer.lines[4 * node + LINE_NUMBER]
    if move == 0:
        return
    if board.squares[source] & 7 == PAWN and source >> 3 == (6 if board.turn == BLACK else 1):
        home = source
    elif board.squares[target] == code_of(board.turn ^ 1, PAWN) and target >> 3 == (1 if board.turn == BLACK else 6):
        home = target
    if home >= 0 and derived[DERIVED_PAWN_COUNT] < MOST_PAWNS:
        node = (15 if home < 16 else 7) - (home & 7)
        place = derived[DERIVED_PAWN_COUNT]
        writer.pawns[place >> 1] |= node if place & 1 else node << 4
        derived[DERIVED_PAWN_COUNT] += 1


cdef int material_of(const Board* board) noexcept nogil:
    """Return the material of a position in 24 bits: four for pawns, two for pieces, queens highest; Black lowest."""
    cdef int counts[16]
    cdef int material = 0
    memset(counts, 0, 16 * sizeof(int))
    for square in range(64):
        counts[board.squares[square]] += 1
    for side in range(2):
        for piece in range(QUEEN, PAWN, -1):
            material = material << 2 | min(counts[side << 3 | piece], 3)
        material = material << 4 | min(counts[side << 3 | PAWN], 15)
    return material


# === tags =============================================================================================================
# The tags at the beginning of game data, as written. Linear in their length.

cdef void write_tags(Writer* writer, Py_ssize_t record) noexcept nogil:
    """Write the tags that the index cannot store; one without a name is the event date in its old form."""
    view = writer.view
    names = &view.tag_names
    values = &view.tag_values
    cdef int annotator = view.names[ANNOTATOR_NAME][record]
    cdef bint listed = False
    cdef const uint8_t* value
    cdef const Texts* texts = &view.interned[ANNOTATOR_NAME]
    for index in range(view.tag_ends[record], view.tag_ends[record + 1]):
        if names.ends[index + 1] - names.ends[index] == 9:
            listed |= memcmp(names.data + names.ends[index], b"Annotator", 9) == 0
    if annotator >= 0 and not listed:
        value = texts.data + texts.ends[annotator]
        write_tag(writer, b"Annotator", 9, value, texts.ends[annotator + 1] - texts.ends[annotator])
    for index in range(view.tag_ends[record], view.tag_ends[record + 1]):
        value = values.data + values.ends[index]
        if names.ends[index + 1] == names.ends[index]:
            if values.ends[index + 1] - values.ends[index] == 6:
                put_code(writer, OLD_EVENT_DATE)
                for place in range(3):
                    put_code(writer, hex_digit(value[2 * place]) << 4 | hex_digit(value[2 * place + 1]))
            continue
        write_tag(
            writer,
            names.data + names.ends[index],
            names.ends[index + 1] - names.ends[index],
            value,
            values.ends[index + 1] - values.ends[index],
        )
    if writer.has_start:
        write_tag(writer, b"SetUp", 5, b"1", 1)
    put_code(writer, 0)


cdef int hex_digit(int letter) noexcept nogil:
    return letter - ord("a") + 10 if letter >= ord("a") else letter - ord("0")


cdef void write_tag(
    Writer* writer, const uint8_t* name, Py_ssize_t name_length, const uint8_t* value, Py_ssize_t length
) noexcept nogil:
    """Write a tag; one that is too long is cut between letters, and counted."""
    cdef int code = common_tag(name, name_length)
    if name_length > LONGEST_TAG_NAME:
        writer.derived[LOST_TAGS] += 1
        return
    if length > LONGEST_TAG - name_length:
        writer.derived[LOST_TAGS] += 1
        length = LONGEST_TAG - name_length
        while length and value[length] & 0xC0 == 0x80:
            length -= 1
    put_code(writer, code if code else name_length)
    if not code:
        put_bytes(writer, name, name_length)
    put_code(writer, length)
    put_bytes(writer, value, length)


cdef int common_tag(const uint8_t* name, Py_ssize_t length) noexcept nogil:
    """Return the number of a common name, 0 if it has none."""
    for index in range(COMMON_COUNT):
        if COMMON_TAGS[index].length == length and memcmp(COMMON_TAGS[index].name, name, length) == 0:
            return FIRST_COMMON + index
    return 0


cdef void put_bytes(Writer* writer, const uint8_t* data, Py_ssize_t length) noexcept nogil:
    out = &writer.out
    if length:
        if not grow(out, length):
            writer.failed = True
            return
        memcpy(out.data + out.size, data, length)
        out.size += length


# === annotations ======================================================================================================
# Annotations in the writer of game data: Scid has NAGs and one comment after a move, and a comment before a line.
#
# A plain text is a comment unchanged. All other annotations become a comment with commands; texts before a move in the
# middle of a line, and late ones, go into the comment after the move before. Linear in number and length of
# annotations.

cdef int WHOLE_GAME = -1  # the move of annotations of the whole game
cdef int SIGN = 1


cdef int write_opening(Writer* writer) noexcept nogil:
    """Write the comment before the first move: annotations of the game, then those before the move."""
    cdef int note
    walk = &writer.walk
    order = &walk.order
    composer = &writer.composer
    cdef Group group
    group.symbols = group.goes_on = group.black = False
    cdef bint about = order.firsts[0] > order.firsts[WHOLE_GAME]
    composer.comment.size = 0
    if about and not composer.loose:
        group.about_game = True
        group.side = SIDE_AFTER
        composer.notes.size = 0
        gather(composer, order, WHOLE_GAME, NOT_LATE)
        if put_parts(composer, &group, True) == IS_RICH:
            return IS_RICH
        group.about_game = False
        composer.notes.size = 0
        gather(composer, order, WHOLE_GAME, SIDE_LATE)
        if put_parts(composer, &group, False) == IS_RICH:
            return IS_RICH
        composer.composed = True
        for index in range(order.firsts[WHOLE_GAME], order.firsts[0]):
            note = order.places[index]
            if is_nags(writer.view.annotation_kind[note]) or writer.view.annotation_side[note] == SIDE_BEFORE:
                return IS_RICH  # a game has no NAGs, and nothing precedes it
    composer.notes.size = 0
    if about and composer.loose:
        gather(composer, order, WHOLE_GAME, NOT_LATE)
    group.about_game = False
    group.side = SIDE_BEFORE
    group.black = writer.line.played.board.turn == BLACK
    if walk.length:
        gather(composer, order, 0, SIDE_BEFORE)
        if has_value(writer):
            return IS_RICH  # it would be read as an annotation of the game
    return write_group(writer, &group)


cdef int write_annotations(Writer* writer, int move, int side) noexcept nogil:
    """Write the annotations on one side of a move that are due now."""
    walk = &writer.walk
    cdef int token = coming(walk)
    cdef Group group
    group.side = SIDE_AFTER
    group.symbols = True
    group.goes_on = token < VARIATION_BEGIN
    group.about_game = False
    group.black = writer.line.played.board.turn != BLACK
    if side == SIDE_LATE:
        return WRITTEN  # together with those after the move
    composer = &writer.composer
    composer.comment.size = composer.notes.size = 0
    if side == SIDE_AFTER:
        gather(composer, &walk.order, move, SIDE_AFTER)
        if token < VARIATION_BEGIN and is_annotated(&walk.order, walk.moves):
            gather(composer, &walk.order, walk.moves, SIDE_BEFORE)
        gather(composer, &walk.order, move, SIDE_LATE)
        return write_group(writer, &group)
    if walk.line.last < 0:
        if walk.depth == 0:
            return WRITTEN  # together with the opening
        group.side = SIDE_BEFORE
        group.black = not group.black
    elif not walk.line.after_variation and is_annotated(&walk.order, walk.line.last):
        return WRITTEN  # together with those after the last move
    gather(composer, &walk.order, move, SIDE_BEFORE)
    if walk.line.after_variation and composer.notes.size:
        return IS_RICH  # its position has already been written
    return write_group(writer, &group)


cdef bint has_value(Writer* writer) noexcept nogil:
    """Return whether the group contains anything but texts."""
    cdef int kind
    notes = note_list(&writer.composer)
    for index in range(note_count(&writer.composer)):
        kind = writer.view.annotation_kind[notes[index]]
        if kind == KIND_WORDS:
            if not writer.composer.loose and writer.view.annotation_lang[notes[index]] != WORDS_OF_TEXT:
                return True
        elif kind != KIND_TEXT_BEFORE and kind != KIND_TEXT_AFTER:
            return True
    return False


cdef int write_group(Writer* writer, const Group* group) noexcept nogil:
    """Write the NAGs of the group, and one comment after the pending one."""
    view = writer.view
    composer = &writer.composer
    notes = note_list(composer)
    cdef Py_ssize_t count = note_count(composer)
    cdef int others = 0
    cdef Py_ssize_t other = 0
    cdef bint found = False
    for index in range(count):
        if not is_nags(view.annotation_kind[notes[index]]):
            others += 1
            other = notes[index]
        elif found or not group.symbols or view.annotation_side[notes[index]] != SIDE_AFTER:
            if not composer.loose:
                return IS_RICH
        else:
            found = True
            if write_nags(writer, notes[index]) == IS_RICH:
                return IS_RICH
    cdef Py_ssize_t begin = view.annotation_data.ends[other] if others else 0
    if others == 1 and composer.comment.size == 0 and is_plain(writer, group, other):
        write_comment(writer, view.annotation_data.data + begin, view.annotation_data.ends[other + 1] - begin)
        return WRITTEN
    if others:
        composer.composed = True
        if put_parts(composer, group, found) == IS_RICH:
            return IS_RICH
    if composer.comment.size:
        write_comment(writer, composer.comment.data, composer.comment.size)
    return WRITTEN


cdef bint is_plain(const Writer* writer, const Group* group, Py_ssize_t note) noexcept nogil:
    """Return whether a text is a comment unchanged, or has been rendered by Python."""
    view = writer.view
    if view.annotation_kind[note] == KIND_WORDS:
        return writer.composer.loose
    return view.annotation_data.ends[note] < view.annotation_data.ends[note + 1] and is_plain_text(
        view, group.side, note
    )


cdef void write_comment(Writer* writer, const uint8_t* text, Py_ssize_t length) noexcept nogil:
    """Write the code of a comment, and its text with a terminating zero; nothing for an empty one."""
    texts = &writer.texts
    if length == 0:
        return
    put_code(writer, CODE_COMMENT)
    writer.derived[DERIVED_COMMENTS] += 1
    if not grow(texts, length + 1):
        writer.failed = True
        return
    memcpy(texts.data + texts.size, text, length)
    texts.data[texts.size + length] = 0
    texts.size += length + 1


# --- NAGs ------------------------------------------------------------------------------------------------------------


cdef int write_nags(Writer* writer, Py_ssize_t note) noexcept nogil:
    """Write a list of NAGs, without those that Scid cannot store: only the first of a group, and at most seven.

    Scid expects the sign of a move first.
    """
    view = writer.view
    cdef bint wide = view.annotation_kind[note] == KIND_NAGS
    cdef Py_ssize_t count = (view.annotation_data.ends[note + 1] - view.annotation_data.ends[note]) >> wide
    cdef int groups = 0
    cdef int written = 0
    cdef Py_ssize_t sign = -1
    cdef int nag
    cdef bint earlier = False
    if not writer.composer.loose and (
        view.annotation_has_raw[note] or view.annotation_lang[note] or not nags_are_canonical(view, note)
    ):
        return IS_RICH
    for index in range(count):
        nag = nag_at(view, note, index)
        if sign < 0 and nag_group(nag) == SIGN:
            sign = index
            put_nag(writer, nag)
            groups = written = 1
            writer.composer.changed |= earlier
        earlier |= wide or nag != 0
    for index in range(count):
        nag = nag_at(view, note, index)
        if index == sign or (nag == 0 and not wide):  # an empty slot
            continue
        if not 0 < nag < 256 or groups & nag_group(nag) or written == MOST_NAGS:
            writer.derived[LOST_NAGS] += 1
            continue
        groups |= nag_group(nag)
        written += 1
        put_nag(writer, nag)
    return WRITTEN


cdef int nag_at(const View* view, Py_ssize_t note, Py_ssize_t index) noexcept nogil:
    """Return a NAG of a list."""
    data = view.annotation_data.data + view.annotation_data.ends[note]
    return data[2 * index] | data[2 * index + 1] << 8 if view.annotation_kind[note] == KIND_NAGS else data[index]


cdef void put_nag(Writer* writer, int nag) noexcept nogil:
    writer.derived[DERIVED_NAGS] += 1
    put_code(writer, CODE_NAG)
    put_code(writer, nag)


cdef int nag_group(int nag) noexcept nogil:
    """Return the group of which Scid keeps one NAG per move: signs of moves, assessments; 0 for none."""
    return SIGN if 1 <= nag <= 6 else 2 if 10 <= nag <= 21 else 0


# === games ============================================================================================================

def write_games(
    BatchView batch not None, bint loose, bytes commands not None, bytes places_in_comments not None,
    bytes languages not None, const int32_t[:, ::1] lines not None, int64_t[::1] ends not None,
    uint8_t[::1] status not None, int32_t[::1] places not None, int32_t[:, ::1] derived not None,
    uint8_t[:, ::1] pawns not None
) -> bytes:
    """Write the data of the games of a batch.

    Args:
        batch: the records; their tags are those that go into game data.
        loose: comments have been rendered by Python, and are written even if they will be read differently.
        commands: the table of commands; this and the next two come from ``vocabulary.py``.
        places_in_comments: the place of each kind in a comment.
        languages: the codes of languages.
        lines: the stored lines, see ``stored_lines.py``.
        ends: receives the begin of the data of each record, and the end of the last.
        status: receives the result for each record; 0 means success. A record that could not be written has no bytes.
        places: receives the token that a record failed at, -1 if none.
        derived: receives the index values of each game; ``writing.pxd`` has the columns.
        pawns: receives the entries of home pawns, eight bytes each.
    """
    cdef Writer writer
    cdef Py_ssize_t records = batch.view.records
    cdef Py_ssize_t nodes = lines.shape[0]
    if (
        ends.shape[0] != records + 1
        or status.shape[0] != records
        or places.shape[0] != records
        or derived.shape[0] != records
        or derived.shape[1] != DERIVED_COUNT
        or pawns.shape[0] != records
        or pawns.shape[1] != 8
    ):
        raise ValueError("the buffers do not fit the batch")
    if nodes == 0 or lines.shape[1] != 4:
        raise ValueError("the table of stored lines is not complete")
    for node in range(nodes):
        for link in (LINE_FIRST, LINE_NEXT):
            if lines[node, link] >= nodes or 0 <= lines[node, link] <= node:
                raise ValueError("the stored lines are no tree")
    memset(&writer, 0, sizeof(Writer))
    writer.view = &batch.view
    open_composer(&writer.composer, writer.view, loose, commands, places_in_comments, languages)
    writer.composer.values_of_game = True
    writer.lines = &lines[0, 0]
    ends[0] = 0
    with nogil:
        start_board(&writer.standard)
        list_standard(&writer.standard_pieces)
        for record in range(records):
            writer.derived = &derived[record, 0]
            writer.pawns = &pawns[record, 0]
            memset(writer.derived, 0, DERIVED_COUNT * sizeof(int32_t))
            memset(writer.pawns, 0, 8)
            status[record] = write_record(&writer, record)
            places[record] = -1
            writer.derived[IS_CHANGED] = writer.composer.changed
            if status[record]:
                places[record] = writer.walk.place
                writer.out.size = ends[record]
            ends[record + 1] = writer.out.size
            writer.failed |= writer.composer.failed
            if writer.failed:
                break
    try:
        if writer.failed:
            raise MemoryError("no memory for the game data of a batch")
        return writer.out.data[: writer.out.size] if writer.out.size else b""
    finally:
        free(writer.out.data)
        free(writer.texts.data)
        free_composer(&writer.composer)
        free_walk(&writer.walk)


cdef int write_record(Writer* writer, Py_ssize_t record) noexcept nogil:
    view = writer.view
    walk = &writer.walk
    cdef Py_ssize_t begin = view.move_ends[record]
    cdef Py_ssize_t first = writer.out.size
    cdef Py_ssize_t flags
    cdef int answer
    writer.composer.composed = writer.composer.changed = False
    writer.texts.size = 0
    begin_walk(walk, view.moves + begin, view.move_ends[record + 1] - begin, DEEPEST)
    answer = set_up(writer, record)
    if answer != WRITTEN:
        return answer
    answer = order_by_move(&walk.order, view, record)
    if answer != ORDERED:
        writer.failed |= answer == NO_MEMORY_FOR_ORDER
        return IS_BAD_NOTE
    write_tags(writer, record)
    flags = writer.out.size
    put_code(writer, 0)
    if writer.has_start:
        begin = view.start.ends[record]
        put_bytes(writer, view.start.data + begin, view.start.ends[record + 1] - begin)
        put_code(writer, 0)
    answer = WRITTEN
    if walk.order.count:
        answer = write_opening(writer)
    if answer == WRITTEN:
        answer = write_tape(writer)
    if answer != WRITTEN or writer.failed:
        return answer
    put_code(writer, CODE_END)
    put_bytes(writer, writer.texts.data, writer.texts.size)
    if writer.failed:
        return WRITTEN
    writer.out.data[flags] = writer.derived[DERIVED_FLAGS]
    writer.derived[DERIVED_MATERIAL] = material_of(&writer.line.played.board)
    if writer.out.size - first >= MOST_BYTES:
        return IS_TOO_LONG
    return WRITTEN if is_read_back(&writer.composer, &walk.order) else IS_RICH


cdef int set_up(Writer* writer, Py_ssize_t record) noexcept nogil:
    view = writer.view
    board = &writer.line.played.board
    cdef Py_ssize_t begin = view.start.ends[record]
    cdef Py_ssize_t length = view.start.ends[record + 1] - begin
    writer.has_start = view.has_start[record] and length
    writer.lines_place = -1 if writer.has_start else 0
    if not writer.has_start:
        board[0] = writer.standard
        writer.line.pieces = writer.standard_pieces
        return WRITTEN
    writer.derived[DERIVED_FLAGS] = FLAG_START
    if not read_fen(view.start.data + begin, length, True, board):
        return IS_BAD_START
    writer.derived[DERIVED_CHESS960] = castles_unusually(board)
    writer.derived[IS_REFUSED] = waiting_side_in_check(board)
    return WRITTEN if list_pieces(&writer.line.pieces, board) else IS_BAD_START


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
            move_piece_back(&line.pieces, &line.played.board, line.played.undo.move, line.taken)
            writer.derived[DERIVED_VARIATIONS] += 1
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
    line = &writer.line
    board = &line.played.board
    cdef int move = writer.walk.token
    cdef int source = source_of(move)
    cdef int target = target_of(move)
    if move and not likely(is_legal(board, move)):
        return IS_IMPOSSIBLE
    if coming(&writer.walk) == VARIATION_BEGIN:
        remember(board, move, &line.played.undo)
    if move == 0:
        put_code(writer, CODE_NULL)
    elif board.squares[target] == code_of(board.turn, ROOK):
        put_code(writer, CODE_SHORT if target > source else CODE_LONG)
    else:
        write_code(
            writer,
            board.squares[source] & 7,
            line.pieces.number[source],
            source,
            target,
            promotion_of(move) if move >> 12 else 0,
        )
    if writer.walk.depth == 0:
        note_main_move(writer, move)
    line.taken = move_piece(&line.pieces, board, move)
    make_move_without_key(board, move)
    return WRITTEN


cdef void write_code(Writer* writer, int piece, int number, int source, int target, int promotion) noexcept nogil:
    """Write a legal move that is neither castling nor the null move."""
    cdef int value
    cdef int step = target - source
    if piece == PAWN:
        step = step if step > 0 else -step
        value = PAWN_DOUBLE if step == 16 else step - 7
        if promotion:
            value += 3 * (1 + QUEEN - promotion)
    elif piece == KNIGHT:
        value = step_code(KNIGHT_STEPS, step)
    elif piece == BISHOP:
        value = target & 7 | (8 if ((target >> 3) > (source >> 3)) != ((target & 7) > (source & 7)) else 0)
    elif piece == ROOK or (piece == QUEEN and ((source ^ target) & 7 == 0 or (source ^ target) & 56 == 0)):
        value = 8 | target >> 3 if (source ^ target) & 7 == 0 else target & 7
    elif piece == QUEEN:
        put_code(writer, number << 4 | source & 7)
        put_code(writer, QUEEN_TARGET + target)
        return
    else:
        value = step_code(KING_STEPS, step)
    put_code(writer, number << 4 | value)


cdef int step_code(const int* steps, int step) noexcept nogil:
    """Return the number of a step, which must exist."""
    for code in range(1, 9):
        if steps[code] == step:
            return code
    return 0
