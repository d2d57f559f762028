"""Annotations in the writer of jose's game texts: how they are grouped, and whether the stream can express them.

NAGs, plain texts and errors have codes of their own. If a group of annotations contains anything else, its NAGs are
written as codes and all the rest as one comment with commands. Linear in number and length of the annotations.
"""

from libc.stdint cimport int32_t, uint8_t
from libc.string cimport memchr

from tabiya.chess.board cimport BLACK
from tabiya.chess.letters cimport OPEN_PAREN
from tabiya.formats.jose.moves_kernel cimport CODE_COMMENT, CODE_NAG, LAST_ERROR, LAST_NAG_CODE
from tabiya.formats.jose.texts cimport has_command, put_cesu8
from tabiya.formats.jose.writing cimport ATTRIBUTE_COMMENTS, ATTRIBUTE_ERRORS, put_code
from tabiya.game.annotation_order cimport has_side, is_annotated
from tabiya.game.annotations.compose_kernel cimport put_part, put_parts
from tabiya.game.annotations.composing cimport IS_RICH, KIND_WORDS, WHOLE_COMMENT, WRITTEN, Group
from tabiya.game.annotations.kinds cimport KIND_NAGS, KIND_TEXT_AFTER, KIND_TEXT_BEFORE, KIND_UNREADABLE
from tabiya.game.batch_view cimport View
from tabiya.game.columns cimport SIDE_AFTER, SIDE_BEFORE, SIDE_LATE
from tabiya.game.growing cimport Bytes, grow
from tabiya.game.sink_kernel cimport is_nags, nags_are_canonical
from tabiya.game.tape_kernel cimport VARIATION_BEGIN
from tabiya.game.utf8 cimport is_utf8
from tabiya.game.walk cimport coming

# Selection of the annotations on one side of a move.
cdef enum:
    ALL = 0
    NO_RESTS = 1
    RESTS = 2
    NOT_LATE = 3            # on both other sides


# --- positions -------------------------------------------------------------------------------------------------------


cdef int write_annotations(Writer* writer, int move, int side) noexcept nogil:
    """Write the annotations on one side of a move.

    Those before a move without a preceding variation, and late ones without a following variation, would not be read as
    such: they go into the comment after the last move, with commands that state their position.
    """
    walk = &writer.walk
    cdef int token = coming(walk)
    cdef Group group
    group.side = SIDE_AFTER
    group.symbols = True
    group.goes_on = token < VARIATION_BEGIN
    group.about_game = False
    group.black = writer.line.played.board.turn != BLACK
    if side == SIDE_LATE:
        return write_late(writer, move)
    writer.group.size = 0
    if side == SIDE_AFTER:
        gather(writer, move, SIDE_AFTER, ALL)
        if token < VARIATION_BEGIN:
            if is_annotated(&walk.order, walk.moves):
                gather(writer, walk.moves, SIDE_BEFORE, ALL)
            gather(writer, move, SIDE_LATE, ALL)
        elif token != VARIATION_BEGIN:
            gather(writer, move, SIDE_LATE, NO_RESTS)
        return write_group(writer, &group)
    if walk.line.last < 0 or walk.line.after_variation:
        group.side = SIDE_BEFORE
        group.symbols = walk.line.last < 0
        group.goes_on = False
        group.black = not group.black
    elif is_annotated(&walk.order, walk.line.last):
        return WRITTEN  # together with those after the last move
    gather(writer, move, SIDE_BEFORE, ALL)
    return write_group(writer, &group)


