"""The PGN writer: reads the columns of a batch, writes text. Linear in the size of the batch.

Tags come in the order of the Seven Tag Roster, then the other tags with columns, then all others in their own order;
a tag that is not there is not invented.
"""

import cython
from cython.cimports.libc.stdint import int64_t, uint8_t
from cython.cimports.libc.stdlib import free
from cython.cimports.libc.string import memcmp, memset, strlen
from cython.cimports.tabiya.chess.fen_kernel import parse_fen, start_board
from cython.cimports.tabiya.formats.pgn.lexer import is_name_letter, is_newline
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
from cython.cimports.tabiya.formats.pgn.reader import (
    TAG_ANNOTATOR,
    TAG_BLACK,
    TAG_BLACK_ELO,
    TAG_COUNT,
    TAG_DATE,
    TAG_ECO,
    TAG_EVENT,
    TAG_FEN,
    TAG_OTHER,
    TAG_RESULT,
    TAG_ROUND,
    TAG_SETUP,
    TAG_SITE,
    TAG_VARIANT,
    TAG_WHITE,
    TAG_WHITE_ELO,
    VARIANT_CHESS960,
)
from cython.cimports.tabiya.formats.pgn.skip_kernel import result_length
from cython.cimports.tabiya.formats.pgn.tags_kernel import name_of_tag, tag_of_name
from cython.cimports.tabiya.formats.pgn.write_moves_kernel import (
    begins_with_comment,
    index_annotations,
    write_annotations,
    write_moves,
)
from cython.cimports.tabiya.formats.pgn.writing import Writer
from cython.cimports.tabiya.game.batch_view import find_extra
from cython.cimports.tabiya.game.columns import (
    ANNOTATOR_NAME,
    BLACK_NAME,
    ECO_NAME,
    EVENT_NAME,
    NO_RESULT,
    ROUND_NAME,
    SIDE_LATE,
    SITE_NAME,
    WHITE_NAME,
)
from cython.cimports.tabiya.game.columns_kernel import take
from cython.cimports.tabiya.game.spelling import format_digits, plain_result, result_text
from cython.cimports.tabiya.game.view_kernel import BatchView

OPAQUE = cython.declare(cython.int, 2)
BAD_START = cython.declare(cython.Py_ssize_t, -2)
BAD_ANNOTATION = cython.declare(cython.Py_ssize_t, -3)


def write_games(
    batch: BatchView, first: cython.bint, one_line: cython.bint, plain: cython.bint, languages: bytes, rare: bytes
) -> tuple:
    """Writes a batch.

    Args:
        batch: the records.
        first: whether the first of them is the first of the file.
        one_line: whether the moves of a game stand in one line, however long.
        plain: whether to leave out what only tabiya understands.
        languages: codes of the languages 0 to 255, four bytes each.
        rare: the table of commands that kernels do not read, as the reader has it.

    Returns:
        The bytes; per kind of loss (count, position of the first record in the batch); and what is wrong with a
        record, or None: (position, token), where token -2 is a bad start position and -3 an annotation without a place.
    """
    writer: Writer
    failure: cython.Py_ssize_t = -1
    record: cython.Py_ssize_t = 0
    if len(languages) != 1024:
        raise ValueError("there are 256 codes of languages")
    memset(cython.address(writer), 0, cython.sizeof(Writer))
    writer.languages = languages
    writer.rare = rare
    writer.rare_length = len(rare)
    writer.view = cython.address(batch.view)
    writer.plain = plain
    writer.out.one_line = one_line
    with cython.nogil:
        start_board(cython.address(writer.standard))
        while record < writer.view.records and not writer.out.failed:
            failure = write_record(cython.address(writer), record, first and record == 0)
            if failure != -1:
                break
            record += 1
    try:
        if writer.out.failed:
            raise MemoryError("no memory for the text of a batch")
        text = memoryview(take(cython.address(writer.out.bytes)))
        losses = [(writer.out.losses[kind], writer.out.first_loss[kind]) for kind in range(LOSS_COUNT)]
        return text, losses, None if failure == -1 else (record, failure)
    finally:
        free(writer.out.bytes.data)
        free(writer.outside.data)
        free(writer.order.firsts.data)
        free(writer.order.places.data)


