"""The frame of a record in the PGN reader: its beginning and end, its texts, problems and the order of annotations.

Reads the reader's state, writes the columns of a batch. Everything is linear in the size of the record.
"""

import cython
from cython.cimports.libc.stdint import int32_t, uint8_t, uint16_t
from cython.cimports.libc.string import memmove, memset
from cython.cimports.tabiya.formats.pgn.lexer import is_blank, is_newline
from cython.cimports.tabiya.formats.pgn.reader import (
    MOST_PROBLEMS,
    NOTHING,
    PROBLEM_ENCODING,
    PROBLEM_MANY,
    PROBLEM_RESULT_DIFFERS,
    PROBLEM_RESULT_MISSING,
    PROBLEM_TAIL,
    RESULT_UNKNOWN,
    TAG_FEN,
    TAG_RESULT,
    VARIANT_UNKNOWN,
    Reader,
)
from cython.cimports.tabiya.game.columns import (
    KIND_NAGS,
    KIND_SYMBOLS,
    NO_RESULT,
    SIDE_LATE,
    Columns,
    annotation_count,
    close_annotation,
    close_annotation_with_raw,
    cut_strings,
    end_record,
    end_string,
    open_annotation,
    put_bytes,
    put_extra,
    put_problem,
    put_uint8,
    put_uint16,
    put_values,
    reserve,
    string_begin,
    string_count,
    string_end,
)
from cython.cimports.tabiya.game.columns_kernel import NO_HEADER
from cython.cimports.tabiya.game.growing import Bytes
from cython.cimports.tabiya.game.spelling import plain_result
from cython.cimports.tabiya.game.utf8 import is_utf8, put_transcoded

LONGEST_QUOTE = cython.declare(cython.Py_ssize_t, 60)


def begin_record(reader):
    record = cython.address(reader.record)
    line = cython.address(reader.line)
    memset(record, 0, cython.sizeof(reader.record))
    record.nag_move = NOTHING
    record.annotated = 2 * NOTHING
    record.result = record.result_tag = NO_RESULT
    record.header = NO_HEADER
    record.first_annotation = annotation_count(reader.columns)
    record.first_move = reader.columns.moves.size
    reader.outside.size = 0
    reader.detours.size = 0
    reader.detour_depth = 0
    reader.nags.size = 0
    line.board = reader.standard
    line.last = NOTHING
    line.after_variation = False
    line.pending = line.opened = line.resume = NOTHING
    line.early = line.due = line.inline_end = line.inline_resume = NOTHING
    line.tape_mark = 0
    line.move_mark = 0


def finish_record(reader):
    """Writes the single values of the record and closes its lists."""
    columns: cython.pointer[Columns] = reader.columns
    record = cython.address(reader.record)
    if record.unsorted or record.split_nags:
        order_annotations(reader)
    if record.variant == VARIANT_UNKNOWN:
        record.opaque = True
        record.variant = 0
    if not record.seen >> TAG_FEN & 1:
        end_string(columns, cython.address(columns.start))
    put_uint8(columns, cython.address(columns.has_start), record.seen >> TAG_FEN & 1)
    record.header.kind = 2 if record.opaque else 0
    record.header.variant = record.variant
    record.header.result = final_result(reader)
    put_values(columns, cython.address(record.header))
    end_record(columns)


def final_result(reader):
    """The result of the tag; without a tag that of the movetext, where ``*`` says no more than nothing."""
    record = cython.address(reader.record)
    if record.begun and not record.ended and not record.opaque:
        note(reader, PROBLEM_RESULT_MISSING, reader.place, reader.place)
    if not record.seen >> TAG_RESULT & 1:
        return NO_RESULT if record.result == RESULT_UNKNOWN else record.result
    if record.ended and record.result != plain_result(record.result_tag):
        note(reader, PROBLEM_RESULT_DIFFERS, reader.place, reader.place)
        if record.result == 1:
            put_extra(reader.columns, b"pgn.termination", 15, b"1-0", 3)
        elif record.result == 2:
            put_extra(reader.columns, b"pgn.termination", 15, b"0-1", 3)
        elif record.result == 3:
            put_extra(reader.columns, b"pgn.termination", 15, b"1/2-1/2", 7)
        else:
            put_extra(reader.columns, b"pgn.termination", 15, b"*", 1)
    return record.result_tag


def note(reader, code, begin, end):
    """Records a problem with the text from ``begin`` to ``end``, or its first bytes; of very many only the first."""
    note_text(reader, code, begin, reader.text + begin, end - begin)


