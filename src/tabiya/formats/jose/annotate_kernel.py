"""Annotations in the writer of jose's game texts: their order, whether they have a place in the stream, their bytes.

Linear in their number and length.
"""

import cython
from cython.cimports.libc.stdint import uint8_t
from cython.cimports.libc.string import memchr, memcpy, strlen
from cython.cimports.tabiya.chess.board import BLACK
from cython.cimports.tabiya.chess.letters import CLOSE_BRACE, DELETE, OPEN_PAREN, SPACE
from cython.cimports.tabiya.formats.jose.moves_kernel import (
    CODE_COMMENT,
    CODE_NAG,
    LAST_ERROR,
    LAST_NAG_CODE,
)
from cython.cimports.tabiya.formats.jose.texts import has_command, put_cesu8
from cython.cimports.tabiya.formats.jose.writing import (
    ATTRIBUTE_COMMENTS,
    ATTRIBUTE_ERRORS,
    IS_RICH,
    WRITTEN,
    put_code,
)
from cython.cimports.tabiya.game.annotations.commands import name_of_value
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
    LONGEST_VALUE,
    can_write,
    fits_spelling,
    format_mark,
    spelling_of,
)
from cython.cimports.tabiya.game.columns import SIDE_AFTER, SIDE_BEFORE, SIDE_LATE
from cython.cimports.tabiya.game.growing import Bytes, grow
from cython.cimports.tabiya.game.sink_kernel import nag_slot
from cython.cimports.tabiya.game.tape_kernel import VARIATION_BEGIN
from cython.cimports.tabiya.game.utf8 import is_utf8
from cython.cimports.tabiya.game.walk import coming

GROUPS = cython.declare(cython.int, 3)


def write_annotations(writer, move, side):
    """Write the annotations on one side of a move, or on the whole game. NAGs in a row would be read as one list."""
    order = cython.address(writer.walk.order)
    answer: cython.int
    nags: cython.bint
    nags_before: cython.bint = False
    if side == SIDE_AFTER and move >= 0 and has_values(writer, move):
        return write_values(writer, move)
    for index in range(order.firsts[move], order.firsts[move + 1]):
        if writer.view.annotation_side[order.places[index]] == side:
            kind: cython.int = writer.view.annotation_kind[order.places[index]]
            nags = kind == KIND_SYMBOLS or kind == KIND_NAGS
            if nags and nags_before:
                return IS_RICH
            nags_before = nags
            answer = write_annotation(writer, order.places[index], side)
            if answer != WRITTEN:
                return answer
    return WRITTEN


# --- values ----------------------------------------------------------------------------------------------------------


def group_of(kind):
    """In which group of a comment a value is written that kernels can write: marks, times, evaluations; else 0."""
    if kind == KIND_SQUARES or kind == KIND_ARROWS:
        return 1
    if kind == KIND_TIME_SPENT or kind == KIND_WHITE_CLOCK or kind == KIND_BLACK_CLOCK:
        return 2
    return GROUPS if kind == KIND_EVALUATION else 0


def has_values(writer, move):
    order = cython.address(writer.walk.order)
    for index in range(order.firsts[move], order.firsts[move + 1]):
        if writer.view.annotation_side[order.places[index]] == SIDE_AFTER and (
            group_of(writer.view.annotation_kind[order.places[index]])
        ):
            return True
    return False


