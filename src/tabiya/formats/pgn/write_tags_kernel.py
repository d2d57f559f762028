"""Tags as the PGN writer puts them: reads the columns of a batch, writes lines. Linear in the length of the tags.

Tags come in the order of the Seven Tag Roster, then the other tags with columns, then all others in their own order;
a tag that is not there is not invented, but for the roster in the plain profile.
"""

import cython
from cython.cimports.libc.stdint import uint8_t
from cython.cimports.libc.string import memcmp, memset, strlen
from cython.cimports.tabiya.formats.pgn.lexer import is_name_letter
from cython.cimports.tabiya.formats.pgn.output import LOSS_TAG, lose, put, put_letter
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
from cython.cimports.tabiya.formats.pgn.tags_kernel import name_of_tag, tag_of_name
from cython.cimports.tabiya.formats.pgn.writing import OPAQUE
from cython.cimports.tabiya.game.columns import (
    ANNOTATOR_NAME,
    BLACK_NAME,
    ECO_NAME,
    EVENT_NAME,
    NO_RESULT,
    ROUND_NAME,
    SITE_NAME,
    WHITE_NAME,
)
from cython.cimports.tabiya.game.spelling import format_digits, plain_result, result_text
from cython.cimports.tabiya.game.tape_kernel import VARIATION_BEGIN, VARIATION_END


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
    writer.exact_blanks = has_tag(writer, record, b"TextBlanks")
    for index in range(view.tag_ends[record], view.tag_ends[record + 1]):
        listed |= 1 << exact_tag(names.data + names.ends[index], names.ends[index + 1] - names.ends[index])
    for tag in range(1, TAG_COUNT):
        if listed >> tag & 1:
            written |= write_listed(writer, record, tag)
        elif tag == TAG_SETUP:
            if view.has_start[record]:
                write_text_tag(writer, b"SetUp", b"1", 1)
        elif write_column_tag(writer, record, tag):
            written = True
        elif writer.plain and tag <= TAG_RESULT:
            written = write_unknown(writer, tag)
    if writer.plies and view.kind[record] != OPAQUE and not has_tag(writer, record, b"PlyCount"):
        write_ply_count(writer, record)
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


def has_tag(writer, record, name):
    """Whether a tag of this name stands in the list."""
    names = cython.address(writer.view.tag_names)
    length: cython.Py_ssize_t = strlen(name)
    for index in range(writer.view.tag_ends[record], writer.view.tag_ends[record + 1]):
        if names.ends[index + 1] - names.ends[index] == length:
            if memcmp(names.data + names.ends[index], name, length) == 0:
                return True
    return False


def write_unknown(writer, tag):
    """A tag of the roster that nothing is known about (standard, 8.1.1)."""
    if tag == TAG_DATE:
        write_text_tag(writer, b"Date", b"????.??.??", 10)
    else:
        write_text_tag(writer, name_of_tag(tag), b"*" if tag == TAG_RESULT else b"?", 1)
    return True


def write_ply_count(writer, record):
    """How many moves the main line has, as ChessBase counts."""
    view = writer.view
    digits: uint8_t[10]
    depth: cython.Py_ssize_t = 0
    plies: cython.int = 0
    for index in range(view.move_ends[record], view.move_ends[record + 1]):
        if view.moves[index] == VARIATION_BEGIN:
            depth += 1
        elif view.moves[index] == VARIATION_END:
            depth -= 1
        elif depth == 0:
            plies += 1
    write_text_tag(writer, b"PlyCount", digits, format_digits(digits, plies))


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
