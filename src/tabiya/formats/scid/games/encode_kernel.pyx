"""Writes game data, and the index values derived from it: columns of a batch in, bytes with offsets out. Linear.

An annotation that kernels cannot write losslessly makes its record *rich*: the caller renders it as text and tries
again.
"""

from libc.stdint cimport int32_t, int64_t, uint8_t
from libc.stdlib cimport free
from libc.string cimport memset

from tabiya.chess.bits cimport likely
from tabiya.chess.board cimport (
    BISHOP, KNIGHT, PAWN, QUEEN, ROOK, code_of, is_legal, make_move_without_key, promotion_of, remember, source_of,
    target_of
)
from tabiya.chess.fen_kernel cimport is_usual, read_fen, start_board
from tabiya.chess.rules_kernel cimport waiting_side_in_check
from tabiya.formats.scid.games.annotate_kernel cimport write_annotations, write_opening
from tabiya.formats.scid.games.codes cimport (
    CODE_BEGIN, CODE_CLOSE, CODE_END, CODE_LONG, CODE_NULL, CODE_SHORT, DEEPEST, FLAG_START, MOST_BYTES, PAWN_DOUBLE,
    QUEEN_TARGET
)
from tabiya.formats.scid.games.decode_kernel cimport KING_STEPS, KNIGHT_STEPS
from tabiya.formats.scid.games.derive_kernel cimport material_of, note_main_move
from tabiya.formats.scid.games.pieces cimport list_pieces, list_standard, move_piece, move_piece_back
from tabiya.formats.scid.games.write_tags_kernel cimport put_bytes, write_tags
from tabiya.formats.scid.games.writing cimport (
    DERIVED_CHESS960, DERIVED_COUNT, DERIVED_FLAGS, DERIVED_MATERIAL, DERIVED_VARIATIONS, IS_BAD_NOTE, IS_BAD_START,
    IS_CHANGED, IS_IMPOSSIBLE, IS_REFUSED, IS_TOO_DEEP, IS_TOO_LONG, LINE_FIRST, LINE_NEXT, Writer, WrittenLine,
    put_code
)
from tabiya.game.annotation_order cimport NO_MEMORY_FOR_ORDER, ORDERED, order_by_move
from tabiya.game.annotations.compose_kernel cimport is_in_order
from tabiya.game.annotations.composing cimport IS_RICH, WRITTEN
from tabiya.game.tape_kernel cimport VARIATION_BEGIN
from tabiya.game.view_kernel cimport BatchView
from tabiya.game.walk cimport (
    EVENT_ANNOTATIONS, EVENT_CLOSE, EVENT_END, EVENT_MOVE, EVENT_NO_MEMORY, EVENT_OPEN, EVENT_TOO_DEEP, begin_walk,
    coming, free_walk, next_event, take_back
)


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
    if len(places_in_comments) != 256 or len(languages) != 1024 or nodes == 0 or lines.shape[1] != 4:
        raise ValueError("a table is not complete")
    for node in range(nodes):
        for link in (LINE_FIRST, LINE_NEXT):
            if lines[node, link] >= nodes or 0 <= lines[node, link] <= node:
                raise ValueError("the stored lines are no tree")
    memset(&writer, 0, sizeof(Writer))
    writer.view = writer.composer.view = &batch.view
    writer.composer.loose = loose
    writer.composer.values_of_game = True
    writer.composer.vocabulary.commands = commands
    writer.composer.vocabulary.commands_length = len(commands)
    writer.composer.vocabulary.places = places_in_comments
    writer.composer.vocabulary.languages = languages
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
        free(writer.group.data)
        free(writer.composer.comment.data)
        free(writer.composer.room.data)
        free_walk(&writer.walk)


cdef int write_record(Writer* writer, Py_ssize_t record) noexcept nogil:
    view = writer.view
    walk = &writer.walk
    cdef Py_ssize_t begin = view.move_ends[record]
    cdef Py_ssize_t first = writer.out.size
    cdef Py_ssize_t flags
    cdef int answer
    writer.composed = writer.composer.changed = False
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
    # Annotations in another order would be read in this one.
    cdef bint composed = writer.composed and not writer.composer.loose
    return IS_RICH if composed and not is_in_order(view, &walk.order) else WRITTEN


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
    for right in range(4):
        if board.state.rights >> right & 1 and not is_usual(board, right >> 1, board.rook[right]):
            writer.derived[DERIVED_CHESS960] = 1
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
