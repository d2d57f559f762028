"""The less common functions of the sink: annotations of NAGs, removing records, and sorting a record's annotations.

It works on the columns of a batch under construction. Everything is linear in the size of the record.
"""

from libc.stdint cimport int32_t, uint8_t
from libc.string cimport memmove, memset

from tabiya.game.columns cimport (
    SIDE_LATE, Strings, annotation_count, close_annotation, close_annotation_with_raw, cut_annotations, cut_strings,
    open_annotation, put_bytes, put_uint16, reserve, string_begin, string_end
)

from tabiya.game.annotations.nags import SLOTS


cdef inline int32_t move_at(const Columns* columns, Py_ssize_t index) noexcept nogil:
    return (<const int32_t*> columns.annotation_move.data)[index]


cdef inline int rank_at(const Columns* columns, Py_ssize_t index) noexcept nogil:
    """Return the sort key of an annotation: move, late ones last within a move; the whole game has rank 0."""
    return 2 * move_at(columns, index) + 2 + (columns.annotation_side.data[index] == SIDE_LATE)


# --- NAGs ------------------------------------------------------------------------------------------------------------


cdef void put_nags(Columns* columns, const uint16_t* nags, Py_ssize_t count, int move, int side) noexcept nogil:
    """Add one annotation of NAGs: symbols if they fit the slots in their order, else the list."""
    data = &columns.annotation_data.data
    cdef uint8_t slots[3]
    cdef int slot
    cdef int filled = 0
    cdef bint fits = True
    slots[0] = slots[1] = slots[2] = 0
    for index in range(count):
        slot = nag_slot(nags[index])
        if slot < filled:
            fits = False
            break
        slots[slot] = nags[index]
        filled = slot + 1
    open_annotation(columns, move, side, KIND_SYMBOLS if fits else KIND_NAGS, 0)
    if fits:
        put_bytes(columns, data, slots, filled)
    else:
        put_bytes(columns, data, <const uint8_t*> nags, 2 * count)  # Arrow's order: little-endian
    close_annotation(columns)


cdef bint nags_are_canonical(const View* view, Py_ssize_t note) noexcept nogil:
    """Return whether an annotation of NAGs is stored in the form of ``put_nags``."""
    cdef const uint8_t* data = view.annotation_data.data
    cdef Py_ssize_t begin = view.annotation_data.ends[note]
    cdef Py_ssize_t end = view.annotation_data.ends[note + 1]
    cdef int filled = 0
    cdef int slot
    if begin == end:
        return False
    if view.annotation_kind[note] == KIND_SYMBOLS:
        for place in range(begin, end):
            if data[place] and nag_slot(data[place]) != place - begin:
                return False
        return data[end - 1] != 0
    for place in range(begin, end - 1, 2):
        slot = nag_slot(data[place] | data[place + 1] << 8)
        if slot < filled:
            return (end - begin) % 2 == 0
        filled = slot + 1
    return False


cdef bint has_nags(const Columns* columns, Py_ssize_t index) noexcept nogil:
    """Return whether an annotation is a list of NAGs, not an invalid payload or one with its own bytes."""
    cdef Py_ssize_t length
    cdef int kind = kind_at(columns, index)
    if not is_nags(kind) or columns.annotation_has_raw.data[index]:
        return False
    data = columns.annotation_data.data.data + string_begin(&columns.annotation_data, index)
    length = string_end(&columns.annotation_data, index) - string_begin(&columns.annotation_data, index)
    if kind == KIND_NAGS:
        return length > 0 and length % 2 == 0
    for place in range(length):
        if data[place]:
            return length <= 3
    return False


cdef void gather_nags(Columns* columns, Py_ssize_t index, Bytes* nags) noexcept nogil:
    """Append the NAGs of an annotation to a list."""
    data = columns.annotation_data.data.data
    cdef Py_ssize_t begin = string_begin(&columns.annotation_data, index)
    cdef Py_ssize_t end = string_end(&columns.annotation_data, index)
    if kind_at(columns, index) == KIND_NAGS:
        put_bytes(columns, nags, data + begin, end - begin)
        return
    for place in range(begin, end):
        if data[place]:
            put_uint16(columns, nags, data[place])


# --- cutting back ----------------------------------------------------------------------------------------------------


cdef void cut_problems(Columns* columns, Py_ssize_t count) noexcept nogil:
    """Remove all problems from number ``count`` on."""
    columns.problem_code.size = 2 * count
    columns.problem_offset.size = 8 * count
    cut_strings(&columns.problem_text, count)


cdef void cut_texts(Columns* columns, Py_ssize_t count) noexcept nogil:
    """Remove all guiding texts from number ``count`` on."""
    columns.text_lang.size = columns.text_format.size = 2 * count
    columns.text_has_formatting.size = count
    cut_strings(&columns.text_title, count)
    cut_strings(&columns.text_body, count)
    cut_strings(&columns.text_formatting, count)


cdef void cut_extras(Columns* columns, Py_ssize_t count) noexcept nogil:
    """Remove all extras from number ``count`` on."""
    cut_strings(&columns.extra_keys, count)
    cut_strings(&columns.extra_values, count)


# --- order -----------------------------------------------------------------------------------------------------------


