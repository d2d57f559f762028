"""The movetext that the PGN writer makes of a tape and its annotations. Linear in their size; no recursion.

What comes out is read back as the same tape and the same annotations, wherever PGN has a place for them; where not, the
annotation is written as near as can be and counted as a loss.
"""

import cython
from cython.cimports.libc.stdint import uint8_t
from cython.cimports.tabiya.chess.board import BLACK, in_check
from cython.cimports.tabiya.chess.letters import CLOSE_PAREN, DOLLAR, DOT, OPEN_PAREN
from cython.cimports.tabiya.chess.rules_kernel import check_mark
from cython.cimports.tabiya.chess.san import format_san
from cython.cimports.tabiya.formats.pgn.output import (
    LOSS_PLACE,
    lose,
    put_close,
    put_letter,
    put_short_word,
    put_word,
    space,
)
from cython.cimports.tabiya.formats.pgn.write_text_kernel import close_comment, write_text, write_unreadable
from cython.cimports.tabiya.formats.pgn.write_values_kernel import write_value
from cython.cimports.tabiya.game.annotation_order import (
    NO_MEMORY_FOR_ORDER,
    NO_SUCH_MOVE_OR_SIDE,
    is_annotated,
    order_by_move,
)
from cython.cimports.tabiya.game.annotations.kinds import (
    KIND_NAGS,
    KIND_SYMBOLS,
    KIND_TEXT_AFTER,
    KIND_TEXT_BEFORE,
    KIND_UNREADABLE,
)
from cython.cimports.tabiya.game.columns import SIDE_AFTER, SIDE_BEFORE, SIDE_LATE
from cython.cimports.tabiya.game.sink_kernel import nags_are_canonical
from cython.cimports.tabiya.game.spelling import format_digits
from cython.cimports.tabiya.game.tape_kernel import MOST_NESTED
from cython.cimports.tabiya.game.walk import (
    EVENT_ANNOTATIONS,
    EVENT_CLOSE,
    EVENT_END,
    EVENT_MOVE,
    EVENT_NO_MEMORY,
    EVENT_OPEN,
    PlayedLine,
    begin_walk,
    moves_own_man,
    next_event,
    play_event,
    take_back,
)

PART_VALUES = cython.declare(cython.int, 1)
PART_TEXTS = cython.declare(cython.int, 2)
PART_UNREADABLE = cython.declare(cython.int, 4)

# --- the tape --------------------------------------------------------------------------------------------------------


def write_moves(writer, record):
    """Write the tape of a record with its annotations; the index of the first token that makes no sense, else -1."""
    view = writer.view
    walk = cython.address(writer.walk)
    line = cython.address(writer.line)
    begin: cython.Py_ssize_t = view.move_ends[record]
    event: cython.int
    begin_walk(walk, view.moves + begin, view.move_ends[record + 1] - begin, MOST_NESTED)
    writer.number_due = True
    write_annotations(writer, -1, SIDE_BEFORE, False)
    write_annotations(writer, -1, SIDE_AFTER, False)
    while True:
        event = next_event(walk, line, cython.sizeof(PlayedLine))
        if event == EVENT_MOVE:
            if not moves_own_man(cython.address(line.board), walk.token):
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
            put_close(cython.address(writer.out), CLOSE_PAREN)
            writer.number_due = True
        elif event == EVENT_END:
            break
        else:
            writer.out.failed |= event == EVENT_NO_MEMORY
            return walk.place
    if not writer.late_behind_result:
        write_annotations(writer, -1, SIDE_LATE, True)
    return -1


def open_variation(writer):
    space(cython.address(writer.out), 5)
    put_letter(cython.address(writer.out), OPEN_PAREN)
    writer.out.column += 1
    writer.out.glued = True
    writer.number_due = True


def write_move(writer):
    """Write the move at hand and play it."""
    out = cython.address(writer.out)
    board = cython.address(writer.line.board)
    move: cython.int = writer.walk.token
    word: uint8_t[32]
    length: cython.int
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
    play_event(cython.address(writer.walk), cython.address(writer.line))
    if move and in_check(board):
        word[length] = check_mark(board)
        length += 1
    put_short_word(out, word, length)


