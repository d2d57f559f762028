"""The movetext that the PGN writer creates from a tape and its annotations. Linear in their size; no recursion.

The text is read back as the same tape and the same annotations, wherever PGN can express them; otherwise the annotation
is written as closely as possible and counted as a loss.
"""

from libc.stdint cimport uint8_t

from tabiya.chess.board cimport BLACK, in_check
from tabiya.chess.letters cimport CLOSE_PAREN, DOLLAR, DOT, OPEN_PAREN
from tabiya.chess.rules_kernel cimport check_mark
from tabiya.chess.san cimport format_san
from tabiya.formats.pgn.output cimport LOSS_PLACE, lose, put_close, put_letter, put_short_word, put_word, space
from tabiya.formats.pgn.write_text_kernel cimport close_comment, write_text, write_unreadable
from tabiya.formats.pgn.write_values_kernel cimport write_value
from tabiya.game.annotation_order cimport NO_MEMORY_FOR_ORDER, NO_SUCH_MOVE_OR_SIDE, is_annotated, order_by_move
from tabiya.game.annotations.kinds cimport KIND_NAGS, KIND_SYMBOLS, KIND_TEXT_AFTER, KIND_TEXT_BEFORE, KIND_UNREADABLE
from tabiya.game.columns cimport SIDE_AFTER, SIDE_BEFORE, SIDE_LATE
from tabiya.game.sink_kernel cimport nags_are_canonical
from tabiya.game.spelling cimport format_digits
from tabiya.game.tape_kernel cimport MOST_NESTED
from tabiya.game.walk cimport (
    EVENT_ANNOTATIONS, EVENT_CLOSE, EVENT_END, EVENT_MOVE, EVENT_NO_MEMORY, EVENT_OPEN, PlayedLine, begin_walk,
    moves_own_man, next_event, play_event, take_back
)

cdef int PART_VALUES = 1
cdef int PART_TEXTS = 2
cdef int PART_UNREADABLE = 4

# --- the tape --------------------------------------------------------------------------------------------------------


cdef Py_ssize_t write_moves(Writer* writer, Py_ssize_t record) noexcept nogil:
    """Write the tape of a record with its annotations; return the index of the first invalid token, else -1."""
    view = writer.view
    walk = &writer.walk
    line = &writer.line
    cdef Py_ssize_t begin = view.move_ends[record]
    cdef int event
    begin_walk(walk, view.moves + begin, view.move_ends[record + 1] - begin, MOST_NESTED)
    writer.number_due = True
    write_annotations(writer, -1, SIDE_BEFORE, False)
    write_annotations(writer, -1, SIDE_AFTER, False)
    while True:
        event = next_event(walk, line, sizeof(PlayedLine))
        if event == EVENT_MOVE:
            if not moves_own_man(&line.board, walk.token):
                return walk.place
            write_move(writer)
        elif event == EVENT_ANNOTATIONS:
            write_annotations(
                writer,
                walk.annotated,
                walk.side,
                walk.fits and not (writer.names_sides and walk.line.after_variation),
            )
        elif event == EVENT_OPEN:
            take_back(line)
            open_variation(writer)
        elif event == EVENT_CLOSE:
            put_close(&writer.out, CLOSE_PAREN)
            writer.number_due = True
        elif event == EVENT_END:
            break
        else:
            writer.out.failed |= event == EVENT_NO_MEMORY
            return walk.place
    if not writer.late_behind_result:
        write_annotations(writer, -1, SIDE_LATE, True)
    return -1


cdef void open_variation(Writer* writer) noexcept nogil:
    space(&writer.out, 5)
    put_letter(&writer.out, OPEN_PAREN)
    writer.out.column += 1
    writer.out.glued = True
    writer.number_due = True


cdef void write_move(Writer* writer) noexcept nogil:
    """Write the current move and play it."""
    out = &writer.out
    board = &writer.line.board
    cdef int move = writer.walk.token
    cdef uint8_t word[32]
    cdef int length
    if board.turn != BLACK or writer.number_due:
        length = format_digits(word, board.fullmove)
        word[length] = DOT
        length += 1
        if board.turn == BLACK:
            word[length] = word[length + 1] = DOT
            length += 2
        put_short_word(out, word, length)
        writer.number_due = False
    length = format_san(board, move, word)
    play_event(&writer.walk, &writer.line)
    if move and in_check(board):
        word[length] = check_mark(board)
        length += 1
    put_short_word(out, word, length)


# --- annotations -----------------------------------------------------------------------------------------------------


cdef bint index_annotations(Writer* writer, Py_ssize_t record) noexcept nogil:
    """Sort the annotations of a record by move. False if one belongs to a move that does not exist."""
    view = writer.view
    cdef int answer = order_by_move(&writer.walk.order, view, record)
    writer.has_moves = view.move_ends[record + 1] > view.move_ends[record]
    writer.late_behind_result = writer.has_moves
    writer.out.failed |= answer == NO_MEMORY_FOR_ORDER
    if not writer.has_moves:
        for index in range(view.annotation_ends[record], view.annotation_ends[record + 1]):
            # Before the result a comment of a record without moves is late, too, but only its texts are.
            writer.late_behind_result |= (
                view.annotation_side[index] == SIDE_LATE and part_of(view.annotation_kind[index]) == PART_VALUES
            )
    return answer != NO_SUCH_MOVE_OR_SIDE