cdef void order_annotations(Columns* columns, Py_ssize_t first, int moves, Bytes* nags, Bytes* scratch) noexcept nogil:
    """Sort a record's annotations by move, late ones last, else keeping their order.

    Unless ``nags`` is NULL, the NAGs on one side of a move become one annotation. If anything has to be changed, the
    annotations are appended again, in order, and then moved down over the first copy.
    """
    cdef Py_ssize_t count = annotation_count(columns) - first
    cdef Py_ssize_t buckets = 2 * <Py_ssize_t> moves + 2
    cdef int32_t* begins
    cdef int32_t* order
    cdef int32_t total = 0
    cdef int32_t here
    if count < 2 or columns.out_of_memory or is_ordered(columns, first, nags != NULL):
        return
    scratch.size = 0
    if not reserve(columns, scratch, 4 * (buckets + count)):
        return
    begins = <int32_t*> scratch.data
    order = begins + buckets
    memset(begins, 0, 4 * buckets)
    for index in range(first, first + count):
        begins[rank_at(columns, index)] += 1
    for bucket in range(buckets):
        here = begins[bucket]
        begins[bucket] = total
        total += here
    for index in range(first, first + count):
        here = rank_at(columns, index)
        order[begins[here]] = index
        begins[here] += 1
    copy_ordered(columns, order, count, nags)
    move_down(columns, first, count)


cdef bint is_ordered(const Columns* columns, Py_ssize_t first, bint joins_nags) noexcept nogil:
    """Return whether nothing has to be sorted or joined."""
    cdef int rank
    cdef int highest = 0
    cdef int joined = 0  # sides of this move that have NAGs
    for index in range(first, annotation_count(columns)):
        rank = rank_at(columns, index)
        if rank < highest:
            return False
        if rank >> 1 != highest >> 1:
            joined = 0
        highest = rank
        if joins_nags and has_nags(columns, index):
            side = 1 << columns.annotation_side.data[index]
            if joined & side:
                return False
            joined |= side
    return True


cdef void copy_ordered(Columns* columns, const int32_t* order, Py_ssize_t count, Bytes* nags) noexcept nogil:
    """Append the annotations in this order."""
    cdef Py_ssize_t index
    cdef int side
    cdef int joined = 0  # sides of this move whose NAGs have been joined
    cdef int32_t move = -2
    for at in range(count):
        index = order[at]
        if move_at(columns, index) != move:
            move = move_at(columns, index)
            joined = 0
        if nags == NULL or not has_nags(columns, index):
            copy_annotation(columns, index)
            continue
        side = 1 << columns.annotation_side.data[index]
        if not joined & side:
            joined |= side
            join_nags(columns, order + at, count - at, nags)


cdef void join_nags(Columns* columns, const int32_t* order, Py_ssize_t count, Bytes* nags) noexcept nogil:
    """Append one annotation with all NAGs on the side of the move that the first one is on."""
    cdef int32_t move = move_at(columns, order[0])
    cdef int side = columns.annotation_side.data[order[0]]
    cdef Py_ssize_t index
    nags.size = 0
    for at in range(count):
        index = order[at]
        if move_at(columns, index) != move:
            break
        if columns.annotation_side.data[index] == side and has_nags(columns, index):
            gather_nags(columns, index, nags)
    put_nags(columns, <const uint16_t*> nags.data, nags.size // 2, move, side)
    nags.size = 0


cdef void copy_annotation(Columns* columns, Py_ssize_t index) noexcept nogil:
    """Append a copy of an annotation."""
    data = &columns.annotation_data
    raw = &columns.annotation_raw
    cdef Py_ssize_t begin = string_begin(data, index)
    cdef Py_ssize_t length = string_end(data, index) - begin
    open_annotation(
        columns,
        move_at(columns, index),
        columns.annotation_side.data[index],
        kind_at(columns, index),
        columns.annotation_lang.data[index],
    )
    # Reserve memory first: appending from a column to itself must not invalidate its source.
    if reserve(columns, &data.data, length):
        put_bytes(columns, &data.data, data.data.data + begin, length)
    if not columns.annotation_has_raw.data[index]:
        close_annotation(columns)
        return
    begin = string_begin(raw, index)
    length = string_end(raw, index) - begin
    if reserve(columns, &raw.data, length):
        close_annotation_with_raw(columns, raw.data.data + begin, length)


cdef void move_down(Columns* columns, Py_ssize_t first, Py_ssize_t count) noexcept nogil:
    """Move the annotations after the first ``count`` of a record down to their place."""
    cdef Py_ssize_t source = first + count
    cdef Py_ssize_t kept = annotation_count(columns) - source
    if columns.out_of_memory:
        return
    memmove(columns.annotation_move.data + 4 * first, columns.annotation_move.data + 4 * source, 4 * kept)
    memmove(columns.annotation_side.data + first, columns.annotation_side.data + source, kept)
    memmove(columns.annotation_kind.data + 2 * first, columns.annotation_kind.data + 2 * source, 2 * kept)
    memmove(columns.annotation_lang.data + first, columns.annotation_lang.data + source, kept)
    memmove(columns.annotation_has_raw.data + first, columns.annotation_has_raw.data + source, kept)
    move_strings_down(&columns.annotation_data, first, source, kept)
    move_strings_down(&columns.annotation_raw, first, source, kept)
    cut_annotations(columns, first + kept)


cdef void move_strings_down(Strings* strings, Py_ssize_t first, Py_ssize_t source, Py_ssize_t kept) noexcept nogil:
    """Move ``kept`` strings from number ``source`` on to number ``first`` on."""
    cdef int32_t* ends = <int32_t*> strings.ends.data
    cdef int32_t begin = ends[source]
    cdef int32_t shift = begin - ends[first]
    if ends[source + kept] > begin:  # without any text there may be no memory for texts either
        memmove(strings.data.data + ends[first], strings.data.data + begin, ends[source + kept] - begin)
    for index in range(kept):
        ends[first + 1 + index] = ends[source + 1 + index] - shift


for nag in range(256):
    NAG_SLOTS[nag] = next((slot for slot, members in enumerate(SLOTS) if nag in members), -1)
