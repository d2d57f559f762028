"""Comments and escape lines of PGN: reads them at the reader's place and settles their line breaks. Linear."""

import cython
from cython.cimports.libc.stdint import int32_t, uint8_t
from cython.cimports.libc.string import strlen
from cython.cimports.tabiya.chess.letters import CARRIAGE_RETURN, NEWLINE, SPACE, is_blank, is_newline
from cython.cimports.tabiya.formats.pgn.commands_kernel import read_text
from cython.cimports.tabiya.formats.pgn.lexer import skip_breaks
from cython.cimports.tabiya.formats.pgn.lines_kernel import add_text
from cython.cimports.tabiya.formats.pgn.reader import PROBLEM_COMMENT_OPEN
from cython.cimports.tabiya.formats.pgn.record_kernel import note
from cython.cimports.tabiya.formats.pgn.skip_kernel import COMMENT_BRACKET, COMMENT_BREAK, comment_end
from cython.cimports.tabiya.game.columns import put_extra, put_uint8, string_count, string_equals


def put_comment(reader, begin, end, found):
    """Read a comment without the blanks around it; a line break is one blank, an empty line a paragraph.

    Where the blanks are content, one goes on either side, or one line break. ``found`` says what ``comment_end`` has
    seen in it.
    """
    text = reader.text
    place: cython.Py_ssize_t
    breaks: cython.int
    start: cython.Py_ssize_t
    outer_begin: cython.Py_ssize_t = begin
    outer_end: cython.Py_ssize_t = end
    while begin < end and (is_blank(text[begin]) or is_newline(text[begin])):
        begin += 1
    while end > begin and (is_blank(text[end - 1]) or is_newline(text[end - 1])):
        end -= 1
    if begin == end:
        return
    if text[outer_begin] == SPACE and (outer_begin + 1 < begin or end < outer_end - 1) and keeps_blanks(reader):
        begin = outer_begin + 1
        if end < outer_end:
            blanks: cython.bint = end < outer_end - 1
            end = outer_end - 1
            end -= blanks and text[end] == NEWLINE and text[end - 1] == CARRIAGE_RETURN
    if not found & COMMENT_BREAK:
        if found & COMMENT_BRACKET:
            read_text(reader, text + begin, end - begin)
        else:
            add_text(reader, text + begin, end - begin, 0)
        return
    reader.scratch.size = 0
    place = begin
    while place < end:
        if not is_blank(text[place]) and not is_newline(text[place]):
            put_uint8(reader.columns, cython.address(reader.scratch), text[place])
            place += 1
            continue
        start = place
        breaks = skip_breaks(text, end, cython.address(place))
        if breaks == 0:
            while start < place:
                put_uint8(reader.columns, cython.address(reader.scratch), text[start])
                start += 1
        elif breaks == 1:
            put_uint8(reader.columns, cython.address(reader.scratch), SPACE)
        else:
            put_uint8(reader.columns, cython.address(reader.scratch), NEWLINE)
            put_uint8(reader.columns, cython.address(reader.scratch), NEWLINE)
    read_text(reader, reader.scratch.data, reader.scratch.size)


def keeps_blanks(reader):
    """Return whether the tags of this record say that blanks around comments are content."""
    if reader.record.exact_blanks == 0:
        reader.record.exact_blanks = 2 if has_tag(reader, b"TextBlanks") else 1
    return reader.record.exact_blanks == 2


def has_tag(reader, name):
    """Return whether a tag of this name, without a column of its own, has been read in this record."""
    names = cython.address(reader.columns.tag_names)
    index: cython.Py_ssize_t
    if reader.columns.out_of_memory:
        return False
    index = cython.cast(cython.pointer[int32_t], reader.columns.tag_ends.data)[reader.columns.records]
    while index < string_count(names):
        if string_equals(names, index, cython.cast(cython.pointer[cython.const[uint8_t]], name), strlen(name)):
            return True
        index += 1
    return False


def read_comment(reader):
    closed: cython.bint
    found: cython.int
    begin: cython.Py_ssize_t = reader.place + 1
    end: cython.Py_ssize_t
    end = comment_end(reader, begin, cython.address(closed), cython.address(found))
    if not closed:
        note(reader, PROBLEM_COMMENT_OPEN, begin - 1, end)
    put_comment(reader, begin, end, found)
    reader.place = end + closed


def read_line_comment(reader):
    """From ``;`` to the end of the line."""
    begin: cython.Py_ssize_t = reader.place + 1
    end: cython.Py_ssize_t = begin
    while end < reader.end and not is_newline(reader.text[end]):
        end += 1
    put_comment(reader, begin, end, COMMENT_BRACKET)
    reader.place = end


def read_escape(reader):
    """Keep a line that begins with ``%``, which is for other programs. An empty one only separates games."""
    begin: cython.Py_ssize_t = reader.place + 1
    end: cython.Py_ssize_t = begin
    while end < reader.end and not is_newline(reader.text[end]):
        end += 1
    reader.place = end
    while end > begin and is_blank(reader.text[end - 1]):
        end -= 1
    if end > begin:
        put_extra(reader.columns, b"pgn.escape", 10, reader.text + begin, end - begin)
        reader.record.has_escapes = True
