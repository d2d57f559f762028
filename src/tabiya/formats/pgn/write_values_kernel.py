"""Values in comments, as the PGN writer writes them: ``[%clk 1:29:45]``; and which annotations are left to Python.

Linear in the size of the payloads.
"""

import cython
import numpy as np
from cython.cimports.libc.stdint import uint8_t
from cython.cimports.libc.stdlib import free
from cython.cimports.libc.string import memcmp, memset
from cython.cimports.tabiya.chess.board import BLACK
from cython.cimports.tabiya.chess.letters import CLOSE_BRACKET, COMMA, OPEN_BRACKET, PERCENT, SPACE
from cython.cimports.tabiya.formats.pgn.commands_kernel import KIND_COMMENT
from cython.cimports.tabiya.formats.pgn.output import LOSS_VALUE, lose, put, put_letter
from cython.cimports.tabiya.formats.pgn.write_text_kernel import (
    begin_part,
    put_plain,
    word_letters,
    write_rendered,
)
from cython.cimports.tabiya.game.annotations.commands import COMMAND_NONE, Command, command_at, means_something
from cython.cimports.tabiya.game.annotations.forms_kernel import is_exact, put_command
from cython.cimports.tabiya.game.annotations.kinds import (
    KIND_ARROWS,
    KIND_BLACK_CLOCK,
    KIND_EVALUATION,
    KIND_NAGS,
    KIND_SQUARES,
    KIND_SYMBOLS,
    KIND_TEXT_AFTER,
    KIND_TEXT_BEFORE,
    KIND_TIME_SPENT,
    KIND_UNREADABLE,
    KIND_WHITE_CLOCK,
)
from cython.cimports.tabiya.game.annotations.values_kernel import (
    LONGEST_MARK,
    LONGEST_VALUE,
    can_write,
    fits_spelling,
    format_mark,
    spelling_of,
)
from cython.cimports.tabiya.game.batch_view import View
from cython.cimports.tabiya.game.columns import SIDE_AFTER
from cython.cimports.tabiya.game.growing import Bytes
from cython.cimports.tabiya.game.sink_kernel import nags_are_canonical
from cython.cimports.tabiya.game.view_kernel import BatchView


def write_value(writer, annotation):
    """Write a value into a comment. True if it says itself where it belongs."""
    view = writer.view
    kind: cython.int = view.annotation_kind[annotation]
    spelling: uint8_t[LONGEST_VALUE]
    out = cython.address(writer.out)
    letters: cython.int
    black: cython.bint
    if kind == KIND_COMMENT:
        return write_rendered(writer, annotation)
    if not can_write(view, annotation):
        # What others do not know is counted elsewhere; what has no usual form has been put into words.
        return writer.plain or not write_form(writer, annotation)
    if kind == KIND_SQUARES or kind == KIND_ARROWS:
        write_marks(writer, annotation)
        return False
    black = is_black(writer, annotation)
    if writer.plain and (
        (kind == KIND_WHITE_CLOCK and black)
        or (kind == KIND_BLACK_CLOCK and not black)
        or (kind == KIND_TIME_SPENT and view.annotation_data.data[view.annotation_data.ends[annotation] + 3])
    ):
        lose(out, LOSS_VALUE)
        if kind != KIND_TIME_SPENT:
            return True
    letters = spelling_of(view, annotation, writer.plain, spelling)
    begin_part(writer, letters + 8)
    if kind == KIND_EVALUATION:
        put(out, b"[%eval ", 7)
        out.column += 1
    elif kind == KIND_TIME_SPENT:
        put(out, b"[%emt ", 6)
    elif (kind == KIND_BLACK_CLOCK) == black:
        put(out, b"[%clk ", 6)
    else:
        put(out, b"[%clkb " if kind == KIND_BLACK_CLOCK else b"[%clkw ", 7)
        out.column += 1
    put(out, spelling, letters)
    put_letter(out, CLOSE_BRACKET)
    out.column += letters + 7
    return False


def write_form(writer, annotation):
    """Write a value that does not stand on every move; False if it has no usual form."""
    text = cython.address(writer.text)
    text.size = 0
    if not put_command(writer.view, annotation, writer.rare, writer.rare_length, True, text):
        return False
    begin_part(writer, word_letters(text.data, 0, text.size))
    put_plain(writer, text.data, text.size)
    return True


def is_black(writer, annotation):
    """Return whether a comment written now is read as one at a move of Black."""
    if writer.view.annotation_move[annotation] < 0:
        return False
    return (writer.line.board.turn == BLACK) != (writer.view.annotation_side[annotation] == SIDE_AFTER)