def write_record(writer, record, first):
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
        and not first
        and (
            opaque
            or writer.after_opaque
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
        put_letter(out, 10)
    writer.after_opaque = opaque
    if opaque:
        for _ in range(writer.order.count):
            lose(out, LOSS_PLACE)  # there are no moves to put them on
        begin = find_extra(writer.view, record, b"pgn.movetext", view.extra_ends[record])
        if begin >= 0 and view.extra_values.ends[begin + 1] > view.extra_values.ends[begin]:
            letter: cython.int = view.extra_values.data[view.extra_values.ends[begin]]
            if letter == 37 or letter == 0xEF:
                put_letter(out, 32)  # lest it be an escape line, or a byte order mark that hides a tag
            put(
                out,
                view.extra_values.data + view.extra_values.ends[begin],
                view.extra_values.ends[begin + 1] - view.extra_values.ends[begin],
            )
        else:
            put_letter(out, 37)  # an empty escape line: tags behind nothing but tags would be taken for one game
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
    put_letter(out, 10)
    return -1


def set_up(writer, record):
    """Puts the start position on the board."""
    view = writer.view
    offset: cython.int
    begin: cython.Py_ssize_t = view.start.ends[record]
    length: cython.Py_ssize_t = view.start.ends[record + 1] - begin
    writer.line.board = writer.standard
    if not view.has_start[record] or length == 0:
        return True
    return length <= 4096 and 0 == parse_fen(
        view.start.data + begin,
        length,
        view.variant[record] == VARIANT_CHESS960,
        cython.address(writer.line.board),
        cython.address(offset),
    )


# --- tags ------------------------------------------------------------------------------------------------------------


def exact_tag(name, length):
    """The tag with columns of exactly this name, or TAG_OTHER."""
    tag: cython.int = tag_of_name(name, length) if length else TAG_OTHER
    return tag if tag != TAG_OTHER and memcmp(name, name_of_tag(tag), length) == 0 else TAG_OTHER


def is_column_tag(name, length):
    """Whether a name is that of a tag with columns but for its capitals."""
    return length and tag_of_name(name, length) != TAG_OTHER


def write_tags(writer, record):
    """Writes all tags; False if there are none. What stands in the list is the whole truth about its name."""
    view = writer.view
    names = cython.address(view.tag_names)
    values = cython.address(view.tag_values)
    written: cython.bint = False
    listed: cython.uint = 0
    for index in range(view.tag_ends[record], view.tag_ends[record + 1]):
        listed |= 1 << exact_tag(names.data + names.ends[index], names.ends[index + 1] - names.ends[index])
    for tag in range(1, TAG_COUNT):
        if listed >> tag & 1:
            written |= write_listed(writer, record, tag)
        elif tag == TAG_SETUP:
            if view.has_start[record]:
                write_text_tag(writer, b"SetUp", b"1", 1)
        else:
            written |= write_column_tag(writer, record, tag)
    if listed & 1:
        for index in range(view.tag_ends[record], view.tag_ends[record + 1]):
            if exact_tag(names.data + names.ends[index], names.ends[index + 1] - names.ends[index]) == TAG_OTHER:
                if is_column_tag(names.data + names.ends[index], names.ends[index + 1] - names.ends[index]):
                    lose(cython.address(writer.out), LOSS_TAG)  # "white" is read as "White"
                write_tag(
                    writer,
                    names.data + names.ends[index],
                    names.ends[index + 1] - names.ends[index],
                    values.data + values.ends[index],
                    values.ends[index + 1] - values.ends[index],
                )
                written = True
    return written


def write_listed(writer, record, tag):
    """Writes the tags of this name from the list."""
    names = cython.address(writer.view.tag_names)
    values = cython.address(writer.view.tag_values)
    for index in range(writer.view.tag_ends[record], writer.view.tag_ends[record + 1]):
        if exact_tag(names.data + names.ends[index], names.ends[index + 1] - names.ends[index]) == tag:
            write_text_tag(
                writer,
                name_of_tag(tag),
                values.data + values.ends[index],
                values.ends[index + 1] - values.ends[index],
            )
    return True


def write_column_tag(writer, record, tag):
    view = writer.view
    digits: uint8_t[10]
    elo: cython.int
    text: cython.p_const_char
    if tag == TAG_EVENT:
        return write_name(writer, record, tag, EVENT_NAME)
    if tag == TAG_SITE:
        return write_name(writer, record, tag, SITE_NAME)
    if tag == TAG_ROUND:
        return write_name(writer, record, tag, ROUND_NAME)
    if tag == TAG_WHITE:
        return write_name(writer, record, tag, WHITE_NAME)
    if tag == TAG_BLACK:
        return write_name(writer, record, tag, BLACK_NAME)
    if tag == TAG_ECO:
        return write_name(writer, record, tag, ECO_NAME)
    if tag == TAG_ANNOTATOR:
        return write_name(writer, record, tag, ANNOTATOR_NAME)
    if tag == TAG_DATE:
        if not (view.year[record] or view.month[record] or view.day[record]):
            return False
        write_date(writer, record)
    elif tag == TAG_RESULT:
        if view.result[record] == NO_RESULT:
            return False
        text = result_text(plain_result(view.result[record]) if writer.plain else view.result[record])
        write_text_tag(writer, b"Result", cython.cast("const uint8_t*", text), strlen(text))
    elif tag == TAG_WHITE_ELO or tag == TAG_BLACK_ELO:
        elo = view.white_elo[record] if tag == TAG_WHITE_ELO else view.black_elo[record]
        if elo < 0:
            return False
        write_text_tag(writer, name_of_tag(tag), digits, format_digits(digits, elo))
    elif tag == TAG_VARIANT:
        if view.variant[record] != VARIANT_CHESS960:
            return False
        write_text_tag(writer, b"Variant", b"Chess960", 8)
    elif tag == TAG_FEN:
        if not view.has_start[record]:
            return False
        write_text_tag(
            writer,
            b"FEN",
            view.start.data + view.start.ends[record],
            view.start.ends[record + 1] - view.start.ends[record],
        )
    return True


def write_name(writer, record, tag, column):
    name: cython.int = writer.view.names[column][record]
    strings = cython.address(writer.view.interned[column])
    if name < 0:
        return False
    write_text_tag(
        writer, name_of_tag(tag), strings.data + strings.ends[name], strings.ends[name + 1] - strings.ends[name]
    )
    return True


def write_date(writer, record):
    text: uint8_t[10]
    year: cython.int = writer.view.year[record]
    part: cython.int
    memset(text, 63, 10)  # "?"
    text[4] = text[7] = 46  # "."
    if 0 < year < 10000:
        text[0] = 48 + year // 1000
        text[1] = 48 + year // 100 % 10
        text[2] = 48 + year // 10 % 10
        text[3] = 48 + year % 10
    for place in range(5, 9, 3):
        part = writer.view.month[record] if place == 5 else writer.view.day[record]
        if 0 < part < 100:
            text[place] = 48 + part // 10
            text[place + 1] = 48 + part % 10
    write_text_tag(writer, b"Date", text, 10)


def write_text_tag(writer, name, value, length):
    write_tag(writer, cython.cast("const uint8_t*", name), strlen(name), value, length)


def write_tag(writer, name, length, value, value_length):
    """``[Name "value"]`` with quotes and backslashes escaped. A line break in a tag cannot be written."""
    out = cython.address(writer.out)
    lost: cython.bint = length == 0
    letter: cython.int
    put_letter(out, 91)  # "["
    if length == 0:
        put_letter(out, 95)  # "_"
    for place in range(length):
        letter = name[place]
        if not is_name_letter(letter):
            letter = 95  # "_"
            lost = True
        put_letter(out, letter)
    put(out, b' "', 2)
    for place in range(value_length):
        letter = value[place]
        if letter == 34 or letter == 92:
            put_letter(out, 92)
        elif letter == 10 or letter == 13:
            letter = 32
            lost = True
        put_letter(out, letter)
    put(out, b'"]\n', 3)
    if lost:
        lose(out, LOSS_TAG)


# --- results and extras ----------------------------------------------------------------------------------------------


def write_extras(writer, record):
    """Lines that begin with ``%``, behind the tags. A line break in one cannot be written."""
    out = cython.address(writer.out)
    letter: cython.int
    lost: cython.bint
    values = cython.address(writer.view.extra_values)
    place: cython.Py_ssize_t = find_extra(writer.view, record, b"pgn.escape", writer.view.extra_ends[record])
    while place >= 0:
        put_letter(out, 37)  # "%"
        lost = False
        for index in range(values.ends[place], values.ends[place + 1]):
            letter = values.data[index]
            if is_newline(letter):
                letter = 32
                lost = True
            put_letter(out, letter)
        put_letter(out, 10)
        if lost:
            lose(out, LOSS_TEXT)
        place = find_extra(writer.view, record, b"pgn.escape", place + 1)


def write_termination(writer, record):
    """The result behind the moves: as it stood there, if that was not the result of the tag."""
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
