"""The rarer half of the sink: annotations of NAGs, records that are cut back, and the order of a record's annotations.

It works on the columns of a batch under construction. Everything is linear in the size of the record.
"""

import cython
from cython.cimports.libc.stdint import int32_t, uint8_t
from cython.cimports.libc.string import memmove, memset
from cython.cimports.tabiya.game.columns import (
    annotation_count,
    close_annotation,
    close_annotation_with_raw,
    cut_annotations,
    cut_strings,
    open_annotation,
    put_bytes,
    put_uint16,
    reserve,
    string_begin,
    string_end,
)

from tabiya.game.annotations.nags import SLOTS

# --- NAGs ------------------------------------------------------------------------------------------------------------


def put_nags(columns, nags, count, move, side):
    """Make one annotation of NAGs: symbols if they fit the slots in their order, else the list."""
    data = cython.address(columns.annotation_data.data)
    slots: uint8_t[3]
    slot: cython.int
    filled: cython.int = 0
    fits: cython.bint = True
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
        put_bytes(columns, data, cython.cast("const uint8_t*", nags), 2 * count)  # Arrow's order: little-endian
    close_annotation(columns)


def nags_are_canonical(view, note):
    """Return whether an annotation of NAGs is stored as ``put_nags`` stores it."""
    data: cython.pointer[cython.const[uint8_t]] = view.annotation_data.data
    begin: cython.Py_ssize_t = view.annotation_data.ends[note]
    end: cython.Py_ssize_t = view.annotation_data.ends[note + 1]
    filled: cython.int = 0
    slot: cython.int
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


def gather_nags(columns, index, nags):
    """Add the NAGs of an annotation to others."""
    data = columns.annotation_data.data.data
    begin: cython.Py_ssize_t = string_begin(cython.address(columns.annotation_data), index)
    end: cython.Py_ssize_t = string_end(cython.address(columns.annotation_data), index)
    if kind_at(columns, index) == KIND_NAGS:
        put_bytes(columns, nags, data + begin, end - begin)
        return
    for place in range(begin, end):
        if data[place]:
            put_uint16(columns, nags, data[place])


# --- cutting back ----------------------------------------------------------------------------------------------------


def cut_problems(columns, count):
    """Forget all problems from number ``count`` on."""
    columns.problem_code.size = 2 * count
    columns.problem_offset.size = 8 * count
    cut_strings(cython.address(columns.problem_text), count)


def cut_extras(columns, count):
    """Forget all extras from number ``count`` on."""
    cut_strings(cython.address(columns.extra_keys), count)
    cut_strings(cython.address(columns.extra_values), count)


# --- order -----------------------------------------------------------------------------------------------------------


def order_annotations(columns, first, moves, nags, room):
    """Sort a record's annotations by move, late ones last, else keeping their order.

    Unless ``nags`` is NULL, the NAGs on one side of a move become one annotation. Where anything has to be done, the
    annotations are appended a second time, in order, and then moved down over the first copy.
    """
    count: cython.Py_ssize_t = annotation_count(columns) - first
    buckets: cython.Py_ssize_t = 2 * cython.cast(cython.Py_ssize_t, moves) + 2
    begins: cython.pointer[int32_t]
    order: cython.pointer[int32_t]
    total: int32_t = 0
    here: int32_t
    if count < 2 or columns.out_of_memory or is_ordered(columns, first, nags != cython.NULL):
        return
    room.size = 0
    if not reserve(columns, room, 4 * (buckets + count)):
        return
    begins = cython.cast(cython.pointer[int32_t], room.data)
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


def is_ordered(columns, first, joins_nags):
    """Tell whether there is nothing to be sorted or joined."""
    rank: cython.int
    highest: cython.int = 0
    joined: cython.int = 0  # sides of this move that have NAGs
    for index in range(first, annotation_count(columns)):
        rank = rank_at(columns, index)
        if rank < highest:
            return False
        if rank >> 1 != highest >> 1:
            joined = 0
        highest = rank
        if joins_nags and is_nags(kind_at(columns, index)):
            side = 1 << columns.annotation_side.data[index]
            if joined & side:
                return False
            joined |= side
    return True


