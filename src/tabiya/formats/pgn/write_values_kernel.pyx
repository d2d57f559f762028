"""Values in comments of the PGN writer: ``[%clk 1:29:45]``; and which annotations are left to Python.

Linear in the size of the payloads.
"""

from libc.stdint cimport uint8_t
from libc.stdlib cimport free
from libc.string cimport memcmp, memset

from tabiya.chess.board cimport BLACK
from tabiya.chess.letters cimport CLOSE_BRACKET, COMMA, OPEN_BRACKET, PERCENT, SPACE
from tabiya.formats.pgn.commands_kernel cimport KIND_COMMENT
from tabiya.formats.pgn.output cimport LOSS_VALUE, lose, put, put_letter
from tabiya.formats.pgn.write_text_kernel cimport begin_part, put_plain, word_letters, write_rendered
from tabiya.game.annotations.commands cimport COMMAND_NONE, Command, command_at, means_something
from tabiya.game.annotations.forms_kernel cimport is_exact, put_command
from tabiya.game.annotations.kinds cimport (
    KIND_ARROWS, KIND_BLACK_CLOCK, KIND_EVALUATION, KIND_NAGS, KIND_SQUARES, KIND_SYMBOLS, KIND_TEXT_AFTER,
    KIND_TEXT_BEFORE, KIND_TIME_SPENT, KIND_UNREADABLE, KIND_WHITE_CLOCK
)
from tabiya.game.annotations.values_kernel cimport (
    LONGEST_MARK, LONGEST_VALUE, can_write, fits_spelling, format_mark, spelling_of
)
from tabiya.game.batch_view cimport View
from tabiya.game.columns cimport SIDE_AFTER
from tabiya.game.growing cimport Bytes
from tabiya.game.sink_kernel cimport nags_are_canonical
from tabiya.game.view_kernel cimport BatchView

import numpy as np


cdef bint write_value(Writer* writer, Py_ssize_t annotation) noexcept nogil:
    """Write a value into a comment. True if it contains its position."""
    view = writer.view
    cdef int kind = view.annotation_kind[annotation]
    cdef uint8_t spelling[LONGEST_VALUE]
    out = &writer.out
    cdef int letters
    cdef bint black
    if kind == KIND_COMMENT:
        return write_rendered(writer, annotation)
    if not can_write(view, annotation):
        # Values that other programs do not read are counted elsewhere; unusual forms have been rendered by Python.
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


cdef bint write_form(Writer* writer, Py_ssize_t annotation) noexcept nogil:
    """Write a value of a rarer kind; False if it has no usual form."""
    text = &writer.text
    text.size = 0
    if not put_command(writer.view, annotation, writer.rare, writer.rare_length, True, text):
        return False
    begin_part(writer, word_letters(text.data, 0, text.size))
    put_plain(writer, text.data, text.size)
    return True


cdef bint is_black(Writer* writer, Py_ssize_t annotation) noexcept nogil:
    """Return whether a comment written now is read as one at a move of Black."""
    if writer.view.annotation_move[annotation] < 0:
        return False
    return (writer.line.board.turn == BLACK) != (writer.view.annotation_side[annotation] == SIDE_AFTER)


cdef void write_marks(Writer* writer, Py_ssize_t annotation) noexcept nogil:
    """Write ``[%csl Ge4,Re5]``. The plain profile omits marks of colours that other programs do not support."""
    view = writer.view
    out = &writer.out
    cdef int kind = view.annotation_kind[annotation]
    cdef int width = 3 if kind == KIND_ARROWS else 2
    cdef int letters
    cdef int written = 0
    cdef Py_ssize_t place = view.annotation_data.ends[annotation]
    cdef Py_ssize_t end = view.annotation_data.ends[annotation + 1]
    cdef uint8_t mark[LONGEST_MARK]
    cdef bint lost = False
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


cdef bint any_mark(const View* view, Py_ssize_t annotation) noexcept nogil:
    """Return whether other programs read any of these marks."""
    cdef int kind = view.annotation_kind[annotation]
    cdef uint8_t mark[LONGEST_MARK]
    cdef Py_ssize_t place = view.annotation_data.ends[annotation]
    while place < view.annotation_data.ends[annotation + 1]:
        if format_mark(kind, view.annotation_data.data + place, True, mark):
            return True
        place += 3 if kind == KIND_ARROWS else 2
    return False


# --- what is left to Python ------------------------------------------------------------------------------------------


def find_rare(BatchView batch not None, bytes rare not None) -> np.ndarray:
    """Return which annotations of a batch cannot be written exactly by kernels: an array of ones and zeros.

    ``rare`` is the table of commands, as for the reader.
    """
    cdef View* view = &batch.view
    cdef Py_ssize_t count = view.annotation_ends[view.records] if view.records else 0
    found = np.zeros(count, np.uint8)
    cdef uint8_t[::1] out = found
    cdef const uint8_t* names = rare
    cdef Py_ssize_t length = len(rare)
    cdef Py_ssize_t index
    cdef Bytes room  # for a text and the payload that is read from it
    cdef Py_ssize_t record
    cdef bint utf8
    memset(&room, 0, sizeof(Bytes))
    with nogil:
        for record in range(view.records):
            utf8 = not has_encoding(view, record)
            for index in range(view.annotation_ends[record], view.annotation_ends[record + 1]):
                out[index] = is_rare(view, index, names, length, utf8, &room)
    free(room.data)
    return found


cdef bint has_encoding(View* view, Py_ssize_t record) noexcept nogil:
    """Return whether a tag states the encoding of the texts of this record; without one it is UTF-8."""
    names = &view.tag_names
    for index in range(view.tag_ends[record], view.tag_ends[record + 1]):
        if names.ends[index + 1] - names.ends[index] == 12:
            if memcmp(names.data + names.ends[index], b"TextEncoding", 12) == 0:
                return True
    return False


cdef bint is_rare(
    View* view, Py_ssize_t annotation, const uint8_t* rare, Py_ssize_t rare_length, bint utf8, Bytes* room
) noexcept nogil:
    cdef int kind = view.annotation_kind[annotation]
    cdef Command command
    cdef const uint8_t* text = view.annotation_data.data + view.annotation_data.ends[annotation]
    cdef Py_ssize_t length = view.annotation_data.ends[annotation + 1] - view.annotation_data.ends[annotation]
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
    cdef Py_ssize_t place = 0
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
