"""The parts of a comment that writers of formats with comments make of annotations: commands, and a text.

Every part is what the classes of ``tabiya.game.annotations`` make of an annotation, by test, and is read back as that;
whatever else there is, is left to Python. Linear in the length of the parts.
"""

import cython
from cython.cimports.libc.stdint import uint8_t
from cython.cimports.libc.string import memchr, memcmp, memcpy, strlen
from cython.cimports.tabiya.chess.letters import CLOSE_BRACE, DELETE, OPEN_BRACKET, OPEN_PAREN, PERCENT, SPACE
from cython.cimports.tabiya.game.annotations.commands import (
    COMMAND_NONE,
    REASONS,
    Command,
    command_at,
    means_something,
    name_of_value,
    reason_word,
)
from cython.cimports.tabiya.game.annotations.composing import (
    IS_RICH,
    KIND_WORDS,
    PLACE_NAGS,
    PLACE_OTHER,
    PLACE_TEXT,
    PLACES,
    WORDS_OF_TEXT,
    WRITTEN,
)
from cython.cimports.tabiya.game.annotations.escapes import put_escaped
from cython.cimports.tabiya.game.annotations.forms_kernel import is_exact, put_command
from cython.cimports.tabiya.game.annotations.kinds import (
    KIND_ARROWS,
    KIND_BLACK_CLOCK,
    KIND_NAGS,
    KIND_SQUARES,
    KIND_SYMBOLS,
    KIND_TEXT_AFTER,
    KIND_TEXT_BEFORE,
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
from cython.cimports.tabiya.game.growing import grow
from cython.cimports.tabiya.game.utf8 import is_utf8


def put_parts(composer, group, notes, count, symbols):
    """Append a group of annotations to the comment: commands in the order of their places, texts last.

    ``symbols``: words about NAGs are to be written, because these stand before the comment.
    """
    comment = cython.address(composer.comment)
    last: cython.Py_ssize_t = count - 1
    begin: cython.Py_ssize_t
    while last >= 0 and place_of(composer, notes[last]) != PLACE_TEXT:
        last -= 1
    for place in range(PLACE_NAGS if symbols else 0, PLACES):
        for index in range(count):
            if place_of(composer, notes[index]) != place:
                continue
            begin = comment.size
            if begin:
                put_letters(composer, b" ", 1)
            if put_part(composer, group, notes[index], index == last) == IS_RICH:
                return IS_RICH
            if comment.size == begin + 1 and begin:
                comment.size = begin
    return WRITTEN


def is_in_order(view, order):
    """Return whether the annotations of each move are in the order in which they will be read: before, after, late."""
    sides = view.annotation_side
    moves = view.annotation_move
    for index in range(1, order.count):
        one: cython.int = order.places[index - 1]
        other: cython.int = order.places[index]
        if moves[one] == moves[other] and sides[one] != sides[other]:
            if sides[one] == SIDE_LATE or sides[other] == SIDE_BEFORE:
                return False
    return True


def place_of(composer, note):
    """Return where a command stands in a comment; PLACES or more if it does not."""
    kind: cython.int = composer.view.annotation_kind[note]
    if kind == KIND_WORDS:
        return composer.view.annotation_lang[note] - 1
    if kind == KIND_SYMBOLS or kind == KIND_NAGS:
        return PLACES
    return composer.vocabulary.places[kind] if kind < 256 else PLACE_OTHER


def put_part(composer, group, note, last):
    """Append the part of an annotation to the comment; ``last``: nothing follows it. IS_RICH if kernels cannot."""
    view = composer.view
    kind: cython.int = view.annotation_kind[note]
    begin: cython.Py_ssize_t = view.annotation_data.ends[note]
    if composer.loose and kind == KIND_WORDS:
        length: cython.Py_ssize_t = view.annotation_data.ends[note + 1] - begin
        put_words(
            composer, view.annotation_data.data + begin, length, last or view.annotation_lang[note] != WORDS_OF_TEXT
        )
        return WRITTEN
    if kind == KIND_TEXT_AFTER or kind == KIND_TEXT_BEFORE:
        return put_text(composer, group, note, last)
    if kind == KIND_UNREADABLE:
        return put_error(composer, group, note)
    return put_value(composer, group, note)


def put_words(composer, words, length, last):
    """Append what Python has put into words."""
    zero = cython.cast("const uint8_t*", memchr(words, 0, length)) if length else cython.NULL
    if zero == cython.NULL:
        put_letters(composer, words, length)
    elif last:
        put_letters(composer, words, zero - words)
    else:
        put_letters(composer, zero + 1, length - (zero - words) - 1)


def put_letters(composer, letters, length):
    if length:
        if not grow(cython.address(composer.comment), length):
            composer.failed = True
            return
        memcpy(composer.comment.data + composer.comment.size, letters, length)
        composer.comment.size += length


def open_command(composer, name, language):
    """``[%post:GER``."""
    code: cython.pointer[cython.const[uint8_t]] = composer.vocabulary.languages + 4 * language
    put_letters(composer, b"[%", 2)
    put_letters(composer, cython.cast("const uint8_t*", name), strlen(name))
    if language:
        put_letters(composer, b":", 1)
        put_letters(composer, code, 4 if code[3] else 3 if code[2] else 2 if code[1] else 1)


# --- texts and errors ------------------------------------------------------------------------------------------------


def put_text(composer, group, note, last):
    """A text as it is, if it stands last and is read back just so; else ``[%post:GER text]``."""
    view = composer.view
    begin: cython.Py_ssize_t = view.annotation_data.ends[note]
    length: cython.Py_ssize_t = view.annotation_data.ends[note + 1] - begin
    text = view.annotation_data.data + begin
    side: cython.int = view.annotation_side[note]
    language: cython.int = view.annotation_lang[note]
    before: cython.bint = view.annotation_kind[note] == KIND_TEXT_BEFORE
    if view.annotation_has_raw[note] or before != (side == SIDE_BEFORE) or not is_utf8(text, length):
        return IS_RICH
    if group.about_game:
        if before:
            return IS_RICH
        open_command(composer, b"game", language)
    else:
        if last and side == group.side and language == 0 and is_bare(text, length):
            if has_meaning(composer, text, length):
                return IS_RICH
            put_letters(composer, text, length)
            return WRITTEN
        open_command(
            composer,
            b"pre" if before else b"late" if side == SIDE_LATE and group.side == SIDE_AFTER else b"post",
            language,
        )
    if length:
        put_letters(composer, b" ", 1)
        composer.failed |= not put_escaped(cython.address(composer.comment), text, length, False)
    put_letters(composer, b"]", 1)
    return WRITTEN


def is_bare(text, length):
    """Return whether a text, unless it holds a command, is read back just so from the end of a comment."""
    if length == 0 or text[0] == SPACE or text[length - 1] == SPACE:
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


def has_meaning(composer, text, length):
    """Return whether a text holds a command that means something, or might."""
    command: Command
    closed: cython.bint = True  # behind a command that nothing closes there is no other
    place: cython.Py_ssize_t = 0
    while place < length - 1:
        if text[place] == OPEN_BRACKET and text[place + 1] == PERCENT:
            if length - place >= 5 and memcmp(text + place, b"[%raw", 5) == 0:
                return True
            if not closed:
                place += 2
                continue
            command = command_at(text, place, length, composer.vocabulary.commands, composer.vocabulary.commands_length)
            if means_something(command.name):
                return True
            closed = not command.unclosed
            if command.name != COMMAND_NONE:
                place = command.arguments_end  # no command begins inside of another
        place += 1
    return False


def put_error(composer, group, note):
    """``[%error illegal "Nf9 e5"]``, which is late wherever it is read; a variation stands where the comment does."""
    view = composer.view
    begin: cython.Py_ssize_t = view.annotation_data.ends[note]
    length: cython.Py_ssize_t = view.annotation_data.ends[note + 1] - begin
    text = view.annotation_data.data + begin
    side: cython.int = view.annotation_side[note]
    variation: cython.bint = length and text[0] == OPEN_PAREN
    if view.annotation_has_raw[note] or view.annotation_lang[note] >= REASONS or not is_utf8(text, length):
        return IS_RICH
    if not composer.loose and (
        group.about_game
        or side != (group.side if variation else SIDE_LATE)
        or (
            variation and side == SIDE_LATE  # it would change places with the rest of the line
        )
    ):
        return IS_RICH
    put_letters(composer, b"[%error ", 8)
    word: cython.p_const_char = reason_word(view.annotation_lang[note])
    put_letters(composer, cython.cast("const uint8_t*", word), strlen(word))
    put_letters(composer, b' "', 2)
    composer.failed |= not put_escaped(cython.address(composer.comment), text, length, True)
    put_letters(composer, b'"]', 2)
    return WRITTEN


# --- values ----------------------------------------------------------------------------------------------------------


def put_value(composer, group, note):
    """``[%clk 1:29:45]``, ``[%medal tactics]``."""
    view = composer.view
    kind: cython.int = view.annotation_kind[note]
    clock: cython.bint = kind == KIND_WHITE_CLOCK or kind == KIND_BLACK_CLOCK
    if group.about_game:
        composer.changed |= not composer.values_of_game  # it will stand before the first move
    elif view.annotation_side[note] != group.side or (clock and view.annotation_move[note] < 0):
        return IS_RICH
    if can_write(view, note) and (not view.annotation_has_raw[note] or fits_spelling(view, note)):
        put_common_value(composer, note, group.black)
        return WRITTEN
    if not is_exact(
        view,
        note,
        composer.vocabulary.commands,
        composer.vocabulary.commands_length,
        True,
        cython.address(composer.room),
    ):
        return IS_RICH
    put_command(
        view,
        note,
        composer.vocabulary.commands,
        composer.vocabulary.commands_length,
        True,
        cython.address(composer.comment),
    )
    return WRITTEN


def put_common_value(composer, note, black):
    """``[%clk 1:29:45]``, ``[%csl Ge4,Re5]``."""
    view = composer.view
    kind: cython.int = view.annotation_kind[note]
    spelling: uint8_t[LONGEST_VALUE]
    place: cython.Py_ssize_t = view.annotation_data.ends[note]
    end: cython.Py_ssize_t = view.annotation_data.ends[note + 1]
    first: cython.Py_ssize_t = place
    open_command(composer, name_of_value(kind, black), 0)
    if kind == KIND_SQUARES or kind == KIND_ARROWS:
        while place < end:
            put_letters(composer, b" " if place == first else b",", 1)
            put_letters(composer, spelling, format_mark(kind, view.annotation_data.data + place, False, spelling))
            place += 3 if kind == KIND_ARROWS else 2
    else:
        put_letters(composer, b" ", 1)
        put_letters(composer, spelling, spelling_of(view, note, False, spelling))
    put_letters(composer, b"]", 1)
