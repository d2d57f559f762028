"""Tags as the PGN writer puts them: reads the columns of a batch, writes lines. Linear in the length of the tags.

Tags come in the order of the Seven Tag Roster, then the other tags with columns, then all others in their own order;
a tag that is not there is not invented, but for the roster in the plain profile.
"""

import cython
from cython.cimports.libc.stdint import uint8_t
from cython.cimports.libc.string import memcmp, memset, strlen
from cython.cimports.tabiya.chess.letters import (
    BACKSLASH,
    DOT,
    OPEN_BRACKET,
    QUESTION,
    QUOTE,
    SPACE,
    UNDERSCORE,
    is_newline,
)
from cython.cimports.tabiya.formats.pgn.lexer import is_name_letter
from cython.cimports.tabiya.formats.pgn.output import LOSS_TAG, lose, put, put_letter
from cython.cimports.tabiya.formats.pgn.reader import VARIANT_CHESS960
from cython.cimports.tabiya.formats.pgn.writing import OPAQUE
from cython.cimports.tabiya.game.batch_view import value_of
from cython.cimports.tabiya.game.columns import NO_RESULT
from cython.cimports.tabiya.game.spelling import format_digits, plain_result, result_text
from cython.cimports.tabiya.game.tag_names_kernel import (
    TAG_COUNT,
    TAG_DATE,
    TAG_FEN,
    TAG_NAMES,
    TAG_OTHER,
    TAG_RESULT,
    TAG_SETUP,
    TAG_VARIANT,
    exact_tag,
    letters_of_tag,
    tag_of_name,
)
from cython.cimports.tabiya.game.tape_kernel import VARIATION_BEGIN, VARIATION_END


def write_tags(writer, record):
    """Write all tags; False if there are none. What stands in the list is the whole truth about its name."""
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
                write_column_text(writer, tag, b"1", 1)
        elif write_column_tag(writer, record, tag):
            written = True
        elif writer.plain and tag <= TAG_RESULT:
            written = write_unknown(writer, tag)
    if writer.plies and view.kind[record] != OPAQUE and not has_tag(writer, record, b"PlyCount"):
        write_ply_count(writer, record)
    if listed & 1:
        for index in range(view.tag_ends[record], view.tag_ends[record + 1]):
            if exact_tag(names.data + names.ends[index], names.ends[index + 1] - names.ends[index]) == TAG_OTHER:
                if tag_of_name(names.data + names.ends[index], names.ends[index + 1] - names.ends[index]):
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
    """Return whether a tag of this name stands in the list."""
    names = cython.address(writer.view.tag_names)
    length: cython.Py_ssize_t = strlen(name)
    for index in range(writer.view.tag_ends[record], writer.view.tag_ends[record + 1]):
        if names.ends[index + 1] - names.ends[index] == length:
            if memcmp(names.data + names.ends[index], name, length) == 0:
                return True
    return False


def write_unknown(writer, tag):
    """Write a tag of the roster that nothing is known about (standard, 8.1.1)."""
    if tag == TAG_DATE:
        write_column_text(writer, tag, b"????.??.??", 10)
    else:
        write_column_text(writer, tag, b"*" if tag == TAG_RESULT else b"?", 1)
    return True


def write_ply_count(writer, record):
    """Write how many moves the main line has, as ChessBase counts."""
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
    """Write the tags of this name from the list."""
    names = cython.address(writer.view.tag_names)
    values = cython.address(writer.view.tag_values)
    for index in range(writer.view.tag_ends[record], writer.view.tag_ends[record + 1]):
        if exact_tag(names.data + names.ends[index], names.ends[index + 1] - names.ends[index]) == tag:
            write_text_at(writer, tag, values, index)
    return True


def write_column_tag(writer, record, tag):
    """Write a tag from its columns; False if these are empty."""
    view = writer.view
    digits: uint8_t[10]
    name: cython.int = TAG_NAMES.name[tag]
    value: cython.int
    text: cython.p_const_char
    if tag == TAG_DATE:
        return write_date(writer, record)
    if tag == TAG_FEN:
        if view.has_start[record]:
            write_text_at(writer, tag, cython.address(view.start), record)
        return view.has_start[record]
    value = value_of(view, TAG_NAMES.column[tag], record)
    if tag == TAG_RESULT:
        if value != NO_RESULT:
            text = result_text(plain_result(value) if writer.plain else value)
            write_column_text(writer, tag, cython.cast("const uint8_t*", text), strlen(text))
        return value != NO_RESULT
    if tag == TAG_VARIANT:
        if value == VARIANT_CHESS960:
            write_column_text(writer, tag, b"Chess960", 8)
        return value == VARIANT_CHESS960
    if value < 0:
        return False
    if name >= 0:
        write_text_at(writer, tag, cython.address(view.interned[name]), value)
    else:
        write_column_text(writer, tag, digits, format_digits(digits, value))
    return True


def write_text_at(writer, tag, texts, index):
    write_column_text(writer, tag, texts.data + texts.ends[index], texts.ends[index + 1] - texts.ends[index])


def write_date(writer, record):
    """Write the date; False if nothing of it is known."""
    view = writer.view
    text: uint8_t[10]
    year: cython.int = view.year[record]
    part: cython.int
    if not (year or view.month[record] or view.day[record]):
        return False
    memset(text, QUESTION, 10)
    text[4] = text[7] = DOT
    if 0 < year < 10000:
        text[0] = ord("0") + year // 1000
        text[1] = ord("0") + year // 100 % 10
        text[2] = ord("0") + year // 10 % 10
        text[3] = ord("0") + year % 10
    for place in range(5, 9, 3):
        part = view.month[record] if place == 5 else view.day[record]
        if 0 < part < 100:
            text[place] = ord("0") + part // 10
            text[place + 1] = ord("0") + part % 10
    write_column_text(writer, TAG_DATE, text, 10)
    return True


def write_column_text(writer, tag, value, length):
    write_tag(writer, letters_of_tag(tag), TAG_NAMES.length[tag], value, length)


def write_text_tag(writer, name, value, length):
    write_tag(writer, cython.cast("const uint8_t*", name), strlen(name), value, length)


def write_tag(writer, name, length, value, value_length):
    """``[Name "value"]`` with quotes and backslashes escaped. A line break in a tag cannot be written."""
    out = cython.address(writer.out)
    lost: cython.bint = length == 0
    letter: cython.int
    put_letter(out, OPEN_BRACKET)
    if length == 0:
        put_letter(out, UNDERSCORE)
    for place in range(length):
        letter = name[place]
        if not is_name_letter(letter):
            letter = UNDERSCORE
            lost = True
        put_letter(out, letter)
    put(out, b' "', 2)
    for place in range(value_length):
        letter = value[place]
        if letter == QUOTE or letter == BACKSLASH:
            put_letter(out, BACKSLASH)
        elif is_newline(letter):
            letter = SPACE
            lost = True
        put_letter(out, letter)
    put(out, b'"]\n', 3)
    if lost:
        lose(out, LOSS_TAG)
