"""Writes jose's game texts: columns of a batch in, bytes with offsets out. Linear in the size of the batch.

Written is what jose writes, in the order of the annotations; the move of a promoted piece always has the code of its
pawn, which jose reads right. An annotation that kernels cannot write so that it is read back as it is makes its record
*rich*: the caller puts it into words and tries again.
"""

import cython
from cython.cimports.libc.stdint import int32_t, int64_t, uint8_t
from cython.cimports.libc.stdlib import free
from cython.cimports.libc.string import memcpy, memset
from cython.cimports.tabiya.chess.board import (
    BISHOP,
    KING,
    KING_SIDE,
    KNIGHT,
    PAWN,
    QUEEN,
    QUEEN_SIDE,
    ROOK,
    castled_king,
    castled_rook,
    code_of,
    make_move_without_key,
    promotion_of,
    remember,
    source_of,
    target_of,
)
from cython.cimports.tabiya.chess.fen_kernel import is_usual, read_fen, start_board
from cython.cimports.tabiya.formats.jose.annotate_kernel import (
    write_about,
    write_annotations,
    write_behind_result,
)
from cython.cimports.tabiya.formats.jose.moves_kernel import (
    CODE_BEGIN,
    CODE_BISHOP,
    CODE_CASTLE,
    CODE_CLOSE,
    CODE_END,
    CODE_KING,
    CODE_KNIGHT,
    CODE_NULL,
    CODE_PROMOTE,
    CODE_PROMOTED,
    CODE_QUEEN,
    CODE_RESULT,
    CODE_ROOK,
    DEEPEST,
    DIALECTS,
    SECOND_BYTE,
    is_possible,
    offset_of,
)
from cython.cimports.tabiya.formats.jose.writing import (
    ATTRIBUTE_NOT_CLASSIC,
    ATTRIBUTE_VARIATIONS,
    IS_BAD_NOTE,
    IS_BAD_START,
    IS_IMPOSSIBLE,
    IS_SURPLUS,
    IS_TOO_DEEP,
    PROMOTED,
    Writer,
    WrittenLine,
    put_code,
)
from cython.cimports.tabiya.game.annotation_order import NO_MEMORY_FOR_ORDER, ORDERED, has_side, order_by_move
from cython.cimports.tabiya.game.annotations.compose_kernel import is_in_order
from cython.cimports.tabiya.game.annotations.composing import IS_RICH, WRITTEN
from cython.cimports.tabiya.game.columns import NO_RESULT, SIDE_LATE
from cython.cimports.tabiya.game.tape_kernel import VARIATION_BEGIN
from cython.cimports.tabiya.game.view_kernel import BatchView
from cython.cimports.tabiya.game.walk import (
    EVENT_ANNOTATIONS,
    EVENT_CLOSE,
    EVENT_END,
    EVENT_MOVE,
    EVENT_NO_MEMORY,
    EVENT_OPEN,
    EVENT_TOO_DEEP,
    begin_walk,
    coming,
    free_walk,
    next_event,
    take_back,
)


def write_texts(
    batch: BatchView,
    inline_texts: cython.bint,
    document: cython.bint,
    loose: cython.bint,
    commands: bytes,
    places_in_comments: bytes,
    languages: bytes,
    code_ends: int64_t[::1],
    text_ends: int64_t[::1],
    status: uint8_t[::1],
    places: int32_t[::1],
    plies: int32_t[::1],
    attributes: uint8_t[::1],
    changed: uint8_t[::1],
) -> tuple:
    """Write the game texts of a batch.

    Args:
        batch: the records.
        inline_texts: put texts behind their codes instead of into a column of their own.
        document: knights and kings move as jose's document draws it.
        loose: annotations have been put into words, and are to be written even if they will be read otherwise.
        commands: the table of commands; this and the next two come from ``vocabulary.py``.
        places_in_comments: the place of each kind in a comment.
        languages: the codes of languages.
        code_ends: takes where the codes of each record begin, and where the last ones end.
        text_ends: takes the same of the texts.
        status: takes what became of each record; 0 is well. A record that could not be written has no bytes.
        places: takes the token that a record failed at, -1 if none.
        plies: takes the length of the main line.
        attributes: takes jose's attributes: 1 variations, 2 comments or NAGs, 4 errors, 8 not classic.
        changed: takes 1 for records of which an annotation will not be read back as it is.

    Returns:
        Codes and texts of all records.
    """
    writer: Writer
    records: cython.Py_ssize_t = batch.view.records
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
    if len(places_in_comments) != 256 or len(languages) != 1024:
        raise ValueError("the vocabulary is not complete")
    memset(cython.address(writer), 0, cython.sizeof(Writer))
    writer.view = writer.composer.view = cython.address(batch.view)
    writer.dialect = cython.address(DIALECTS[1 if document else 0])
    writer.inline_texts = inline_texts
    writer.composer.loose = loose
    writer.composer.vocabulary.commands = commands
    writer.composer.vocabulary.commands_length = len(commands)
    writer.composer.vocabulary.places = places_in_comments
    writer.composer.vocabulary.languages = languages
    code_ends[0] = text_ends[0] = 0
    with cython.nogil:
        start_board(cython.address(writer.standard))
        number_pieces(cython.address(writer.standard), writer.standard_slots)
        for record in range(records):
            status[record] = write_record(cython.address(writer), record)
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
        free(writer.group.data)
        free(writer.composer.comment.data)
        free(writer.composer.room.data)
        free_walk(cython.address(writer.walk))


