"""Comments, NAGs and errors of a game text: where they belong, and their order. Linear in their number and length.

A comment belongs to the move before it; at the start of a line, or behind a variation, to the move that follows; where
no move follows it stands late. That is how PGN is read, too, so that games come out the same whichever way they went.
"""

import cython
from cython.cimports.libc.stdint import int32_t, uint8_t, uint16_t
from cython.cimports.libc.string import memset
from cython.cimports.tabiya.chess.board import BLACK
from cython.cimports.tabiya.formats.jose.reading import (
    FLAG_COMMANDS,
    NOTE_ERROR,
    NOTE_NAGS,
    NOTE_TEXT,
    NOTHING,
    PROBLEM_ENCODING,
    PROBLEM_HALF_LETTER,
    Note,
)
from cython.cimports.tabiya.formats.jose.texts import (
    TEXT_BYTES,
    TEXT_GOOD,
    TEXT_HALF,
    TEXT_NO_MEMORY,
    has_command,
    put_utf8,
)
from cython.cimports.tabiya.game.annotations.commands import COMMAND_CLOCK, COMMAND_VALUE, Command, command_at
from cython.cimports.tabiya.game.annotations.kinds import KIND_BLACK_CLOCK, KIND_WHITE_CLOCK
from cython.cimports.tabiya.game.annotations.nag_slots import nag_slot
from cython.cimports.tabiya.game.annotations.values_kernel import put_value
from cython.cimports.tabiya.game.columns import (
    KIND_NAGS,
    KIND_SYMBOLS,
    KIND_TEXT_AFTER,
    KIND_TEXT_BEFORE,
    KIND_UNREADABLE,
    SIDE_AFTER,
    SIDE_BEFORE,
    SIDE_LATE,
    annotation_count,
    close_annotation,
    cut_annotations,
    open_annotation,
    put_bytes,
    put_problem,
    put_uint16,
    reserve,
)


def note_at(reader, index):
    return cython.cast(cython.pointer[Note], reader.notes.data) + index


# --- places ----------------------------------------------------------------------------------------------------------


def add_note(reader, form, reason, begin, length):
    line = cython.address(reader.line)
    index: cython.Py_ssize_t = reader.notes.size // cython.sizeof(Note)
    note: cython.pointer[Note]
    if not reserve(reader.columns, cython.address(reader.notes), cython.sizeof(Note)):
        return
    reader.notes.size += cython.sizeof(Note)
    note = note_at(reader, index)
    note.form = form
    note.reason = reason
    note.begin = begin
    note.length = length
    note.side = SIDE_AFTER
    note.move = line.last
    note.of_black = line.board.turn != BLACK
    note.next = NOTHING
    if reader.ended:
        note.move = NOTHING
        note.side = SIDE_LATE
    elif line.last == NOTHING or (line.after_variation and form == NOTE_TEXT):
        note.side = SIDE_BEFORE
        note.next = line.pending
        line.pending = index
    elif form == NOTE_ERROR and not (length and reader.texts[begin] == 40):  # "(": a variation, which ends no line
        note.next = line.errors
        line.errors = index