def write_values(writer, move):
    """Write what stands after a move, values among it: a list of NAGs, then one comment with commands and a text.

    As ``rich.py`` does it; what is not read back just so from there is left to it.
    """
    view = writer.view
    order = cython.address(writer.walk.order)
    out: cython.pointer[Bytes] = cython.address(writer.texts)
    nags: cython.Py_ssize_t = -1
    text: cython.Py_ssize_t = -1
    written: cython.bint = False
    for index in range(order.firsts[move], order.firsts[move + 1]):
        note: cython.Py_ssize_t = order.places[index]
        kind: cython.int = view.annotation_kind[note]
        if view.annotation_side[note] != SIDE_AFTER:
            continue
        if (kind == KIND_SYMBOLS or kind == KIND_NAGS) and nags < 0 and not view.annotation_has_raw[note]:
            nags = note
        elif kind == KIND_TEXT_AFTER and text < 0 and is_plain_text(view, note):
            text = note
        elif not group_of(kind) or not is_exact(view, note):
            return IS_RICH
    writer.attributes |= ATTRIBUTE_COMMENTS
    if nags >= 0 and write_nags(writer, nags) != WRITTEN:
        return IS_RICH
    put_code(writer, CODE_COMMENT)
    if writer.inline_texts:
        out = cython.address(writer.codes)
    for group in range(1, GROUPS + 1):
        for index in range(order.firsts[move], order.firsts[move + 1]):
            note = order.places[index]
            if view.annotation_side[note] == SIDE_AFTER and group_of(view.annotation_kind[note]) == group:
                if written:
                    put_letters(writer, out, b" ", 1)
                write_value(writer, out, note)
                written = True
    if text >= 0:
        put_letters(writer, out, b" ", 1)
        if not put_cesu8(
            out,
            view.annotation_data.data + view.annotation_data.ends[text],
            view.annotation_data.ends[text + 1] - view.annotation_data.ends[text],
        ):
            writer.failed = True
    put_letters(writer, out, b"\0", 1)
    return WRITTEN


def is_exact(view, note):
    """Return whether a value is read back just so from the command that is written for it."""
    return can_write(view, note) and (not view.annotation_has_raw[note] or fits_spelling(view, note))


def is_plain_text(view, note):
    """Return whether a text behind commands is read back just so: no breaks, no blanks to be lost, no command."""
    begin: cython.Py_ssize_t = view.annotation_data.ends[note]
    length: cython.Py_ssize_t = view.annotation_data.ends[note + 1] - begin
    text = view.annotation_data.data + begin
    if view.annotation_lang[note] or view.annotation_has_raw[note] or length == 0:
        return False
    if text[0] == SPACE or text[length - 1] == SPACE or has_command(text, length) or not is_utf8(text, length):
        return False
    for at in range(length):
        if (
            text[at] < SPACE
            or text[at] == CLOSE_BRACE
            or text[at] == DELETE
            or (text[at] == SPACE and text[at + 1] == SPACE)
        ):
            return False
    return True


def write_value(writer, out, note):
    """``[%clk 1:29:45]``, ``[%csl Ge4,Re5]``."""
    view = writer.view
    kind: cython.int = view.annotation_kind[note]
    # The move has been made already.
    name: cython.p_const_char = name_of_value(kind, writer.line.played.board.turn != BLACK)
    spelling: uint8_t[LONGEST_VALUE]
    place: cython.Py_ssize_t = view.annotation_data.ends[note]
    end: cython.Py_ssize_t = view.annotation_data.ends[note + 1]
    first: cython.Py_ssize_t = place
    put_letters(writer, out, b"[%", 2)
    put_letters(writer, out, name, strlen(name))
    if group_of(kind) == 1:
        while place < end:
            put_letters(writer, out, b" " if place == first else b",", 1)
            put_letters(
                writer,
                out,
                cython.cast(cython.p_const_char, spelling),
                format_mark(kind, view.annotation_data.data + place, False, spelling),
            )
            place += 3 if kind == KIND_ARROWS else 2
    else:
        put_letters(writer, out, b" ", 1)
        put_letters(writer, out, cython.cast(cython.p_const_char, spelling), spelling_of(view, note, False, spelling))
    put_letters(writer, out, b"]", 1)


def put_letters(writer, out, letters, length):
    if not grow(out, length):
        writer.failed = True
        return
    memcpy(out.data + out.size, letters, length)
    out.size += length


# --- places ----------------------------------------------------------------------------------------------------------


def write_annotation(writer, index, side):
    view = writer.view
    kind: cython.int = view.annotation_kind[index]
    if not fits_here(writer, index, side):
        return IS_RICH
    if kind == KIND_SYMBOLS or kind == KIND_NAGS:
        writer.attributes |= ATTRIBUTE_COMMENTS
        return write_nags(writer, index)
    if kind == KIND_UNREADABLE:
        writer.attributes |= ATTRIBUTE_ERRORS
        return write_text(writer, index, CODE_COMMENT + 1 + view.annotation_lang[index])
    writer.attributes |= ATTRIBUTE_COMMENTS
    return write_text(writer, index, CODE_COMMENT)


