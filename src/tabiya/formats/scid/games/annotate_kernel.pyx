"""Annotations in the writer of game data: Scid has NAGs and one comment after a move, and a comment before a line.

A plain text is a comment unchanged. All other annotations become a comment with commands; texts before a move in the
middle of a line, and late ones, go into the comment after the move before. Linear in number and length of annotations.
"""

from libc.stdint cimport int32_t, uint8_t
from libc.string cimport memchr, memcpy

from tabiya.chess.board cimport BLACK
from tabiya.chess.letters cimport OPEN_BRACKET, PERCENT
from tabiya.formats.scid.games.codes cimport CODE_COMMENT, CODE_NAG, MOST_NAGS
from tabiya.formats.scid.games.writing cimport DERIVED_COMMENTS, DERIVED_NAGS, LOST_NAGS, put_code
from tabiya.game.annotation_order cimport is_annotated
from tabiya.game.annotations.compose_kernel cimport put_parts
from tabiya.game.annotations.composing cimport IS_RICH, KIND_WORDS, WRITTEN, Group
from tabiya.game.annotations.kinds cimport KIND_NAGS, KIND_TEXT_AFTER, KIND_TEXT_BEFORE
from tabiya.game.batch_view cimport View
from tabiya.game.columns cimport SIDE_AFTER, SIDE_BEFORE, SIDE_LATE
from tabiya.game.growing cimport grow
from tabiya.game.sink_kernel cimport is_nags, nags_are_canonical
from tabiya.game.tape_kernel cimport VARIATION_BEGIN
from tabiya.game.utf8 cimport is_utf8
from tabiya.game.walk cimport coming

cdef int BOTH_SIDES = -1
cdef int WHOLE_GAME = -1  # the move of annotations of the whole game
cdef int SIGN = 1


