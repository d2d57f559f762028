"""The PGN writer: reads the columns of a batch, writes text. Linear in the size of the batch."""

import cython
from cython.cimports.libc.stdint import int64_t, uint8_t
from cython.cimports.libc.stdlib import free
from cython.cimports.libc.string import memcpy, memset, strlen
from cython.cimports.tabiya.chess.fen_kernel import read_fen, start_board
from cython.cimports.tabiya.chess.letters import NEWLINE, PERCENT, SPACE, is_newline
from cython.cimports.tabiya.formats.pgn.output import (
    LOSS_COUNT,
    LOSS_PLACE,
    LOSS_TAG,
    LOSS_TEXT,
    break_line,
    lose,
    put,
    put_letter,
    put_word,
)
from cython.cimports.tabiya.formats.pgn.reader import VARIANT_CHESS960
from cython.cimports.tabiya.formats.pgn.skip_kernel import result_length
from cython.cimports.tabiya.formats.pgn.write_moves_kernel import (
    begins_with_comment,
    index_annotations,
    write_annotations,
    write_moves,
)
from cython.cimports.tabiya.formats.pgn.write_tags_kernel import write_tags, write_text_tag
from cython.cimports.tabiya.formats.pgn.writing import NO_RECORD, OPAQUE, Writer
from cython.cimports.tabiya.game.batch_view import find_extra
from cython.cimports.tabiya.game.columns import SIDE_LATE
from cython.cimports.tabiya.game.columns_kernel import take
from cython.cimports.tabiya.game.growing import Bytes, grow
from cython.cimports.tabiya.game.spelling import plain_result, result_text
from cython.cimports.tabiya.game.view_kernel import BatchView
from cython.cimports.tabiya.game.walk import free_walk

BAD_START = cython.declare(cython.Py_ssize_t, -2)
BAD_ANNOTATION = cython.declare(cython.Py_ssize_t, -3)


def write_games(
    batch: BatchView,
    before: bytes,
    one_line: cython.bint,
    plain: cython.bint,
    plies: cython.bint,
    names_sides: cython.bint,
    languages: bytes,
    rare: bytes,
) -> tuple:
    """Write a batch.

    Args:
        batch: the records.
        before: the kind of the record before each of them, NO_RECORD (255) at the beginning of a file; or of the first
            ones only, if the others follow each other.
        one_line: whether the moves of a game stand in one line, however long.
        plain: whether to leave out what only tabiya understands.
        plies: whether to write PlyCount where it is missing.
        names_sides: whether comments behind variations say which side of which move they are about.
        languages: codes of the languages 0 to 255, four bytes each.
        rare: the table of commands, as the reader has it.

    Returns:
        The bytes; a buffer of int64 with the place in them where each record ends; per kind of loss (count, position
        of the first record in the batch); and what is wrong with a record, or None: (position, token), where token -2
        is a bad start position and -3 an annotation without a place.
    """
    writer: Writer
    failure: cython.Py_ssize_t = -1
    record: cython.Py_ssize_t = 0
    kinds: cython.pointer[cython.const[uint8_t]] = before
    known: cython.Py_ssize_t = len(before)
    ends: Bytes
    if len(languages) != 1024:
        raise ValueError("there are 256 codes of languages")
    memset(cython.address(writer), 0, cython.sizeof(Writer))
    memset(cython.address(ends), 0, cython.sizeof(Bytes))
    writer.languages = languages
    writer.rare = rare
    writer.rare_length = len(rare)
    writer.view = cython.address(batch.view)
    writer.plain = plain
    writer.plies = plies
    writer.names_sides = names_sides
    writer.before = NO_RECORD
    writer.out.one_line = one_line
    with cython.nogil:
        start_board(cython.address(writer.standard))
        while record < writer.view.records and not writer.out.failed:
            if record < known:
                writer.before = kinds[record]
            failure = write_record(cython.address(writer), record)
            if failure != -1:
                break
            writer.before = writer.view.kind[record]
            if not put_end(cython.address(ends), writer.out.bytes.size):
                writer.out.failed = True
            record += 1
    try:
        if writer.out.failed:
            raise MemoryError("no memory for the text of a batch")
        text = memoryview(take(cython.address(writer.out.bytes)))
        losses = [(writer.out.losses[kind], writer.out.first_loss[kind]) for kind in range(LOSS_COUNT)]
        return text, take(cython.address(ends)), losses, None if failure == -1 else (record, failure)
    finally:
        free(writer.out.bytes.data)
        free(ends.data)
        free_walk(cython.address(writer.walk))
        free(writer.text.data)


