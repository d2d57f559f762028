"""Composes the parts of a comment from annotations: commands, and a text. For writers of formats with comments.

Tests verify that every part equals the output of the classes of ``tabiya.game.annotations`` and is read back as the
same annotation; all other annotations are left to Python. Linear in the length of the parts.
"""

from libc.stdint cimport uint8_t
from libc.stdlib cimport free
from libc.string cimport memchr, memcmp, memcpy, memset, strlen

from tabiya.chess.letters cimport CLOSE_BRACE, DELETE, OPEN_BRACKET, OPEN_PAREN, PERCENT, SPACE
from tabiya.game.annotations.commands cimport (
    COMMAND_NONE, REASONS, Command, command_at, has_command, is_known_command, name_of_value, reason_word
)
from tabiya.game.annotations.composing cimport (
    IS_RICH, KIND_WORDS, PLACE_NAGS, PLACE_OTHER, PLACE_TEXT, PLACES, WORDS_OF_TEXT, WRITTEN, note_count, note_list
)
from tabiya.game.annotations.escapes cimport put_escaped
from tabiya.game.annotations.forms_kernel cimport (
    LONGEST_VALUE, can_write, fits_spelling, format_mark, is_exact, put_command, spelling_of
)
from tabiya.game.annotations.kinds cimport (
    KIND_ARROWS, KIND_BLACK_CLOCK, KIND_NAGS, KIND_SQUARES, KIND_SYMBOLS, KIND_TEXT_AFTER, KIND_TEXT_BEFORE,
    KIND_UNREADABLE, KIND_WHITE_CLOCK
)
from tabiya.game.columns cimport SIDE_AFTER, SIDE_BEFORE, SIDE_LATE
from tabiya.game.growing cimport Bytes, grow
from tabiya.game.sink_kernel cimport nags_are_canonical
from tabiya.game.utf8 cimport is_utf8
from tabiya.game.view_kernel cimport BatchView

import numpy as np


cdef int open_composer(
    Composer* composer, const View* view, bint loose, bytes commands, bytes places, bytes languages
) except -1:
    """Prepare a composer, whose bytes are zero, for a batch. It uses the memory of the three tables."""
    if len(places) != 256 or len(languages) != 1024:
        raise ValueError("the vocabulary is not complete")
    composer.view = view
    composer.loose = loose
    composer.vocabulary.commands = commands
    composer.vocabulary.commands_length = len(commands)
    composer.vocabulary.places = places
    composer.vocabulary.languages = languages
    return 0


cdef void free_composer(Composer* composer) noexcept nogil:
    free(composer.notes.data)
    free(composer.comment.data)
    free(composer.scratch.data)


cdef int put_parts(Composer* composer, const Group* group, bint symbols) noexcept nogil:
    """Append the annotations at this place to the comment: commands in the order of their places, texts last.

    ``symbols``: also write words about NAGs, because the NAGs precede the comment.
    """
    comment = &composer.comment
    notes = note_list(composer)
    cdef Py_ssize_t count = note_count(composer)
    cdef Py_ssize_t last = count - 1
    cdef Py_ssize_t begin
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


cdef bint is_storable(const View* view, Py_ssize_t note) noexcept nogil:
    """Return whether the data of an annotation is a text without a zero, which ends it in a file."""
    cdef Py_ssize_t begin = view.annotation_data.ends[note]
    cdef Py_ssize_t length = view.annotation_data.ends[note + 1] - begin
    text = view.annotation_data.data + begin
    return length == 0 or (memchr(text, 0, length) == NULL and is_utf8(text, length))


cdef bint is_plain_text(const View* view, int side, Py_ssize_t note) noexcept nogil:
    """Return whether an annotation is a text on this side of a move that is read back from a comment unchanged."""
    cdef Py_ssize_t begin = view.annotation_data.ends[note]
    return (
        view.annotation_kind[note] == (KIND_TEXT_BEFORE if side == SIDE_BEFORE else KIND_TEXT_AFTER)
        and view.annotation_side[note] == side
        and view.annotation_lang[note] == 0
        and not view.annotation_has_raw[note]
        and is_storable(view, note)
        and not has_command(view.annotation_data.data + begin, view.annotation_data.ends[note + 1] - begin)
    )