def write_record(writer, record):
    answer: cython.int
    view = writer.view
    walk = cython.address(writer.walk)
    begin: cython.Py_ssize_t = view.move_ends[record]
    writer.plies = 0
    writer.attributes = 0
    writer.composed = writer.composer.changed = False
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
        answer = write_behind_result(writer)
    write_result(writer, record)
    if walk.order.count and walk.moves:
        if view.result[record] == NO_RESULT and has_side(cython.address(walk.order), view, -1, SIDE_LATE):
            return IS_RICH  # without a result nothing can stand behind it
        answer = write_behind_result(writer)
    put_code(writer, CODE_END)
    # What stands in another order would be read in this one.
    composed: cython.bint = writer.composed and not writer.composer.loose
    return IS_RICH if answer == WRITTEN and composed and not is_in_order(view, cython.address(walk.order)) else answer


def order_annotations(writer, record):
    """Put the annotations in order."""
    answer: cython.int = order_by_move(cython.address(writer.walk.order), writer.view, record)
    writer.failed |= answer == NO_MEMORY_FOR_ORDER
    return WRITTEN if answer == ORDERED else IS_BAD_NOTE


def set_up(writer, record):
    view = writer.view
    board = cython.address(writer.line.played.board)
    begin: cython.Py_ssize_t = view.start.ends[record]
    length: cython.Py_ssize_t = view.start.ends[record + 1] - begin
    if not view.has_start[record] or length == 0:
        board[0] = writer.standard
        memcpy(writer.line.slots, writer.standard_slots, 64)
        return WRITTEN
    if not read_fen(view.start.data + begin, length, True, board):
        return IS_BAD_START
    for right in range(4):
        if board.state.rights >> right & 1 and not is_usual(board, right >> 1, board.rook[right]):
            writer.attributes |= ATTRIBUTE_NOT_CLASSIC
    number_pieces(board, writer.line.slots)
    return WRITTEN


def number_pieces(board, slots):
    """Number the pieces of each colour and kind in the order of the FEN, a8 first and h1 last."""
    counts: uint8_t[16]
    memset(counts, 0, 16)
    for row in range(8):
        for file in range(8):
            square: cython.int = (7 - row) << 3 | file
            slots[square] = counts[board.squares[square]]
            counts[board.squares[square]] += 1


# --- moves -----------------------------------------------------------------------------------------------------------


def write_tape(writer):
    walk = cython.address(writer.walk)
    line = cython.address(writer.line)
    event: cython.int
    answer: cython.int = WRITTEN
    while answer == WRITTEN:
        event = next_event(walk, line, cython.sizeof(WrittenLine))
        if event == EVENT_MOVE:
            answer = write_move(writer)
        elif event == EVENT_ANNOTATIONS:
            answer = write_annotations(writer, walk.annotated, walk.side)
        elif event == EVENT_OPEN:
            take_back(cython.address(line.played))
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


def write_move(writer):
    """Write the move at hand and play it."""
    line = cython.address(writer.line)
    board = cython.address(line.played.board)
    move: cython.int = writer.walk.token
    source: cython.int = source_of(move)
    target: cython.int = target_of(move)
    us: cython.int = board.turn
    piece: cython.int = board.squares[source] & 7
    slot: cython.int = line.slots[source]
    answer: cython.int = WRITTEN
    if move and not is_possible(board, move):
        return IS_IMPOSSIBLE
    if coming(cython.address(writer.walk)) == VARIATION_BEGIN:
        memcpy(line.slots_before, line.slots, 64)
        remember(board, move, cython.address(line.played.undo))
    if move == 0:
        put_code(writer, CODE_NULL)
    elif board.squares[target] == code_of(us, ROOK):
        put_code(writer, CODE_CASTLE + (KING_SIDE if target > source else QUEEN_SIDE))
        follow_castling(writer, source, target)
    else:
        offset: cython.int = offset_of(writer.dialect, piece, us, source, target)
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


def write_code(writer, piece, slot, offset):
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


def follow_castling(writer, king, rook):
    slots = writer.line.slots
    slot: cython.int = slots[rook]
    slots[castled_king(king, rook)] = 0
    slots[castled_rook(king, rook)] = slot


def write_result(writer, record):
    """1-0, 0-1, 1/2-1/2 and *; forfeits count as what they are worth. Without a result there is no code."""
    result: cython.int = writer.view.result[record]
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