def put_end(ends, place):
    if not grow(ends, cython.sizeof(int64_t)):
        return False
    memcpy(ends.data + ends.size, cython.address(place), cython.sizeof(int64_t))
    ends.size += cython.sizeof(int64_t)
    return True


def write_record(writer, record):
    view = writer.view
    out = cython.address(writer.out)
    begin: cython.Py_ssize_t
    failure: cython.Py_ssize_t = -1
    tagged: cython.bint
    opaque: cython.bint = view.kind[record] == OPAQUE
    out.record = record
    out.column = 0
    writer.comment_open = False
    if not index_annotations(writer, record):
        return BAD_ANNOTATION
    tagged = write_tags(writer, record)
    if (
        not tagged
        and writer.before != NO_RECORD
        and (
            opaque
            or writer.before == OPAQUE
            or begins_with_comment(writer)
            or find_extra(writer.view, record, b"pgn.escape", view.extra_ends[record]) >= 0
        )
    ):
        # Without a tag this would be read as the end of the game before.
        write_text_tag(writer, b"Event", b"?", 1)
        lose(out, LOSS_TAG)
        tagged = True
    write_extras(writer, record)
    if tagged:
        put_letter(out, NEWLINE)
    if opaque:
        for _ in range(writer.walk.order.count):
            lose(out, LOSS_PLACE)  # there are no moves to put them on
        begin = find_extra(writer.view, record, b"pgn.movetext", view.extra_ends[record])
        if begin >= 0 and view.extra_values.ends[begin + 1] > view.extra_values.ends[begin]:
            letter: cython.int = view.extra_values.data[view.extra_values.ends[begin]]
            if letter == PERCENT or letter == 0xEF:
                put_letter(out, SPACE)  # lest it be an escape line, or a byte order mark that hides a tag
            put(
                out,
                view.extra_values.data + view.extra_values.ends[begin],
                view.extra_values.ends[begin + 1] - view.extra_values.ends[begin],
            )
        else:
            put_letter(out, PERCENT)  # an empty escape line: tags behind nothing but tags would be taken for one game
        put(out, b"\n\n", 2)
        return -1
    if not set_up(writer, record):
        return BAD_START
    failure = write_moves(writer, record)
    if failure != -1:
        return failure
    write_termination(writer, record)
    if writer.late_behind_result:
        write_annotations(writer, -1, SIDE_LATE, True)
    break_line(out)
    put_letter(out, NEWLINE)
    return -1


def set_up(writer, record):
    """Put the start position on the board."""
    view = writer.view
    board = cython.address(writer.line.board)
    begin: cython.Py_ssize_t = view.start.ends[record]
    length: cython.Py_ssize_t = view.start.ends[record + 1] - begin
    board[0] = writer.standard
    if not view.has_start[record] or length == 0:
        return True
    return read_fen(view.start.data + begin, length, view.variant[record] == VARIANT_CHESS960, board)


# --- results and extras ----------------------------------------------------------------------------------------------


def write_extras(writer, record):
    """Write the lines that begin with ``%``, after the tags. A line break in one cannot be written."""
    out = cython.address(writer.out)
    letter: cython.int
    lost: cython.bint
    values = cython.address(writer.view.extra_values)
    place: cython.Py_ssize_t = find_extra(writer.view, record, b"pgn.escape", writer.view.extra_ends[record])
    while place >= 0:
        put_letter(out, PERCENT)
        lost = False
        for index in range(values.ends[place], values.ends[place + 1]):
            letter = values.data[index]
            if is_newline(letter):
                letter = SPACE
                lost = True
            put_letter(out, letter)
        put_letter(out, NEWLINE)
        if lost:
            lose(out, LOSS_TEXT)
        place = find_extra(writer.view, record, b"pgn.escape", place + 1)


def write_termination(writer, record):
    """Write the result after the moves: as it was found, if it differs from the tag."""
    values = cython.address(writer.view.extra_values)
    place: cython.Py_ssize_t = find_extra(writer.view, record, b"pgn.termination", writer.view.extra_ends[record])
    result: cython.int = writer.view.result[record]
    text: cython.p_const_char
    if place >= 0:
        begin: cython.Py_ssize_t = values.ends[place]
        length: cython.Py_ssize_t = values.ends[place + 1] - begin
        if length and result_length(values.data, begin, begin + length) == length:
            put_word(cython.address(writer.out), values.data + begin, length)
            return
        lose(cython.address(writer.out), LOSS_TEXT)
    text = result_text(plain_result(result))
    put_word(cython.address(writer.out), cython.cast("const uint8_t*", text), strlen(text))