def add_nag(reader, nag):
    """Adds a NAG to the run that it stands in; other notes between NAGs part them."""
    if not reader.nags_open:
        add_note(reader, NOTE_NAGS, 0, reader.nags.size // 2, 0)
    if reader.columns.out_of_memory:
        return
    reader.nags_open = True
    note_at(reader, reader.notes.size // cython.sizeof(Note) - 1).length += 1
    put_uint16(reader.columns, cython.address(reader.nags), nag)


def settle_pending(reader):
    """Gives the notes that waited to the line's last move, which has just been read."""
    line = cython.address(reader.line)
    index: cython.Py_ssize_t = line.pending
    while index != NOTHING:
        note_at(reader, index).move = line.last
        index = note_at(reader, index).next
    line.pending = line.errors = NOTHING


def make_late(reader, index):
    while index != NOTHING:
        note_at(reader, index).move = reader.line.last
        note_at(reader, index).side = SIDE_LATE
        index = note_at(reader, index).next


def end_line(reader):
    """No move follows: what waited for one stands late on the last move, or on the game if there is none."""
    make_late(reader, reader.line.pending)
    make_late(reader, reader.line.errors)
    reader.line.pending = reader.line.errors = NOTHING


def adopt(reader, pending):
    """Gives the notes of a variation without moves to the line around it, as if they had stood there."""
    line = cython.address(reader.line)
    note: cython.pointer[Note]
    following: cython.Py_ssize_t
    while pending != NOTHING:
        note = note_at(reader, pending)
        following = note.next
        if line.after_variation and note.form == NOTE_TEXT:
            note.next = line.pending
            line.pending = pending
        else:
            note.side = SIDE_AFTER
            note.move = line.last
            note.of_black = line.board.turn != BLACK
        pending = following


# --- order -----------------------------------------------------------------------------------------------------------


def rank_of(note):
    """Notes are sorted by move, late ones last within a move."""
    return 2 * note.move + 2 + (note.side == SIDE_LATE)


def is_sorted(reader):
    count: cython.Py_ssize_t = reader.notes.size // cython.sizeof(Note)
    for index in range(1, count):
        if rank_of(note_at(reader, index)) < rank_of(note_at(reader, index - 1)):
            return False
    return True


def sort_notes(reader):
    """Fills ``order`` with the notes by rank, else keeping their order; False without memory."""
    count: cython.Py_ssize_t = reader.notes.size // cython.sizeof(Note)
    buckets: cython.Py_ssize_t = 2 * reader.moves + 2
    first: cython.pointer[int32_t]
    order: cython.pointer[int32_t]
    total: int32_t = 0
    here: int32_t
    rank: cython.int
    reader.order.size = 0
    if not reserve(reader.columns, cython.address(reader.order), 4 * (buckets + count)):
        return False
    order = cython.cast(cython.pointer[int32_t], reader.order.data)
    first = order + count
    memset(first, 0, 4 * buckets)
    for index in range(count):
        first[rank_of(note_at(reader, index))] += 1
    for bucket in range(buckets):
        here = first[bucket]
        first[bucket] = total
        total += here
    for index in range(count):
        rank = rank_of(note_at(reader, index))
        order[first[rank]] = index
        first[rank] += 1
    return True


# --- columns ---------------------------------------------------------------------------------------------------------


def write_notes(reader):
    """Writes all notes of the record to the columns, in order."""
    count: cython.Py_ssize_t = reader.notes.size // cython.sizeof(Note)
    if reader.columns.out_of_memory or count == 0:
        return
    if is_sorted(reader):
        for index in range(count):
            write_note(reader, note_at(reader, index))
    elif sort_notes(reader):
        for index in range(count):
            write_note(reader, note_at(reader, cython.cast(cython.pointer[int32_t], reader.order.data)[index]))


def write_note(reader, note):
    columns = reader.columns
    kind: cython.int = KIND_TEXT_BEFORE if note.side == SIDE_BEFORE else KIND_TEXT_AFTER
    answer: cython.int
    if note.form == NOTE_NAGS:
        write_nags(reader, note)
        return
    if note.form == NOTE_ERROR:
        kind = KIND_UNREADABLE
    elif has_command(reader.texts + note.begin, note.length):
        if write_values(reader, note):
            return
        reader.flags |= FLAG_COMMANDS
    open_annotation(columns, note.move, note.side, kind, note.reason)
    answer = put_utf8(cython.address(columns.annotation_data.data), reader.texts + note.begin, note.length)
    close_annotation(columns)
    if answer == TEXT_NO_MEMORY:
        columns.out_of_memory = True
    elif answer == TEXT_BYTES:
        note_encoding(reader, PROBLEM_ENCODING)
    elif answer == TEXT_HALF:
        note_encoding(reader, PROBLEM_HALF_LETTER)


def write_values(reader, note):
    """Writes the annotations of a comment with common values, and perhaps a text, after a move.

    False, and nothing is written, if there is more to it than kernels know: that is for ``rich.py``, which reads the
    same from what is written here.
    """
    columns = reader.columns
    plain = cython.address(reader.plain)
    text = reader.texts + note.begin
    first: cython.Py_ssize_t = annotation_count(columns)
    place: cython.Py_ssize_t = 0
    begin: cython.Py_ssize_t = 0  # of what has not been copied to ``plain``
    command: Command
    if note.side != SIDE_AFTER or note.move == NOTHING:
        return False
    for at in range(note.length):
        if text[at] < 32:  # line breaks have to be settled
            return False
    plain.size = 0
    while place < note.length - 1:
        if text[place] != 91 or text[place + 1] != 37:  # "[%"
            place += 1
            continue
        command = command_at(text, place, note.length, cython.NULL, 0)
        if not write_value(reader, note, text, command):
            cut_annotations(columns, first)
            return False
        put_bytes(columns, plain, text + begin, place - begin)
        # The blank behind a command belongs to it.
        place = command.arguments_end + 1
        place += place < note.length and text[place] == 32
        begin = place
    put_bytes(columns, plain, text + begin, note.length - begin)
    if not write_plain(reader, note, plain.data, plain.size):
        cut_annotations(columns, first)
        return False
    return True


def write_value(reader, note, text, command):
    """Writes the annotation of a command; False if it is not a common value in a usual spelling."""
    kind: cython.int = command.kind
    if command.name < COMMAND_VALUE or command.language_length:
        return False
    if command.name == COMMAND_CLOCK:
        kind = KIND_BLACK_CLOCK if note.of_black else KIND_WHITE_CLOCK
    open_annotation(reader.columns, note.move, SIDE_AFTER, kind, 0)
    return put_value(reader.columns, kind, text + command.arguments, command.arguments_end - command.arguments)


def write_plain(reader, note, text, length):
    """Writes what is left of a comment, without blanks around it. False if it holds a command now, or is no UTF-8."""
    columns = reader.columns
    answer: cython.int
    while length and text[length - 1] == 32:
        length -= 1
    while length and text[0] == 32:
        text += 1
        length -= 1
    if length == 0:
        return True
    if has_command(text, length):
        return False
    open_annotation(columns, note.move, SIDE_AFTER, KIND_TEXT_AFTER, 0)
    answer = put_utf8(cython.address(columns.annotation_data.data), text, length)
    close_annotation(columns)
    columns.out_of_memory |= answer == TEXT_NO_MEMORY
    return answer == TEXT_GOOD or answer == TEXT_NO_MEMORY


def note_encoding(reader, code):
    reader.damaged = True
    if not reader.badly_encoded:
        reader.badly_encoded = True
        put_problem(reader.columns, code, -1, cython.NULL, 0)


def write_nags(reader, note):
    """One annotation: symbols if the NAGs fall into ChessBase's slots in their order, else the list."""
    columns = reader.columns
    nags = cython.cast(cython.pointer[uint16_t], reader.nags.data) + note.begin
    slots: uint8_t[3]
    slot: cython.int
    filled: cython.int = 0
    fits: cython.bint = True
    slots[0] = slots[1] = slots[2] = 0
    for index in range(note.length):
        slot = nag_slot(nags[index])
        if slot < filled:
            fits = False
            break
        slots[slot] = nags[index]
        filled = slot + 1
    open_annotation(columns, note.move, note.side, KIND_SYMBOLS if fits else KIND_NAGS, 0)
    data = cython.address(columns.annotation_data.data)
    if fits:
        put_bytes(columns, data, slots, filled)
    else:
        put_bytes(columns, data, cython.cast("const uint8_t*", nags), 2 * note.length)
    close_annotation(columns)
