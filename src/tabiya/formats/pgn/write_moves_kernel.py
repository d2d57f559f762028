"""The movetext that the PGN writer makes of a tape and its annotations. Linear in their size; no recursion.

What comes out is read back as the same tape and the same annotations, wherever PGN has a place for them; where not, the
annotation is written as near as can be and counted as a loss.
"""

import cython
from cython.cimports.libc.stdint import int32_t, uint8_t, uint16_t
from cython.cimports.libc.string import memcpy, memset
from cython.cimports.tabiya.chess.board import BLACK, in_check, make_move, remember, source_of, unmake_move
from cython.cimports.tabiya.chess.rules_kernel import check_mark
from cython.cimports.tabiya.chess.san import MAX_SAN, format_san
from cython.cimports.tabiya.formats.pgn.lexer import is_blank, is_newline
from cython.cimports.tabiya.formats.pgn.output import (
    LAST_COLUMN,
    LOSS_PLACE,
    LOSS_TEXT,
    break_line,
    is_continuation,
    lose,
    put,
    put_close,
    put_digits,
    put_letter,
    put_word,
    space,
)
from cython.cimports.tabiya.formats.pgn.writing import WrittenLine
from cython.cimports.tabiya.game.columns import (
    KIND_NAGS,
    KIND_SYMBOLS,
    KIND_TEXT_AFTER,
    KIND_TEXT_BEFORE,
    KIND_UNREADABLE,
    SIDE_AFTER,
    SIDE_BEFORE,
    SIDE_LATE,
)
from cython.cimports.tabiya.game.growing import grow
from cython.cimports.tabiya.game.tape_kernel import VARIATION_BEGIN, VARIATION_END

# --- the tape --------------------------------------------------------------------------------------------------------


def write_moves(writer, record):
    """Writes the tape of a record with its annotations; the index of the first token that makes no sense, else -1."""
    view = writer.view
    begin: cython.Py_ssize_t = view.move_ends[record]
    length: cython.Py_ssize_t = view.move_ends[record + 1] - begin
    tape: cython.pointer[cython.const[uint16_t]] = view.moves + begin
    line = cython.address(writer.line)
    token: cython.int
    writer.outside.size = 0
    line.last = -1
    line.after_variation = False
    writer.number_due = True
    writer.next_move = 0
    # Texts of the game as a whole have no place of their own in PGN but behind the result.
    write_annotations(writer, -1, SIDE_BEFORE, False)
    write_annotations(writer, -1, SIDE_AFTER, False)
    for index in range(length):
        token = tape[index]
        if token < VARIATION_BEGIN:
            if token and (
                token >> 12 > 4
                or line.board.squares[source_of(token)] == 0
                or line.board.squares[source_of(token)] >> 3 != line.board.turn
            ):
                return index
            write_move(writer, token)
        elif token == VARIATION_BEGIN:
            if line.last < 0 or not open_variation(writer):
                return index
        elif token == VARIATION_END and writer.outside.size and line.last >= 0:
            close_variation(writer)
        else:
            return index
    if writer.outside.size:
        return length
    if line.last >= 0:
        write_annotations(writer, line.last, SIDE_LATE, True)
    else:
        write_annotations(writer, -1, SIDE_LATE, True)
    return -1


def open_variation(writer):
    line = cython.address(writer.line)
    if not grow(cython.address(writer.outside), cython.sizeof(WrittenLine)):
        writer.out.failed = True
        return False
    memcpy(writer.outside.data + writer.outside.size, line, cython.sizeof(WrittenLine))
    writer.outside.size += cython.sizeof(WrittenLine)
    unmake_move(cython.address(line.board), cython.address(line.undo))
    line.last = -1
    line.after_variation = False
    space(cython.address(writer.out), 5)
    put_letter(cython.address(writer.out), 40)  # "("
    writer.out.column += 1
    writer.out.glued = True
    writer.number_due = True
    return True


def close_variation(writer):
    write_annotations(writer, writer.line.last, SIDE_LATE, True)
    put_close(cython.address(writer.out), 41)  # ")"
    writer.outside.size -= cython.sizeof(WrittenLine)
    memcpy(cython.address(writer.line), writer.outside.data + writer.outside.size, cython.sizeof(WrittenLine))
    writer.line.after_variation = True
    writer.number_due = True