def write_marks(writer, annotation):
    """``[%csl Ge4,Re5]``. In the plain profile marks of colours that others do not know are left out."""
    view = writer.view
    out = cython.address(writer.out)
    kind: cython.int = view.annotation_kind[annotation]
    width: cython.int = 3 if kind == KIND_ARROWS else 2
    letters: cython.int
    written: cython.int = 0
    place: cython.Py_ssize_t = view.annotation_data.ends[annotation]
    end: cython.Py_ssize_t = view.annotation_data.ends[annotation + 1]
    mark: uint8_t[LONGEST_MARK]
    lost: cython.bint = False
    if writer.plain and end > place and not any_mark(view, annotation):
        lose(out, LOSS_VALUE)
        return
    # Never broken: other programs do not expect a line break in a list.
    begin_part(writer, 7 + 6 * (end - place) // width)
    put(out, b"[%cal" if kind == KIND_ARROWS else b"[%csl", 5)
    out.column += 6
    while place < end:
        letters = format_mark(kind, view.annotation_data.data + place, writer.plain, mark)
        lost |= letters == 0
        if letters:
            put_letter(out, COMMA if written else SPACE)
            put(out, mark, letters)
            out.column += letters + 1
            written += 1
        place += width
    put_letter(out, CLOSE_BRACKET)
    if lost:
        lose(out, LOSS_VALUE)


def any_mark(view, annotation):
    """Return whether other programs read any of these marks."""
    kind: cython.int = view.annotation_kind[annotation]
    mark: uint8_t[LONGEST_MARK]
    place: cython.Py_ssize_t = view.annotation_data.ends[annotation]
    while place < view.annotation_data.ends[annotation + 1]:
        if format_mark(kind, view.annotation_data.data + place, True, mark):
            return True
        place += 3 if kind == KIND_ARROWS else 2
    return False


# --- what is left to Python ------------------------------------------------------------------------------------------


def find_rare(batch: BatchView, rare: bytes) -> np.ndarray:
    """Return which annotations of a batch cannot be written exactly by kernels: an array of ones and zeros.

    ``rare`` is the table of commands, as the reader has it.
    """
    view: cython.pointer[View] = cython.address(batch.view)
    count: cython.Py_ssize_t = view.annotation_ends[view.records] if view.records else 0
    found = np.zeros(count, np.uint8)
    out: uint8_t[::1] = found
    names: cython.pointer[cython.const[uint8_t]] = rare
    length: cython.Py_ssize_t = len(rare)
    index: cython.Py_ssize_t
    room: Bytes  # for a text and the payload that is read from it
    record: cython.Py_ssize_t
    utf8: cython.bint
    memset(cython.address(room), 0, cython.sizeof(Bytes))
    with cython.nogil:
        for record in range(view.records):
            utf8 = not has_encoding(view, record)
            for index in range(view.annotation_ends[record], view.annotation_ends[record + 1]):
                out[index] = is_rare(view, index, names, length, utf8, cython.address(room))
    free(room.data)
    return found


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def has_encoding(view: cython.pointer[View], record: cython.Py_ssize_t) -> cython.bint:
    """Return whether a tag says how the texts of this record are stored; without one that is UTF-8."""
    names = cython.address(view.tag_names)
    for index in range(view.tag_ends[record], view.tag_ends[record + 1]):
        if names.ends[index + 1] - names.ends[index] == 12:
            if memcmp(names.data + names.ends[index], b"TextEncoding", 12) == 0:
                return True
    return False


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def is_rare(
    view: cython.pointer[View],
    annotation: cython.Py_ssize_t,
    rare: cython.pointer[cython.const[uint8_t]],
    rare_length: cython.Py_ssize_t,
    utf8: cython.bint,
    room: cython.pointer[Bytes],
) -> cython.bint:
    kind: cython.int = view.annotation_kind[annotation]
    command: Command
    text: cython.pointer[cython.const[uint8_t]] = view.annotation_data.data + view.annotation_data.ends[annotation]
    length: cython.Py_ssize_t = view.annotation_data.ends[annotation + 1] - view.annotation_data.ends[annotation]
    if kind == KIND_UNREADABLE:
        return False
    if kind == KIND_SYMBOLS or kind == KIND_NAGS:
        return (
            view.annotation_has_raw[annotation]
            or view.annotation_lang[annotation] != 0
            or not nags_are_canonical(view, annotation)
        )
    if kind != KIND_TEXT_AFTER and kind != KIND_TEXT_BEFORE:
        if view.annotation_has_raw[annotation] and not fits_spelling(view, annotation):
            return True
        return not can_write(view, annotation) and not is_exact(view, annotation, rare, rare_length, utf8, room)
    if view.annotation_has_raw[annotation]:
        return True
    place: cython.Py_ssize_t = 0
    while place < length - 1:
        if text[place] == OPEN_BRACKET and text[place + 1] == PERCENT:
            command = command_at(text, place, length, rare, rare_length)
            if command.unclosed:
                return False
            if means_something(command.name):
                return True
            if command.name != COMMAND_NONE:
                place = command.arguments_end  # no command begins inside of another
        place += 1
    return False