cdef int write_opening(Writer* writer) noexcept nogil:
    """Write the comment before the first move: annotations of the game, then those before the move."""
    cdef int note
    walk = &writer.walk
    order = &walk.order
    composer = &writer.composer
    cdef Group group
    group.symbols = group.goes_on = group.black = False
    cdef bint about = order.firsts[0] > order.firsts[WHOLE_GAME]
    composer.comment.size = 0
    if about and not composer.loose:
        group.about_game = True
        group.side = SIDE_AFTER
        writer.group.size = 0
        gather(writer, WHOLE_GAME, BOTH_SIDES)
        notes = <int32_t*> writer.group.data
        if put_parts(composer, &group, notes, writer.group.size // 4, True) == IS_RICH:
            return IS_RICH
        group.about_game = False
        writer.group.size = 0
        gather(writer, WHOLE_GAME, SIDE_LATE)
        notes = <int32_t*> writer.group.data
        if put_parts(composer, &group, notes, writer.group.size // 4, False) == IS_RICH:
            return IS_RICH
        writer.composed = True
        for index in range(order.firsts[WHOLE_GAME], order.firsts[0]):
            note = order.places[index]
            if is_nags(writer.view.annotation_kind[note]) or writer.view.annotation_side[note] == SIDE_BEFORE:
                return IS_RICH  # a game has no NAGs, and nothing precedes it
    writer.group.size = 0
    if about and composer.loose:
        gather(writer, WHOLE_GAME, BOTH_SIDES)
    group.about_game = False
    group.side = SIDE_BEFORE
    group.black = writer.line.played.board.turn == BLACK
    if walk.length:
        gather(writer, 0, SIDE_BEFORE)
        if has_value(writer):
            return IS_RICH  # it would be read as an annotation of the game
    return write_group(writer, &group)


cdef int write_annotations(Writer* writer, int move, int side) noexcept nogil:
    """Write the annotations on one side of a move that are due now."""
    walk = &writer.walk
    cdef int token = coming(walk)
    cdef Group group
    group.side = SIDE_AFTER
    group.symbols = True
    group.goes_on = token < VARIATION_BEGIN
    group.about_game = False
    group.black = writer.line.played.board.turn != BLACK
    if side == SIDE_LATE:
        return WRITTEN  # together with those after the move
    writer.composer.comment.size = 0
    writer.group.size = 0
    if side == SIDE_AFTER:
        gather(writer, move, SIDE_AFTER)
        if token < VARIATION_BEGIN and is_annotated(&walk.order, walk.moves):
            gather(writer, walk.moves, SIDE_BEFORE)
        gather(writer, move, SIDE_LATE)
        return write_group(writer, &group)
    if walk.line.last < 0:
        if walk.depth == 0:
            return WRITTEN  # together with the opening
        group.side = SIDE_BEFORE
        group.black = not group.black
    elif not walk.line.after_variation and is_annotated(&walk.order, walk.line.last):
        return WRITTEN  # together with those after the last move
    gather(writer, move, SIDE_BEFORE)
    if walk.line.after_variation and writer.group.size:
        return IS_RICH  # its position has already been written
    return write_group(writer, &group)


cdef void gather(Writer* writer, int move, int side) noexcept nogil:
    """Add the annotations on one side of a move to the group; BOTH_SIDES are all that are not late."""
    cdef int note
    cdef int here
    order = &writer.walk.order
    cdef Py_ssize_t count = order.firsts[move + 1] - order.firsts[move]
    if not grow(&writer.group, 4 * count):
        writer.failed = True
        return
    notes = <int32_t*> writer.group.data
    for index in range(order.firsts[move], order.firsts[move + 1]):
        note = order.places[index]
        here = writer.view.annotation_side[note]
        if here == side or (side == BOTH_SIDES and here != SIDE_LATE):
            notes[writer.group.size // 4] = note
            writer.group.size += 4


cdef bint has_value(const Writer* writer) noexcept nogil:
    """Return whether the group contains anything but texts."""
    cdef int kind
    notes = <int32_t*> writer.group.data
    for index in range(writer.group.size // 4):
        kind = writer.view.annotation_kind[notes[index]]
        if kind != KIND_TEXT_BEFORE and kind != KIND_TEXT_AFTER and kind != KIND_WORDS:
            return True
    return False


cdef int write_group(Writer* writer, const Group* group) noexcept nogil:
    """Write the NAGs of the group, and one comment after the pending one."""
    view = writer.view
    composer = &writer.composer
    notes = <int32_t*> writer.group.data
    cdef Py_ssize_t count = writer.group.size // 4
    cdef int others = 0
    cdef Py_ssize_t other = 0
    cdef bint found = False
    for index in range(count):
        if not is_nags(view.annotation_kind[notes[index]]):
            others += 1
            other = notes[index]
        elif found or not group.symbols or view.annotation_side[notes[index]] != SIDE_AFTER:
            if not composer.loose:
                return IS_RICH
        else:
            found = True
            if write_nags(writer, notes[index]) == IS_RICH:
                return IS_RICH
    cdef Py_ssize_t begin = view.annotation_data.ends[other] if others else 0
    if others == 1 and composer.comment.size == 0 and is_plain(writer, group, other):
        write_comment(writer, view.annotation_data.data + begin, view.annotation_data.ends[other + 1] - begin)
        return WRITTEN
    if others:
        writer.composed = True
        if put_parts(composer, group, notes, count, found) == IS_RICH:
            return IS_RICH
    if composer.comment.size:
        write_comment(writer, composer.comment.data, composer.comment.size)
    return WRITTEN


cdef bint is_plain(const Writer* writer, const Group* group, Py_ssize_t note) noexcept nogil:
    """Return whether a text is a comment unchanged, or has been rendered by Python."""
    view = writer.view
    cdef Py_ssize_t begin = view.annotation_data.ends[note]
    cdef Py_ssize_t length = view.annotation_data.ends[note + 1] - begin
    text = view.annotation_data.data + begin
    if view.annotation_kind[note] == KIND_WORDS:
        return writer.composer.loose
    return (
        view.annotation_kind[note] == (KIND_TEXT_BEFORE if group.side == SIDE_BEFORE else KIND_TEXT_AFTER)
        and view.annotation_side[note] == group.side
        and view.annotation_lang[note] == 0
        and not view.annotation_has_raw[note]
        and length > 0
        and memchr(text, 0, length) == NULL
        and is_utf8(text, length)
        and not has_bracket(text, length)
    )


cdef bint has_bracket(const uint8_t* text, Py_ssize_t length) noexcept nogil:
    """Return whether a text contains ``[%``."""
    for at in range(length - 1):
        if text[at] == OPEN_BRACKET and text[at + 1] == PERCENT:
            return True
    return False


cdef void write_comment(Writer* writer, const uint8_t* text, Py_ssize_t length) noexcept nogil:
    """Write the code of a comment, and its text with a terminating zero; nothing for an empty one."""
    texts = &writer.texts
    if length == 0:
        return
    put_code(writer, CODE_COMMENT)
    writer.derived[DERIVED_COMMENTS] += 1
    if not grow(texts, length + 1):
        writer.failed = True
        return
    memcpy(texts.data + texts.size, text, length)
    texts.data[texts.size + length] = 0
    texts.size += length + 1


# --- NAGs ------------------------------------------------------------------------------------------------------------


cdef int write_nags(Writer* writer, Py_ssize_t note) noexcept nogil:
    """Write a list of NAGs, without those that Scid cannot store: only the first of a group, and at most seven.

    Scid expects the sign of a move first.
    """
    view = writer.view
    cdef bint wide = view.annotation_kind[note] == KIND_NAGS
    cdef Py_ssize_t count = (view.annotation_data.ends[note + 1] - view.annotation_data.ends[note]) >> wide
    cdef int groups = 0
    cdef int written = 0
    cdef Py_ssize_t sign = -1
    cdef int nag
    cdef bint earlier = False
    if not writer.composer.loose and (
        view.annotation_has_raw[note] or view.annotation_lang[note] or not nags_are_canonical(view, note)
    ):
        return IS_RICH
    for index in range(count):
        nag = nag_at(view, note, index)
        if sign < 0 and nag_group(nag) == SIGN:
            sign = index
            put_nag(writer, nag)
            groups = written = 1
            writer.composer.changed |= earlier
        earlier |= wide or nag != 0
    for index in range(count):
        nag = nag_at(view, note, index)
        if index == sign or (nag == 0 and not wide):  # an empty slot
            continue
        if not 0 < nag < 256 or groups & nag_group(nag) or written == MOST_NAGS:
            writer.derived[LOST_NAGS] += 1
            continue
        groups |= nag_group(nag)
        written += 1
        put_nag(writer, nag)
    return WRITTEN


cdef int nag_at(const View* view, Py_ssize_t note, Py_ssize_t index) noexcept nogil:
    """Return a NAG of a list."""
    data = view.annotation_data.data + view.annotation_data.ends[note]
    return data[2 * index] | data[2 * index + 1] << 8 if view.annotation_kind[note] == KIND_NAGS else data[index]


cdef void put_nag(Writer* writer, int nag) noexcept nogil:
    writer.derived[DERIVED_NAGS] += 1
    put_code(writer, CODE_NAG)
    put_code(writer, nag)


cdef int nag_group(int nag) noexcept nogil:
    """Return the group of which Scid keeps one NAG per move: signs of moves, assessments; 0 for none."""
    return SIGN if 1 <= nag <= 6 else 2 if 10 <= nag <= 21 else 0