cdef bint is_read_back(const Composer* composer, const AnnotationOrder* order) noexcept nogil:
    """Return whether the annotations of each move are read back in their order: before, after, late."""
    cdef int one
    cdef int other
    sides = composer.view.annotation_side
    moves = composer.view.annotation_move
    if composer.loose or not composer.composed:
        return True
    for index in range(1, order.count):
        one = order.places[index - 1]
        other = order.places[index]
        if moves[one] == moves[other] and sides[one] != sides[other]:
            if sides[one] == SIDE_LATE or sides[other] == SIDE_BEFORE:
                return False
    return True


cdef int place_of(const Composer* composer, Py_ssize_t note) noexcept nogil:
    """Return the place of a command in a comment; PLACES or more if it has none."""
    cdef int kind = composer.view.annotation_kind[note]
    if kind == KIND_WORDS:
        return composer.view.annotation_lang[note] - 1
    if kind == KIND_SYMBOLS or kind == KIND_NAGS:
        return PLACES
    return composer.vocabulary.places[kind] if kind < 256 else PLACE_OTHER


cdef int put_part(Composer* composer, const Group* group, Py_ssize_t note, bint last) noexcept nogil:
    """Append the part of an annotation to the comment; ``last``: it ends the comment. IS_RICH if kernels cannot."""
    cdef Py_ssize_t length
    view = composer.view
    cdef int kind = view.annotation_kind[note]
    cdef Py_ssize_t begin = view.annotation_data.ends[note]
    if kind == KIND_WORDS:
        if not composer.loose:
            if group.about_game:
                composer.changed |= not composer.values_of_game and view.annotation_lang[note] != WORDS_OF_TEXT
            elif view.annotation_side[note] != group.side:
                return IS_RICH
        length = view.annotation_data.ends[note + 1] - begin
        put_words(
            composer, view.annotation_data.data + begin, length, last or view.annotation_lang[note] != WORDS_OF_TEXT
        )
        return WRITTEN
    if kind == KIND_TEXT_AFTER or kind == KIND_TEXT_BEFORE:
        return put_text(composer, group, note, last)
    if kind == KIND_UNREADABLE:
        return put_error(composer, group, note)
    return put_value(composer, group, note)


cdef void put_words(Composer* composer, const uint8_t* words, Py_ssize_t length, bint last) noexcept nogil:
    """Append a text that Python has composed."""
    zero = <const uint8_t*> memchr(words, 0, length) if length else NULL
    if zero == NULL:
        put_letters(composer, words, length)
    elif last:
        put_letters(composer, words, zero - words)
    else:
        put_letters(composer, zero + 1, length - (zero - words) - 1)


cdef void put_letters(Composer* composer, const uint8_t* letters, Py_ssize_t length) noexcept nogil:
    if length:
        if not grow(&composer.comment, length):
            composer.failed = True
            return
        memcpy(composer.comment.data + composer.comment.size, letters, length)
        composer.comment.size += length


cdef void open_command(Composer* composer, const char* name, int language) noexcept nogil:
    """``[%post:GER``."""
    cdef const uint8_t* code = composer.vocabulary.languages + 4 * language
    put_letters(composer, b"[%", 2)
    put_letters(composer, <const uint8_t*> name, strlen(name))
    if language:
        put_letters(composer, b":", 1)
        put_letters(composer, code, 4 if code[3] else 3 if code[2] else 2 if code[1] else 1)


# --- texts and errors ------------------------------------------------------------------------------------------------


cdef int put_text(Composer* composer, const Group* group, Py_ssize_t note, bint last) noexcept nogil:
    """Append a text as it is, if it is last and read back unchanged; else ``[%post:GER text]``."""
    view = composer.view
    cdef Py_ssize_t begin = view.annotation_data.ends[note]
    cdef Py_ssize_t length = view.annotation_data.ends[note + 1] - begin
    text = view.annotation_data.data + begin
    cdef int side = view.annotation_side[note]
    cdef int language = view.annotation_lang[note]
    cdef bint before = view.annotation_kind[note] == KIND_TEXT_BEFORE
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
        composer.failed |= not put_escaped(&composer.comment, text, length, False)
    put_letters(composer, b"]", 1)
    return WRITTEN