cdef int write_late(Writer* writer, int move) noexcept nogil:
    """Write late annotations, unless they were written with those after the move."""
    walk = &writer.walk
    cdef int answer = WRITTEN
    cdef Group group
    if coming(walk) < VARIATION_BEGIN:
        return IS_RICH if walk.line.after_variation and has_side(&walk.order, writer.view, move, SIDE_LATE) else WRITTEN
    if walk.line.after_variation:
        group.side = SIDE_LATE
        group.symbols = group.goes_on = group.about_game = False
        group.black = writer.line.played.board.turn != BLACK
        writer.group.size = 0
        gather(writer, move, SIDE_LATE, NO_RESTS)
        answer = write_group(writer, &group)
    writer.group.size = 0
    gather(writer, move, SIDE_LATE, RESTS)
    notes = <int32_t*> writer.group.data
    for index in range(writer.group.size // 4):
        write_plain(writer, notes[index])
    return answer


cdef int write_about(Writer* writer) noexcept nogil:
    """Write the annotations of the whole game into a comment before the first move."""
    cdef Group group
    writer.group.size = 0
    gather(writer, -1, SIDE_AFTER, NOT_LATE)
    if writer.group.size == 0:
        return WRITTEN
    group.side = SIDE_AFTER
    group.symbols = group.goes_on = group.black = False
    group.about_game = True
    return compose(writer, &group)


cdef int write_behind_result(Writer* writer) noexcept nogil:
    """Write the annotations after the result, or in a game without moves."""
    cdef Group group
    group.side = SIDE_LATE
    group.symbols = group.goes_on = True
    group.about_game = group.black = False
    writer.group.size = 0
    gather(writer, -1, SIDE_LATE, ALL)
    return write_group(writer, &group)


cdef void gather(Writer* writer, int move, int side, int which) noexcept nogil:
    """Add the annotations on one side of a move, or all that are not late, to the group."""
    cdef int note
    order = &writer.walk.order
    cdef Py_ssize_t count = order.firsts[move + 1] - order.firsts[move]
    cdef bint chosen
    if not grow(&writer.group, 4 * count):
        writer.failed = True
        return
    notes = <int32_t*> writer.group.data
    for index in range(order.firsts[move], order.firsts[move + 1]):
        note = order.places[index]
        if which == NOT_LATE:
            chosen = writer.view.annotation_side[note] != SIDE_LATE
        else:
            chosen = writer.view.annotation_side[note] == side and (
                which == ALL or is_rest(writer.view, note) == (which == RESTS)
            )
        if chosen:
            notes[writer.group.size // 4] = note
            writer.group.size += 4


# --- groups ----------------------------------------------------------------------------------------------------------


cdef int write_group(Writer* writer, const Group* group) noexcept nogil:
    """Write annotations one by one if all can be written unchanged, else as NAGs and one comment."""
    notes = <int32_t*> writer.group.data
    kinds = writer.view.annotation_kind
    cdef Py_ssize_t count = writer.group.size // 4
    for index in range(count):
        # Consecutive NAGs would be read as one list.
        if (index and is_nags(kinds[notes[index]]) and is_nags(kinds[notes[index - 1]])) or not is_plain(
            writer, group, notes[index]
        ):
            return compose(writer, group)
    for index in range(count):
        write_plain(writer, notes[index])
    return WRITTEN


cdef int compose(Writer* writer, const Group* group) noexcept nogil:
    """Write a group as codes for its NAGs and one comment for the rest."""
    view = writer.view
    notes = <int32_t*> writer.group.data
    cdef bint found = False
    cdef bint symbols = group.about_game  # NAGs must be written as text
    writer.composed = True
    for index in range(writer.group.size // 4):
        if is_nags(view.annotation_kind[notes[index]]):
            if not writer.composer.loose and (found or not group.symbols or not is_plain(writer, group, notes[index])):
                return IS_RICH
            found = True
            if group.symbols:
                symbols = True
                write_nags(writer, notes[index])
    writer.composer.comment.size = 0
    if put_parts(&writer.composer, group, notes, writer.group.size // 4, symbols) == IS_RICH:
        return IS_RICH
    write_comment(writer)
    for index in range(writer.group.size // 4):
        if view.annotation_kind[notes[index]] == KIND_WORDS and view.annotation_lang[notes[index]] == WHOLE_COMMENT:
            writer.composer.comment.size = 0
            put_part(&writer.composer, group, notes[index], True)
            write_comment(writer)
    return WRITTEN


cdef void write_comment(Writer* writer) noexcept nogil:
    """Write the pending comment, unless it is empty."""
    if writer.composer.comment.size:
        writer.attributes |= ATTRIBUTE_COMMENTS
        write_text(writer, CODE_COMMENT, writer.composer.comment.data, writer.composer.comment.size)


cdef void write_text(Writer* writer, int code, const uint8_t* text, Py_ssize_t length) noexcept nogil:
    """Write the code of a text, and the text with a terminating zero."""
    cdef Bytes* out = &writer.texts
    put_code(writer, code)
    if writer.inline_texts:
        out = &writer.codes
    if not put_cesu8(out, text, length) or not grow(out, 1):
        writer.failed = True
        return
    out.data[out.size] = 0
    out.size += 1


# --- annotations written unchanged -----------------------------------------------------------------------------------


cdef bint is_rest(const View* view, Py_ssize_t note) noexcept nogil:
    """Return whether this is the rest of a line that could not be read; one that begins with ``(`` is a variation."""
    cdef Py_ssize_t begin = view.annotation_data.ends[note]
    if view.annotation_kind[note] != KIND_UNREADABLE or not is_error(view, note):
        return False
    return view.annotation_data.ends[note + 1] == begin or view.annotation_data.data[begin] != OPEN_PAREN


cdef bint is_error(const View* view, Py_ssize_t note) noexcept nogil:
    return view.annotation_lang[note] < LAST_ERROR and not view.annotation_has_raw[note] and is_storable(view, note)


cdef bint is_storable(const View* view, Py_ssize_t note) noexcept nogil:
    cdef Py_ssize_t begin = view.annotation_data.ends[note]
    cdef Py_ssize_t length = view.annotation_data.ends[note + 1] - begin
    text = view.annotation_data.data + begin
    return length == 0 or (memchr(text, 0, length) == NULL and is_utf8(text, length))


cdef bint is_plain(const Writer* writer, const Group* group, Py_ssize_t note) noexcept nogil:
    """Return whether an annotation written here unchanged will be read back at this position."""
    view = writer.view
    cdef int kind = view.annotation_kind[note]
    cdef Py_ssize_t begin = view.annotation_data.ends[note]
    cdef Py_ssize_t length = view.annotation_data.ends[note + 1] - begin
    if kind == KIND_WORDS:
        return writer.composer.loose and view.annotation_lang[note] == WHOLE_COMMENT
    if view.annotation_side[note] != group.side or view.annotation_has_raw[note]:
        return False
    if is_nags(kind):
        return group.symbols and has_codes(view, note)
    if kind == (KIND_TEXT_BEFORE if group.side == SIDE_BEFORE else KIND_TEXT_AFTER):
        return (
            view.annotation_lang[note] == 0
            and is_storable(view, note)
            and not has_command(view.annotation_data.data + begin, length)
        )
    if kind != KIND_UNREADABLE or not is_error(view, note):
        return False
    if group.side == SIDE_BEFORE:
        return group.symbols
    return group.goes_on or (group.side == SIDE_AFTER and length and view.annotation_data.data[begin] == OPEN_PAREN)


cdef void write_plain(Writer* writer, Py_ssize_t note) noexcept nogil:
    """Write an annotation that can be written unchanged."""
    view = writer.view
    cdef Py_ssize_t begin = view.annotation_data.ends[note]
    cdef int code = CODE_COMMENT
    if is_nags(view.annotation_kind[note]):
        write_nags(writer, note)
        return
    if view.annotation_kind[note] == KIND_UNREADABLE:
        writer.attributes |= ATTRIBUTE_ERRORS
        code += 1 + view.annotation_lang[note]
    else:
        writer.attributes |= ATTRIBUTE_COMMENTS
    write_text(writer, code, view.annotation_data.data + begin, view.annotation_data.ends[note + 1] - begin)


# --- NAGs ------------------------------------------------------------------------------------------------------------


cdef bint has_codes(const View* view, Py_ssize_t note) noexcept nogil:
    """Return whether jose has codes for a list of NAGs, and it is stored in the form that reading produces."""
    data = view.annotation_data.data
    cdef Py_ssize_t begin = view.annotation_data.ends[note]
    cdef Py_ssize_t end = view.annotation_data.ends[note + 1]
    if not nags_are_canonical(view, note):
        return False
    if view.annotation_kind[note] == KIND_NAGS:
        for at in range(begin, end, 2):
            if data[at + 1]:
                return False
    return True


cdef void write_nags(Writer* writer, Py_ssize_t note) noexcept nogil:
    """Write the codes of a list of NAGs."""
    data = writer.view.annotation_data.data
    cdef Py_ssize_t begin = writer.view.annotation_data.ends[note]
    cdef Py_ssize_t end = writer.view.annotation_data.ends[note + 1]
    cdef bint wide = writer.view.annotation_kind[note] == KIND_NAGS
    writer.attributes |= ATTRIBUTE_COMMENTS
    while begin < end:
        if 0 < data[begin] <= LAST_NAG_CODE:
            put_code(writer, CODE_NAG + data[begin])
        elif data[begin] or wide:
            put_code(writer, CODE_NAG)
            put_code(writer, data[begin])
        begin += 1 + wide