def copy_ordered(columns, order, count, nags):
    """Append the annotations in this order."""
    index: cython.Py_ssize_t
    side: cython.int
    joined: cython.int = 0  # sides of this move whose NAGs have been joined
    move: int32_t = -2
    for at in range(count):
        index = order[at]
        if move_at(columns, index) != move:
            move = move_at(columns, index)
            joined = 0
        if nags == cython.NULL or not is_nags(kind_at(columns, index)):
            copy_annotation(columns, index)
            continue
        side = 1 << columns.annotation_side.data[index]
        if not joined & side:
            joined |= side
            join_nags(columns, order + at, count - at, nags)


def join_nags(columns, order, count, nags):
    """Append one annotation with all NAGs on the side of the move that the first one stands on."""
    move: int32_t = move_at(columns, order[0])
    side: cython.int = columns.annotation_side.data[order[0]]
    index: cython.Py_ssize_t
    nags.size = 0
    for at in range(count):
        index = order[at]
        if move_at(columns, index) != move:
            break
        if is_nags(kind_at(columns, index)) and columns.annotation_side.data[index] == side:
            gather_nags(columns, index, nags)
    put_nags(columns, cython.cast("const uint16_t*", nags.data), nags.size // 2, move, side)
    nags.size = 0


def copy_annotation(columns, index):
    """Append a copy of an annotation."""
    data = cython.address(columns.annotation_data)
    raw = cython.address(columns.annotation_raw)
    begin: cython.Py_ssize_t = string_begin(data, index)
    length: cython.Py_ssize_t = string_end(data, index) - begin
    open_annotation(
        columns,
        move_at(columns, index),
        columns.annotation_side.data[index],
        kind_at(columns, index),
        columns.annotation_lang.data[index],
    )
    # Room first: appending from a column to itself must not lose its source.
    if reserve(columns, cython.address(data.data), length):
        put_bytes(columns, cython.address(data.data), data.data.data + begin, length)
    if not columns.annotation_has_raw.data[index]:
        close_annotation(columns)
        return
    begin = string_begin(raw, index)
    length = string_end(raw, index) - begin
    if reserve(columns, cython.address(raw.data), length):
        close_annotation_with_raw(columns, raw.data.data + begin, length)


def move_down(columns, first, count):
    """Put the annotations behind the first ``count`` of a record into their place."""
    source: cython.Py_ssize_t = first + count
    kept: cython.Py_ssize_t = annotation_count(columns) - source
    if columns.out_of_memory:
        return
    memmove(columns.annotation_move.data + 4 * first, columns.annotation_move.data + 4 * source, 4 * kept)
    memmove(columns.annotation_side.data + first, columns.annotation_side.data + source, kept)
    memmove(columns.annotation_kind.data + 2 * first, columns.annotation_kind.data + 2 * source, 2 * kept)
    memmove(columns.annotation_lang.data + first, columns.annotation_lang.data + source, kept)
    memmove(columns.annotation_has_raw.data + first, columns.annotation_has_raw.data + source, kept)
    move_strings_down(cython.address(columns.annotation_data), first, source, kept)
    move_strings_down(cython.address(columns.annotation_raw), first, source, kept)
    cut_annotations(columns, first + kept)


def move_strings_down(strings, first, source, kept):
    """Move ``kept`` strings from number ``source`` on to number ``first`` on."""
    ends: cython.pointer[int32_t] = cython.cast(cython.pointer[int32_t], strings.ends.data)
    begin: int32_t = ends[source]
    shift: int32_t = begin - ends[first]
    if ends[source + kept] > begin:  # without any text there may be no memory for texts either
        memmove(strings.data.data + ends[first], strings.data.data + begin, ends[source + kept] - begin)
    for index in range(kept):
        ends[first + 1 + index] = ends[source + 1 + index] - shift


for nag in range(256):
    NAG_SLOTS[nag] = next((slot for slot, members in enumerate(SLOTS) if nag in members), -1)