def note_text(reader, code, place, text, length):
    """The same for a text that may stand elsewhere than at ``place``: a copy without line breaks."""
    columns: cython.pointer[Columns] = reader.columns
    quote: cython.pointer[Bytes] = cython.address(columns.problem_text.data)
    if code > PROBLEM_TAIL + 2:
        reader.record.problems += 1
        if reader.record.problems > MOST_PROBLEMS + 1:
            return
        if reader.record.problems > MOST_PROBLEMS:
            code = PROBLEM_MANY
            length = 0
    if length > LONGEST_QUOTE:
        length = LONGEST_QUOTE
    while length > 0 and (is_blank(text[length - 1]) or is_newline(text[length - 1])):
        length -= 1
    put_problem(columns, code, reader.base + place, cython.NULL, 0)
    columns.problem_text.ends.size -= 4
    if is_utf8(text, length):
        put_bytes(columns, quote, text, length)
    else:
        put_transcoded(columns, quote, text, length, reader.code_page)
    end_string(columns, cython.address(columns.problem_text))


def put_text(reader, out, text, length):
    """Appends a text of the file as UTF-8. What is not is read by the code page, which is noted once per record."""
    if not reader.always_code_page and is_utf8(text, length):
        put_bytes(reader.columns, out, text, length)
        return
    if not reader.record.encoding_noted and not reader.always_code_page:
        reader.record.encoding_noted = True
        place: cython.Py_ssize_t = reader.place
        if reader.text <= text < reader.text + reader.end:  # else it is a copy without line breaks or escapes
            place = text - reader.text
        put_problem(reader.columns, PROBLEM_ENCODING, reader.base + place, cython.NULL, 0)
    put_transcoded(reader.columns, out, text, length, reader.code_page)


# --- NAGs ------------------------------------------------------------------------------------------------------------


def nag_slot(nag):
    """ChessBase's slot of a NAG: 0 comment on the move, 1 evaluation, 2 prefix; -1 for all others."""
    if 1 <= nag <= 6 or nag == 8 or nag == 22:
        return 0
    if 13 <= nag <= 19 or nag == 10 or nag == 11 or nag == 32 or nag == 36 or nag == 40 or nag == 44:
        return 1
    if nag == 132 or nag == 138 or nag == 146:
        return 1
    if 140 <= nag <= 145:
        return 2
    return -1


def put_nags(reader, move, side):
    """Makes one annotation of the NAGs in ``reader.nags``: symbols if they fit the slots in order, else the list."""
    columns: cython.pointer[Columns] = reader.columns
    data: cython.pointer[Bytes] = cython.address(columns.annotation_data.data)
    nags: cython.pointer[uint16_t] = cython.cast(cython.pointer[uint16_t], reader.nags.data)
    count: cython.Py_ssize_t = reader.nags.size // 2
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
        put_bytes(columns, data, reader.nags.data, reader.nags.size)  # the file's order is Arrow's: little-endian
    close_annotation(columns)
    reader.nags.size = 0


def gather_nags(reader, index):
    """Adds the NAGs of an annotation to ``reader.nags``."""
    columns: cython.pointer[Columns] = reader.columns
    kind: cython.int = cython.cast(cython.pointer[uint16_t], columns.annotation_kind.data)[index]
    begin: cython.Py_ssize_t = string_begin(cython.address(columns.annotation_data), index)
    end: cython.Py_ssize_t = string_end(cython.address(columns.annotation_data), index)
    if kind == KIND_NAGS:
        put_bytes(columns, cython.address(reader.nags), columns.annotation_data.data.data + begin, end - begin)
        return
    for place in range(begin, end):
        if columns.annotation_data.data.data[place]:
            put_uint16(columns, cython.address(reader.nags), columns.annotation_data.data.data[place])


# --- order -----------------------------------------------------------------------------------------------------------


def cut_annotations(columns, count):
    """Forgets all annotations from number ``count`` on."""
    columns.annotation_move.size = 4 * count
    columns.annotation_side.size = count
    columns.annotation_kind.size = 2 * count
    columns.annotation_lang.size = count
    columns.annotation_data.data.size = string_begin(cython.address(columns.annotation_data), count)
    columns.annotation_data.ends.size = 4 * count + 4
    columns.annotation_raw.ends.size = 4 * count + 4
    columns.annotation_raw.data.size = string_begin(cython.address(columns.annotation_raw), count)
    columns.annotation_has_raw.size = count


def cut_problems(columns, count):
    """Forgets all problems from number ``count`` on."""
    columns.problem_code.size = 2 * count
    columns.problem_offset.size = 8 * count
    cut_strings(cython.address(columns.problem_text), count)


def set_mark(reader, mark):
    mark.annotations = annotation_count(reader.columns)
    mark.problems = string_count(cython.address(reader.columns.problem_text))
    mark.pending = reader.line.pending
    mark.annotated = reader.record.annotated
    mark.unsorted = reader.record.unsorted
    mark.encoding_noted = reader.record.encoding_noted
    mark.problems_met = reader.record.problems


def go_back(reader, mark):
    """Forgets all annotations and problems that have been added since the mark was set."""
    cut_annotations(reader.columns, mark.annotations)
    cut_problems(reader.columns, mark.problems)
    reader.line.pending = mark.pending
    reader.record.annotated = mark.annotated
    reader.record.unsorted = mark.unsorted
    reader.record.encoding_noted = mark.encoding_noted
    reader.record.problems = mark.problems_met