def fits_here(writer, index, side):
    """Return whether an annotation that is written here will be read as standing here."""
    view = writer.view
    line = cython.address(writer.walk.line)
    follows: cython.bint = coming(cython.address(writer.walk)) < VARIATION_BEGIN
    kind: cython.int = view.annotation_kind[index]
    move: cython.int = view.annotation_move[index]
    begin: cython.Py_ssize_t = view.annotation_data.ends[index]
    variation: cython.bint
    if view.annotation_has_raw[index]:
        return False
    if move < 0:  # behind the result, or in a game without moves
        if kind == KIND_TEXT_AFTER:
            return view.annotation_lang[index] == 0
        if kind == KIND_UNREADABLE:
            return view.annotation_lang[index] < LAST_ERROR
        return kind == KIND_SYMBOLS or kind == KIND_NAGS
    if side == SIDE_LATE and follows:
        return False  # it is not the last move of its line
    if kind == KIND_TEXT_BEFORE or kind == KIND_TEXT_AFTER:
        if view.annotation_lang[index] or (kind == KIND_TEXT_BEFORE) != (side == SIDE_BEFORE):
            return False
        return side == SIDE_AFTER or line.after_variation or line.last < 0
    if kind == KIND_SYMBOLS or kind == KIND_NAGS:
        return side == SIDE_AFTER or (side == SIDE_BEFORE and line.last < 0)
    if kind != KIND_UNREADABLE or view.annotation_lang[index] >= LAST_ERROR:
        return False
    if side == SIDE_BEFORE:
        return line.last < 0
    variation = view.annotation_data.ends[index + 1] > begin and view.annotation_data.data[begin] == OPEN_PAREN
    if side == SIDE_LATE or variation:
        return variation == (side == SIDE_AFTER)
    return follows


def write_nags(writer, index):
    """Write a list of NAGs, if it is stored in the form that reading would give it again."""
    data = writer.view.annotation_data.data
    begin: cython.Py_ssize_t = writer.view.annotation_data.ends[index]
    end: cython.Py_ssize_t = writer.view.annotation_data.ends[index + 1]
    slots: cython.bint = True
    slot: cython.int
    filled: cython.int = 0
    if begin == end:
        return IS_RICH
    if writer.view.annotation_kind[index] == KIND_SYMBOLS:
        if data[end - 1] == 0:
            return IS_RICH
        for at in range(begin, end):
            if data[at]:
                if nag_slot(data[at]) != at - begin:
                    return IS_RICH
                write_nag(writer, data[at])
        return WRITTEN
    if (end - begin) & 1:
        return IS_RICH
    for at in range(begin, end, 2):
        slot = nag_slot(data[at] | data[at + 1] << 8)
        slots = slots and slot >= filled
        filled = slot + 1
        if write_nag(writer, data[at] | data[at + 1] << 8) != WRITTEN:
            return IS_RICH
    return IS_RICH if slots else WRITTEN


def write_nag(writer, nag):
    if nag > 255:
        return IS_RICH
    if 0 < nag <= LAST_NAG_CODE:
        put_code(writer, CODE_NAG + nag)
    else:
        put_code(writer, CODE_NAG)
        put_code(writer, nag)
    return WRITTEN


def write_text(writer, index, code):
    view = writer.view
    begin: cython.Py_ssize_t = view.annotation_data.ends[index]
    length: cython.Py_ssize_t = view.annotation_data.ends[index + 1] - begin
    text: cython.pointer[cython.const[uint8_t]] = view.annotation_data.data + begin
    out: cython.pointer[Bytes] = cython.address(writer.texts)
    if length and (memchr(text, 0, length) != cython.NULL or not is_utf8(text, length)):
        return IS_RICH
    if code == CODE_COMMENT and not writer.commands and has_command(text, length):
        return IS_RICH
    put_code(writer, code)
    if writer.inline_texts:
        out = cython.address(writer.codes)
    if not put_cesu8(out, text, length) or not grow(out, 1):
        writer.failed = True
        return WRITTEN
    out.data[out.size] = 0
    out.size += 1
    return WRITTEN