# --- annotations -----------------------------------------------------------------------------------------------------


def index_annotations(writer, record):
    """Sort the annotations of a record by move. False if one hangs on a place that is not there."""
    view = writer.view
    answer: cython.int = order_by_move(cython.address(writer.walk.order), view, record)
    writer.has_moves = view.move_ends[record + 1] > view.move_ends[record]
    writer.late_behind_result = writer.has_moves
    writer.out.failed |= answer == NO_MEMORY_FOR_ORDER
    if not writer.has_moves:
        for index in range(view.annotation_ends[record], view.annotation_ends[record + 1]):
            # Before the result a comment of a record without moves is late, too, but only the texts in it are.
            writer.late_behind_result |= (
                view.annotation_side[index] == SIDE_LATE and part_of(view.annotation_kind[index]) == PART_VALUES
            )
    return answer != NO_SUCH_MOVE_OR_SIDE


def begins_with_comment(writer):
    """Return whether an annotation is written before the first move."""
    order = cython.address(writer.walk.order)
    if order.count == 0:
        return False
    for index in range(order.firsts[1] if writer.has_moves else order.firsts[0]):
        side: cython.int = writer.view.annotation_side[order.places[index]]
        if side == SIDE_BEFORE or not writer.has_moves or (index < order.firsts[0] and side == SIDE_AFTER):
            return True
    return False


def write_annotations(writer, move, side, fits):
    """Write what stands on one side of a move: NAGs, then one or more comments, last what could not be read.

    ``fits`` says whether a plain comment written here is read as what it is.
    """
    if not is_annotated(cython.address(writer.walk.order), move):
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


def write_symbols(writer, move, side, fits):
    """Write all NAGs of a place, which are read as one list in canonical form; after variations, as the move's."""
    order = cython.address(writer.walk.order)
    annotation: cython.Py_ssize_t
    kind: cython.int
    lists: cython.int = 0
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
                lose(cython.address(writer.out), LOSS_PLACE)


def part_of(kind):
    """Return which part of a comment an annotation of this kind belongs to."""
    if kind == KIND_SYMBOLS or kind == KIND_NAGS:
        return 0
    if kind == KIND_UNREADABLE:
        return PART_UNREADABLE
    return PART_TEXTS if kind == KIND_TEXT_AFTER or kind == KIND_TEXT_BEFORE else PART_VALUES


def write_comments(writer, move, side, fits, parts):
    """Write these parts of what stands on one side of a move, in their order."""
    order = cython.address(writer.walk.order)
    annotation: cython.Py_ssize_t
    kind: cython.int
    here: cython.bint
    late: cython.bint = False
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
            lose(cython.address(writer.out), LOSS_PLACE)


def value_fits(writer, move, side, fits):
    """Return whether a value written here is read where it belongs: before the first move it is about the game."""
    if move < 0:
        return side == SIDE_AFTER or side == SIDE_LATE
    if side == SIDE_BEFORE and writer.walk.line.last < 0 and writer.walk.depth == 0:
        return False
    return fits


def write_nag(writer, nag):
    word: uint8_t[8]
    word[0] = DOLLAR
    put_word(cython.address(writer.out), word, 1 + format_digits(word + 1, nag))


def write_nags(writer, annotation):
    data: cython.pointer[cython.const[uint8_t]] = writer.view.annotation_data.data
    begin: cython.Py_ssize_t = writer.view.annotation_data.ends[annotation]
    end: cython.Py_ssize_t = writer.view.annotation_data.ends[annotation + 1]
    if writer.view.annotation_kind[annotation] == KIND_SYMBOLS:
        for place in range(begin, end):
            if data[place]:
                write_nag(writer, data[place])
    else:
        for place in range(begin, end - 1, 2):
            write_nag(writer, data[place] | data[place + 1] << 8)