def write_move(writer, move):
    out = cython.address(writer.out)
    line = cython.address(writer.line)
    word: uint8_t[32]
    length: cython.int
    mark: cython.int
    number: cython.int = writer.next_move
    writer.next_move += 1
    if writer.annotations:
        # Late annotations that no end of a line follows stand before the next move once they are read again.
        if line.last >= 0:
            write_annotations(writer, line.last, SIDE_LATE, False)
        write_annotations(writer, number, SIDE_BEFORE, line.last < 0 or line.after_variation)
    if line.board.turn != BLACK or writer.number_due:
        length = put_digits(word, line.board.fullmove)
        word[length] = 46  # "."
        length += 1
        if line.board.turn == BLACK:
            word[length] = word[length + 1] = 46
            length += 2
        put_word(out, word, length)
        writer.number_due = False
    length = format_san(cython.address(line.board), move, word)
    remember(cython.address(line.board), move, cython.address(line.undo))
    make_move(cython.address(line.board), move)
    if move and in_check(cython.address(line.board)):
        mark = check_mark(cython.address(line.board))
        word[length] = mark
        length += 1
    put_word(out, word, length)
    line.last = number
    line.after_variation = False
    if writer.annotations:
        write_annotations(writer, number, SIDE_AFTER, True)


# --- annotations -----------------------------------------------------------------------------------------------------


def index_annotations(writer, record):
    """Sorts the annotations of a record by move. False if one hangs on a move that is not there."""
    view = writer.view
    begin: cython.Py_ssize_t = view.annotation_ends[record]
    count: cython.Py_ssize_t = view.annotation_ends[record + 1] - begin
    moves: cython.Py_ssize_t = 0
    first: cython.pointer[int32_t]
    order: cython.pointer[int32_t]
    total: int32_t = 0
    here: int32_t
    writer.annotations = count
    writer.has_moves = view.move_ends[record + 1] > view.move_ends[record]
    if count == 0:
        return True
    for index in range(view.move_ends[record], view.move_ends[record + 1]):
        moves += view.moves[index] < VARIATION_BEGIN
    writer.first.size = writer.order.size = 0
    if not grow(cython.address(writer.first), 4 * (moves + 2)) or not grow(cython.address(writer.order), 4 * count):
        writer.out.failed = True
        return True
    first = cython.cast(cython.pointer[int32_t], writer.first.data)
    order = cython.cast(cython.pointer[int32_t], writer.order.data)
    memset(first, 0, 4 * (moves + 2))
    for index in range(begin, begin + count):
        if view.annotation_move[index] < -1 or view.annotation_move[index] >= moves:
            return False
        first[view.annotation_move[index] + 1] += 1
    for move in range(moves + 1):
        here = first[move]
        first[move] = total
        total += here
    for index in range(begin, begin + count):
        order[first[view.annotation_move[index] + 1]] = index
        first[view.annotation_move[index] + 1] += 1
    # Every count has moved on to where the next move begins: push them back by one place.
    for move in range(moves + 1, 0, -1):
        first[move] = first[move - 1]
    first[0] = 0
    return True


def begins_with_comment(writer):
    """Whether an annotation is written before the first move."""
    first = cython.cast(cython.pointer[int32_t], writer.first.data)
    order = cython.cast(cython.pointer[int32_t], writer.order.data)
    if writer.annotations == 0:
        return False
    for index in range(first[2] if writer.has_moves else first[1]):
        side: cython.int = writer.view.annotation_side[order[index]]
        if side == SIDE_BEFORE or not writer.has_moves or (index < first[1] and side == SIDE_AFTER):
            return True
    return False