def order_annotations(reader):
    """Sorts the record's annotations by move, late ones last, else keeping their order, and joins the NAGs of a move.

    They are appended a second time, in order, and then moved down over the first copy.
    """
    columns: cython.pointer[Columns] = reader.columns
    first: cython.Py_ssize_t = reader.record.first_annotation
    count: cython.Py_ssize_t = annotation_count(columns) - first
    buckets: cython.Py_ssize_t = 2 * reader.record.moves + 2
    rank: cython.pointer[int32_t]
    order: cython.pointer[int32_t]
    moves: cython.pointer[int32_t]
    total: int32_t = 0
    here: int32_t
    bucket: cython.Py_ssize_t
    reader.sorted.size = 0
    if count == 0 or not reserve(columns, cython.address(reader.sorted), 4 * (buckets + 1 + count)):
        return
    rank = cython.cast(cython.pointer[int32_t], reader.sorted.data)
    order = rank + buckets + 1
    memset(rank, 0, 4 * (buckets + 1))
    moves = cython.cast(cython.pointer[int32_t], columns.annotation_move.data) + first
    sides = columns.annotation_side.data + first
    for index in range(count):
        rank[2 * moves[index] + 2 + (sides[index] == SIDE_LATE)] += 1
    for number in range(buckets):
        here = rank[number]
        rank[number] = total
        total += here
    for index in range(count):
        bucket = 2 * moves[index] + 2 + (sides[index] == SIDE_LATE)
        order[rank[bucket]] = index
        rank[bucket] += 1
    copy_ordered(reader, first, count, order)
    move_down(columns, first, count)


def copy_ordered(reader, first, count, order):
    columns: cython.pointer[Columns] = reader.columns
    at: cython.Py_ssize_t = 0
    index: cython.Py_ssize_t
    side: cython.int
    kind: cython.int
    done: cython.int = 0  # sides of this move whose NAGs have been joined
    move: int32_t = NOTHING - 1
    while at < count:
        index = first + order[at]
        if cython.cast(cython.pointer[int32_t], columns.annotation_move.data)[index] != move:
            move = cython.cast(cython.pointer[int32_t], columns.annotation_move.data)[index]
            done = 0
        side = columns.annotation_side.data[index]
        kind = cython.cast(cython.pointer[uint16_t], columns.annotation_kind.data)[index]
        if kind == KIND_SYMBOLS or kind == KIND_NAGS:
            if not done >> side & 1:
                done |= 1 << side
                join_nags(reader, first, count, order, at, move, side)
        else:
            copy_annotation(columns, index)
        at += 1


def join_nags(reader, first, count, order, at, move, side):
    """Appends one annotation with all NAGs of this move and side."""
    columns: cython.pointer[Columns] = reader.columns
    index: cython.Py_ssize_t
    kind: cython.int
    reader.nags.size = 0
    while at < count:
        index = first + order[at]
        if cython.cast(cython.pointer[int32_t], columns.annotation_move.data)[index] != move:
            break
        kind = cython.cast(cython.pointer[uint16_t], columns.annotation_kind.data)[index]
        if (kind == KIND_SYMBOLS or kind == KIND_NAGS) and columns.annotation_side.data[index] == side:
            gather_nags(reader, index)
        at += 1
    put_nags(reader, move, side)


def copy_annotation(columns, index):
    """Appends a copy of an annotation."""
    begin: cython.Py_ssize_t = string_begin(cython.address(columns.annotation_data), index)
    length: cython.Py_ssize_t = string_end(cython.address(columns.annotation_data), index) - begin
    open_annotation(
        columns,
        cython.cast(cython.pointer[int32_t], columns.annotation_move.data)[index],
        columns.annotation_side.data[index],
        cython.cast(cython.pointer[uint16_t], columns.annotation_kind.data)[index],
        columns.annotation_lang.data[index],
    )
    # Room first: appending from a column to itself must not lose its source.
    if reserve(columns, cython.address(columns.annotation_data.data), length):
        put_bytes(
            columns,
            cython.address(columns.annotation_data.data),
            columns.annotation_data.data.data + begin,
            length,
        )
    if not columns.annotation_has_raw.data[index]:
        close_annotation(columns)
        return
    begin = string_begin(cython.address(columns.annotation_raw), index)
    length = string_end(cython.address(columns.annotation_raw), index) - begin
    if reserve(columns, cython.address(columns.annotation_raw.data), length):
        close_annotation_with_raw(columns, columns.annotation_raw.data.data + begin, length)


def move_down(columns, first, count):
    """Puts the annotations behind the first ``count`` of a record into their place."""
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
    """Moves ``kept`` strings from number ``source`` on to number ``first`` on."""
    ends: cython.pointer[int32_t] = cython.cast(cython.pointer[int32_t], strings.ends.data)
    begin: int32_t = ends[source]
    shift: int32_t = begin - ends[first]
    memmove(strings.data.data + ends[first], strings.data.data + begin, ends[source + kept] - begin)
    for index in range(kept):
        ends[first + 1 + index] = ends[source + 1 + index] - shift