cdef bint begins_with_comment(Writer* writer) noexcept nogil:
    """Return whether an annotation is written before the first move."""
    cdef int side
    order = &writer.walk.order
    if order.count == 0:
        return False
    for index in range(order.firsts[1] if writer.has_moves else order.firsts[0]):
        side = writer.view.annotation_side[order.places[index]]
        if side == SIDE_BEFORE or not writer.has_moves or (index < order.firsts[0] and side == SIDE_AFTER):
            return True
    return False


cdef void write_annotations(Writer* writer, int move, int side, bint fits) noexcept nogil:
    """Write the annotations on one side of a move: NAGs, then comments, then text that could not be read.

    ``fits``: a plain comment written here is read back at the same position.
    """
    if not is_annotated(&writer.walk.order, move):
        return
    write_symbols(writer, move, side, fits)
    if writer.plain:
        # Other programs expect commands before the text.
        write_comments(writer, move, side, fits, PART_VALUES)
        write_comments(writer, move, side, fits, PART_TEXTS)
    else:
        write_comments(writer, move, side, fits, PART_VALUES | PART_TEXTS)
    write_comments(writer, move, side, fits, PART_UNREADABLE)
    close_comment(writer)


cdef void write_symbols(Writer* writer, int move, int side, bint fits) noexcept nogil:
    """Write all NAGs of a position, which are read as one list in canonical form; after variations, as the move's."""
    order = &writer.walk.order
    cdef Py_ssize_t annotation
    cdef int kind
    cdef int lists = 0
    for index in range(order.firsts[move], order.firsts[move + 1]):
        annotation = order.places[index]
        kind = writer.view.annotation_kind[annotation]
        if writer.view.annotation_side[annotation] == side and (kind == KIND_SYMBOLS or kind == KIND_NAGS):
            lists += 1
            write_nags(writer, annotation)
            if (
                not fits
                or lists > 1
                or (side != SIDE_AFTER and writer.walk.line.last >= 0 and move >= 0)
                or (writer.plain and not nags_are_canonical(writer.view, annotation))
            ):
                lose(&writer.out, LOSS_PLACE)


cdef int part_of(int kind) noexcept nogil:
    """Return which part of a comment an annotation of this kind belongs to."""
    if kind == KIND_SYMBOLS or kind == KIND_NAGS:
        return 0
    if kind == KIND_UNREADABLE:
        return PART_UNREADABLE
    return PART_TEXTS if kind == KIND_TEXT_AFTER or kind == KIND_TEXT_BEFORE else PART_VALUES


cdef void write_comments(Writer* writer, int move, int side, bint fits, int parts) noexcept nogil:
    """Write these parts of the annotations on one side of a move, in order."""
    order = &writer.walk.order
    cdef Py_ssize_t annotation
    cdef int kind
    cdef bint here
    cdef bint late = False
    for index in range(order.firsts[move], order.firsts[move + 1]):
        annotation = order.places[index]
        kind = writer.view.annotation_kind[annotation]
        if not part_of(kind) & parts:
            continue
        here = writer.view.annotation_side[annotation] == side
        if here and kind == KIND_UNREADABLE:
            here = write_unreadable(writer, annotation)
        elif here and part_of(kind) == PART_TEXTS:
            here = write_text(writer, annotation, fits) and not (late and side == SIDE_AFTER)  # late ones are read last
        elif here:
            here = write_value(writer, annotation) or value_fits(writer, move, side, fits)
        else:
            late |= part_of(kind) == PART_TEXTS and writer.view.annotation_side[annotation] == SIDE_LATE
            continue
        if not here:
            lose(&writer.out, LOSS_PLACE)


cdef bint value_fits(Writer* writer, int move, int side, bint fits) noexcept nogil:
    """Return whether a value here is read back at its position: before the first move it belongs to the game."""
    if move < 0:
        return side == SIDE_AFTER or side == SIDE_LATE
    if side == SIDE_BEFORE and writer.walk.line.last < 0 and writer.walk.depth == 0:
        return False
    return fits


cdef void write_nag(Writer* writer, int nag) noexcept nogil:
    cdef uint8_t word[8]
    word[0] = DOLLAR
    put_word(&writer.out, word, 1 + format_digits(word + 1, nag))


cdef void write_nags(Writer* writer, Py_ssize_t annotation) noexcept nogil:
    cdef const uint8_t* data = writer.view.annotation_data.data
    cdef Py_ssize_t begin = writer.view.annotation_data.ends[annotation]
    cdef Py_ssize_t end = writer.view.annotation_data.ends[annotation + 1]
    if writer.view.annotation_kind[annotation] == KIND_SYMBOLS:
        for place in range(begin, end):
            if data[place]:
                write_nag(writer, data[place])
    else:
        for place in range(begin, end - 1, 2):
            write_nag(writer, data[place] | data[place + 1] << 8)