def write_annotations(writer, move, side, fits):
    """Writes what stands on one side of a move: NAGs, then texts, then what could not be read.

    ``fits`` says whether reading it here gives it back its place.
    """
    first = cython.cast(cython.pointer[int32_t], writer.first.data)
    order = cython.cast(cython.pointer[int32_t], writer.order.data)
    annotation: cython.Py_ssize_t
    kind: cython.int
    if writer.annotations == 0:
        return
    begin: cython.Py_ssize_t = first[move + 1]
    end: cython.Py_ssize_t = first[move + 2]
    for index in range(begin, end):
        annotation = order[index]
        kind = writer.view.annotation_kind[annotation]
        if writer.view.annotation_side[annotation] == side and (kind == KIND_SYMBOLS or kind == KIND_NAGS):
            write_annotation(writer, annotation, fits and (side != SIDE_BEFORE or writer.line.last < 0))
    for index in range(begin, end):
        annotation = order[index]
        kind = writer.view.annotation_kind[annotation]
        if writer.view.annotation_side[annotation] == side and (kind == KIND_TEXT_AFTER or kind == KIND_TEXT_BEFORE):
            write_annotation(writer, annotation, fits and (kind == KIND_TEXT_BEFORE) == (side == SIDE_BEFORE))
    for index in range(begin, end):
        annotation = order[index]
        if (
            writer.view.annotation_side[annotation] == side
            and writer.view.annotation_kind[annotation] == KIND_UNREADABLE
        ):
            write_annotation(writer, annotation, fits and side != SIDE_BEFORE)


def write_annotation(writer, annotation, fits):
    view = writer.view
    kind: cython.int = view.annotation_kind[annotation]
    begin: cython.Py_ssize_t = view.annotation_data.ends[annotation]
    length: cython.Py_ssize_t = view.annotation_data.ends[annotation + 1] - begin
    if not fits:
        lose(cython.address(writer.out), LOSS_PLACE)
    if kind == KIND_SYMBOLS or kind == KIND_NAGS:
        write_nags(writer, annotation)
    elif kind == KIND_UNREADABLE:
        if not writer.plain:
            write_unreadable(writer, view.annotation_data.data + begin, length)
    else:
        write_comment(writer, view.annotation_data.data + begin, length)


def write_nag(writer, nag):
    word: uint8_t[8]
    word[0] = 36  # "$"
    put_word(cython.address(writer.out), word, 1 + put_digits(word + 1, nag))


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


def write_unreadable(writer, text, length):
    """Puts a stretch of foreign text back as it stood, in lines of its own."""
    out = cython.address(writer.out)
    break_line(out)
    put(out, text, length)
    put_letter(out, 10)
    writer.number_due = True
    writer.line.after_variation = True


# --- comments --------------------------------------------------------------------------------------------------------


def word_letters(text, place, length):
    """How many letters follow up to the next blank."""
    letters: cython.Py_ssize_t = 0
    while place < length and text[place] != 32 and not is_newline(text[place]):
        letters += not is_continuation(text[place])
        place += 1
    return letters


def write_comment(writer, text, length):
    """``{ text }``, broken at single blanks only, and never before a letter that means something at the start of a line."""
    out = cython.address(writer.out)
    place: cython.Py_ssize_t = 0
    lost: cython.bint = False
    letter: cython.int
    while length and (is_blank(text[length - 1]) or is_newline(text[length - 1])):
        length -= 1
        lost = True
    while place < length and (is_blank(text[place]) or is_newline(text[place])):
        place += 1
        lost = True
    if lost or place == length:
        lose(out, LOSS_TEXT)
        lost = False
    if place == length:
        return
    put_word(out, b"{", 1)
    space(out, word_letters(text, place, length))
    while place < length:
        letter = text[place]
        if letter == 32 or is_newline(letter):
            place = write_break(writer, text, place, length, cython.address(lost))
            continue
        if letter == 125:  # "}"
            letter = 41  # ")"
            lost = True
        put_letter(out, letter)
        out.column += not is_continuation(letter)
        place += 1
    put_word(out, b"}", 1)
    if lost:
        lose(out, LOSS_TEXT)
    writer.number_due = True


def write_break(writer, text, place, length, lost):
    """Writes the blanks at ``place``, of which there is something behind; the place behind them."""
    out = cython.address(writer.out)
    end: cython.Py_ssize_t = place
    breaks: cython.int = 0
    while is_blank(text[end]) or is_newline(text[end]):
        breaks += is_newline(text[end])
        end += 1
    if breaks == 0:
        if end == place + 1 and text[end] != 37 and text[end] != 59 and text[end] != 91:  # "%", ";", "["
            space(out, word_letters(text, end, length))
        else:
            put(out, text + place, end - place)
            out.column += end - place
    elif breaks == 2 and end == place + 2 and text[place] == 10 and text[place + 1] == 10 and text[end] != 91 and not out.one_line:
        put(out, text + place, 2)
        out.column = 0
    else:
        lost[0] = True
        space(out, word_letters(text, end, length))
    return end