cdef bint is_bare(const uint8_t* text, Py_ssize_t length) noexcept nogil:
    """Return whether a text without commands is read back unchanged from the end of a comment."""
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


cdef bint has_meaning(const Composer* composer, const uint8_t* text, Py_ssize_t length) noexcept nogil:
    """Return whether a text contains a command that has, or may have, a meaning."""
    cdef Command command
    cdef bint closed = True  # after an unclosed command there is no other
    cdef Py_ssize_t place = 0
    while place < length - 1:
        if text[place] == OPEN_BRACKET and text[place + 1] == PERCENT:
            if length - place >= 5 and memcmp(text + place, b"[%raw", 5) == 0:
                return True
            if not closed:
                place += 2
                continue
            command = command_at(text, place, length, composer.vocabulary.commands, composer.vocabulary.commands_length)
            if is_known_command(command.name):
                return True
            closed = not command.unclosed
            if command.name != COMMAND_NONE:
                place = command.arguments_end  # commands do not nest
        place += 1
    return False


cdef int put_error(Composer* composer, const Group* group, Py_ssize_t note) noexcept nogil:
    """``[%error illegal "Nf9 e5"]``, which is always read as late; a variation takes the place of the comment."""
    view = composer.view
    cdef Py_ssize_t begin = view.annotation_data.ends[note]
    cdef Py_ssize_t length = view.annotation_data.ends[note + 1] - begin
    text = view.annotation_data.data + begin
    cdef int side = view.annotation_side[note]
    cdef bint variation = length and text[0] == OPEN_PAREN
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
    cdef const char* word = reason_word(view.annotation_lang[note])
    put_letters(composer, <const uint8_t*> word, strlen(word))
    put_letters(composer, b' "', 2)
    composer.failed |= not put_escaped(&composer.comment, text, length, True)
    put_letters(composer, b'"]', 2)
    return WRITTEN


# --- values ----------------------------------------------------------------------------------------------------------


cdef int put_value(Composer* composer, const Group* group, Py_ssize_t note) noexcept nogil:
    """``[%clk 1:29:45]``, ``[%medal tactics]``."""
    view = composer.view
    cdef int kind = view.annotation_kind[note]
    cdef bint clock = kind == KIND_WHITE_CLOCK or kind == KIND_BLACK_CLOCK
    if group.about_game:
        composer.changed |= not composer.values_of_game  # it will precede the first move
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
        &composer.scratch,
    ):
        return IS_RICH
    put_command(view, note, composer.vocabulary.commands, composer.vocabulary.commands_length, &composer.comment)
    return WRITTEN


cdef void put_common_value(Composer* composer, Py_ssize_t note, bint black) noexcept nogil:
    """``[%clk 1:29:45]``, ``[%csl Ge4,Re5]``."""
    view = composer.view
    cdef int kind = view.annotation_kind[note]
    cdef uint8_t spelling[LONGEST_VALUE]
    cdef Py_ssize_t place = view.annotation_data.ends[note]
    cdef Py_ssize_t end = view.annotation_data.ends[note + 1]
    cdef Py_ssize_t first = place
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
    memset(&room, 0, sizeof(Bytes))
    with nogil:
        for record in range(view.records):
            for index in range(view.annotation_ends[record], view.annotation_ends[record + 1]):
                out[index] = is_rare(view, index, names, length, &room)
    free(room.data)
    return found


cdef bint is_rare(
    View* view, Py_ssize_t annotation, const uint8_t* rare, Py_ssize_t rare_length, Bytes* room
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
        return not can_write(view, annotation) and not is_exact(view, annotation, rare, rare_length, room)
    if view.annotation_has_raw[annotation]:
        return True
    cdef Py_ssize_t place = 0
    while place < length - 1:
        if text[place] == OPEN_BRACKET and text[place + 1] == PERCENT:
            command = command_at(text, place, length, rare, rare_length)
            if command.unclosed:
                return False
            if is_known_command(command.name):
                return True
            if command.name != COMMAND_NONE:
                place = command.arguments_end  # no command begins inside of another
        place += 1
    return False
